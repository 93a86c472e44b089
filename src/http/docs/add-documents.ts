import type { NextFunction, Request, RequestHandler, Response } from 'express';

import { isBuilderId, type BuilderId } from '../../recipes/builders.ts';
import type { BodyMemory } from '../body/body-memory.ts';
import { readBody } from '../middleware/read-body.ts';
import { noSuchPath } from '../not-found.ts';
import type { Methods, Routes } from '../routes.ts';
import { wantedType } from './accepts.ts';
import { siteOf, type DocumentsOptions } from './documents-options.ts';
import { KeptDocuments, once } from './kept-documents.ts';
import { HTML_TYPE, JSON_TYPE, sendDocument, TEXT_TYPE, type Document } from './send-document.ts';

/** Browsers check these again each time. */
const FRESH = 'no-cache';
/** For URLs that contain a version. */
const IMMUTABLE = 'public, max-age=31536000, immutable';
/** The body holds the fields that a reader has filled in, for the recipe to show. */
const RECIPE_BODY = { bodyBytesMax: 64 * 1024, textField: null } as const;

type AddDocument = (method: keyof Methods, path: string, ...handlers: RequestHandler[]) => void;

/**
 * All pages with their files, and OpenAPI. Everything is loaded and made on the first request, so that the service
 * starts fast.
 */
export function addDocuments(routes: Routes, bodies: BodyMemory, options: DocumentsOptions): void {
  const addDocument: AddDocument = (method, path, ...handlers) =>
    routes.add(
      { path, name: 'documents', bucket: 'guild', isRoutine: true },
      { [method]: [leaveSlash, ...handlers] },
    );
  addFiles(addDocument, options);
  addStartAndStatus(addDocument, options);
  addDocs(addDocument, bodies, options);
}

/** Files that are the same for all readers. */
function addFiles(addDocument: AddDocument, options: DocumentsOptions): void {
  // Each is made on its first request, and kept.
  const kept: readonly (readonly [path: string, type: string, make: () => string | Promise<string>])[] = [
    ['/openapi.json', JSON_TYPE, () => openApiText(options)],
    ['/docs/search.json', JSON_TYPE, () => searchText(options)],
    [
      '/docs/sentences.html',
      HTML_TYPE,
      async () => (await import('./pages/more-sentences.ts')).moreSentences(),
    ],
    ['/llms.txt', TEXT_TYPE, async () => (await import('./pages/guides.ts')).llmsText(options.publicUrl())],
    ['/robots.txt', TEXT_TYPE, () => 'User-agent: *\nDisallow: /api/\n'],
  ];
  for (const [path, type, make] of kept) {
    const document = once(async () => ({ type, body: await make() }));
    addDocument('GET', path, async (_request, response) => {
      // Editors and generators on other sites may read OpenAPI, which holds no data of readers.
      if (path === '/openapi.json') response.setHeader('Access-Control-Allow-Origin', '*');
      sendDocument(response, await document(), FRESH);
    });
  }
  addDocument('GET', '/favicon.ico', (request, response) => sendAsset('favicon.ico', request, response));
}

/** The start page and the page of the state. */
function addStartAndStatus(addDocument: AddDocument, options: DocumentsOptions): void {
  const samples = once(async () => {
    const { takeSamples } = await import('./take-samples.ts');
    return takeSamples(options);
  });
  addDocument('GET', '/', async (request, response) => {
    const { landingPage, landingBody } = await import('./pages/landing-page.ts');
    response.setHeader('Vary', 'Accept');
    sendDocument(
      response,
      wantedType(request) === 'json'
        ? json(landingBody(options))
        : page(landingPage(options, await samples())),
      FRESH,
    );
  });
  addDocument('GET', '/status', async (_request, response) => {
    const { statusPage } = await import('./pages/status-page.ts');
    const status = await options.status();
    sendDocument(
      response,
      page(statusPage(status, siteOf(options))),
      FRESH,
      status.readiness.problem?.status,
    );
  });
}

/** The pages under /docs. */
function addDocs(addDocument: AddDocument, bodies: BodyMemory, options: DocumentsOptions): void {
  const documents = new KeptDocuments(options);
  addDocument('GET', '/docs', async (_request, response) => {
    sendDocument(response, await documents.overview(builderOf(response)), FRESH);
  });
  // Browsers keep the part of an old link after #, and the page leads to where that section is now.
  addDocument('GET', '/docs/reference', (_request, response) => redirect(response, '../docs'));
  addDocument('POST', '/docs/recipe', readBody(bodies, RECIPE_BODY), async (_request, response) => {
    const { sendRecipe } = await import('./recipe-endpoint.ts');
    await sendRecipe(response, options);
  });

  // A client was served here, and files that were generated from it contain this URL.
  addDocument('GET', '/docs/client.ts', (_request, response) => {
    const make = `npx openapi-typescript ${options.publicUrl()}/openapi.json -o quartermaster.d.ts`;
    const body = `// The typed client is gone. Types for openapi-fetch: ${make}\n`;
    sendDocument(response, { type: TEXT_TYPE, body }, FRESH, 410);
  });
  addDocument('GET', '/docs/flows/:name', async ({ params }, response) => {
    sendDocument(response, await documents.flow(String(params['name'])), FRESH);
  });
  addDocument('GET', '/docs/:name', async (request: Request, response: Response) => {
    const asked = String(request.params['name']);
    const found = await documents.find(asked, builderOf(response));
    if (found === null) return sendAsset(asked, request, response, await documents.paths());
    sendDocument(response, found, FRESH);
  });
}

async function openApiText({ operations, publicUrl }: DocumentsOptions): Promise<string> {
  const { createOpenApiDocument } = await import('../openapi/openapi-document.ts');
  return JSON.stringify(createOpenApiDocument({ operations, publicUrl: publicUrl() }));
}

async function searchText({ operations }: DocumentsOptions): Promise<string> {
  const { makeSearchIndex } = await import('./pages/search-index.ts');
  return JSON.stringify(await makeSearchIndex(operations));
}

async function sendAsset(
  name: string,
  { url, path }: Request,
  response: Response,
  others: ReadonlyMap<string, string> = new Map(),
): Promise<void> {
  const { findAsset } = await import('./assets.ts');
  const asset = findAsset(name);
  if (asset === null) throw noSuchPath(path, others);
  sendDocument(response, asset, url.endsWith(`?v=${asset.version}`) ? IMMUTABLE : FRESH);
}

function page(body: string): Document {
  return { type: HTML_TYPE, body };
}

function json(value: object): Document {
  return { type: JSON_TYPE, body: JSON.stringify(value) };
}

/** Returns null when the reader has chosen none. */
function builderOf({ locals: { query } }: Response): BuilderId | null {
  const { tool } = query;
  return typeof tool === 'string' && isBuilderId(tool) ? tool : null;
}

/** URLs in a page are relative to the page's own URL without a slash. */
function leaveSlash({ path, url }: Request, response: Response, next: NextFunction): void {
  if (path === '/' || !path.endsWith('/')) return next();
  redirect(response, `../${path.split('/').at(-2)}${url.slice(path.length)}`);
}

/** @param location relative to the requested URL */
function redirect(response: Response, location: string): void {
  response.status(308).set('Location', location).end();
}
