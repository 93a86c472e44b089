import type { NextFunction, Request, RequestHandler, Response } from 'express';

import { isBuilderId, type BuilderId } from '../../recipes/builders.ts';
import { Problem } from '../../kernel/problem.ts';
import type { BodyMemory } from '../body/body-memory.ts';
import { readBody } from '../middleware/read-body.ts';
import { byLastPart, noSuchPath } from '../not-found.ts';
import type { Methods, Routes } from '../routes.ts';
import { wantedType } from './accepts.ts';
import { siteOf, type DocumentsOptions } from './documents-options.ts';
import { HTML_TYPE, sendDocument, type Document } from './send-document.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';
const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';
/** Browsers check these again each time. */
const FRESH = 'no-cache';
/** For URLs that contain a version. */
const IMMUTABLE = 'public, max-age=31536000, immutable';
/** The body holds the fields that a reader has filled in, for the recipe to show. */
const RECIPE_BODY = { bodyBytesMax: 64 * 1024, textField: null } as const;
const DEFAULT_BUILDER = 'bdfd';

const guides = () => import('./pages/guides.ts');

/**
 * All pages with their files, and OpenAPI. Everything is loaded and made on the first request, so that the service
 * starts fast.
 */
export function addDocuments(routes: Routes, bodies: BodyMemory, options: DocumentsOptions): void {
  const addDocument = (method: keyof Methods, path: string, ...handlers: RequestHandler[]) =>
    routes.add(
      { path, name: 'documents', bucket: 'guild', isRoutine: true },
      { [method]: [leaveSlash, ...handlers] },
    );

  // Documents that are the same for all readers. Each is made on its first request, and kept.
  const kept: readonly (readonly [path: string, type: string, make: () => string | Promise<string>])[] = [
    ['/openapi.json', JSON_TYPE, () => openApiText(options)],
    ['/docs/search.json', JSON_TYPE, () => searchText(options)],
    [
      '/docs/sentences.html',
      HTML_TYPE,
      async () => (await import('./pages/more-sentences.ts')).moreSentences(),
    ],
    ['/llms.txt', TEXT_TYPE, async () => (await guides()).llmsText(options.publicUrl())],
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
  addDocument('GET', '/docs', async (_request, response) => {
    const { docsPage } = await import('./pages/docs-page.ts');
    const builder = builderOf(response);
    sendDocument(
      response,
      await keep('', builder, () => docsPage(options, builder ?? DEFAULT_BUILDER, builder !== null)),
      FRESH,
    );
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

  addDocument('GET', '/favicon.ico', (request, response) => sendAsset('favicon.ico', request, response));
  addDocument('GET', '/docs/flows/:name', async ({ params }, response) => {
    const { FLOW_NAMES, flowSource } = await guides();
    const name = String(params['name']);
    if (!FLOW_NAMES.includes(name)) throw new Problem('not_found');
    const flow = await keep(name, null, () => flowSource(name, options.publicUrl()), JSON_TYPE);
    sendDocument(response, flow, FRESH);
  });
  addDocument('GET', '/docs/:name', async (request: Request, response: Response) => {
    const asked = String(request.params['name']);
    const found = (await findOperation(asked, builderOf(response))) ?? (await findGuide(asked));
    if (found === null) return sendAsset(asked, request, response, await docsPaths());
    sendDocument(response, found, FRESH);
  });

  /** Pages by name and builder. The bot is known only once Discord has answered. */
  const pages = new Map<string, () => Promise<Document>>();
  function keep(
    name: string,
    builder: BuilderId | null,
    make: () => string | Promise<string>,
    type = HTML_TYPE,
  ): Promise<Document> {
    const cacheKey = `${name} ${builder} ${options.inviteUrl()}`;
    const kept = pages.get(cacheKey) ?? once(async () => ({ type, body: await make() }));
    pages.set(cacheKey, kept);
    return kept();
  }

  async function findOperation(asked: string, builder: BuilderId | null): Promise<Document | null> {
    const operation = options.operations.find(({ name }) => name === asked);
    if (operation === undefined) return null;
    const { operationPage } = await import('./pages/operation-page.ts');
    return keep(asked, builder, () =>
      operationPage(operation, options, builder ?? DEFAULT_BUILDER, builder !== null),
    );
  }

  /** The pages under /docs, by name. */
  async function docsPaths(): Promise<ReadonlyMap<string, string>> {
    const { GUIDE_NAMES } = await guides();
    const names = [...options.operations.map(({ name }) => name), ...GUIDE_NAMES];
    return byLastPart(names.map((name) => `/docs/${name}`));
  }

  /** A page of docs/, or its source when the name ends in `.md`. */
  async function findGuide(asked: string): Promise<Document | null> {
    const { GUIDE_NAMES, guidePage, guideSource } = await guides();
    const name = GUIDE_NAMES.find((each) => asked === each || asked === `${each}.md`);
    if (name === undefined) return null;
    return asked === name
      ? keep(asked, null, () => guidePage(name, siteOf(options)))
      : keep(asked, null, () => guideSource(name), MARKDOWN_TYPE);
  }
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

/** Makes the value once. A failure is not cached. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | null = null;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = null;
      throw error;
    }));
}
