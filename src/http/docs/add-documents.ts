import type { Request, RequestHandler, Response } from 'express';

import { isToolId } from '../../builders.ts';
import { Problem } from '../../problem.ts';
import { readBody } from '../middleware/read-body.ts';
import type { Methods, Routes } from '../routes.ts';
import { siteOf, type DocumentsOptions } from './documents-options.ts';
import { wantedType } from './accepts.ts';
import { HTML_TYPE, sendDocument, type Document } from './send-document.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';
const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';
/** Asked for again each time. */
const FRESH = 'no-cache';
/** For addresses with a version. */
const FOR_EVER = 'public, max-age=31536000, immutable';
/** This body holds the fields that a reader has filled in, and the recipe shows them. */
const RECIPE_BODY = { bodyBytesMax: 64 * 1024, textField: null } as const;

/**
 * Landing page, status, documents with their files, reference, OpenAPI. All of it is loaded and made on the first
 * request, so that a start costs nothing.
 */
export function addDocuments(routes: Routes, options: DocumentsOptions): void {
  const addDocument = (method: keyof Methods, path: string, ...handlers: RequestHandler[]) =>
    routes.add(path, 'documents', { [method]: handlers });

  const addPage = (path: string, make: (response: Response) => Promise<string>) =>
    addDocument('GET', path, async (request, response) => {
      if (request.path.endsWith('/')) {
        // Addresses in a page are relative to the one without a slash.
        const name = path.slice(path.lastIndexOf('/') + 1);
        response.status(308).set('Location', `../${name}`).end();
        return;
      }
      sendDocument(response, { type: HTML_TYPE, body: await make(response) }, FRESH);
    });
  const openApi = once(async () => {
    const { createOpenApiDocument } = await import('../openapi/openapi-document.ts');
    const { ENDPOINTS } = await import('../endpoints/endpoints.ts');
    const document = createOpenApiDocument({
      operations: options.operations,
      endpoints: ENDPOINTS,
      publicUrl: options.publicUrl(),
    });
    return { document, json: JSON.stringify(document) };
  });
  addDocument('GET', '/openapi.json', async (_request, response) => {
    // Editors and generators on other sites may read it: it says nothing about anybody.
    response.setHeader('Access-Control-Allow-Origin', '*');
    sendDocument(response, { type: JSON_TYPE, body: (await openApi()).json }, FRESH);
  });

  addDocument('GET', '/', async (request, response) => {
    const { landingPage, landingBody } = await import('./pages/landing-page.ts');
    response.setHeader('Vary', 'Accept');
    sendDocument(
      response,
      wantedType(request) === 'json'
        ? { type: JSON_TYPE, body: JSON.stringify(landingBody(options)) }
        : { type: HTML_TYPE, body: landingPage(options) },
      FRESH,
    );
  });
  addDocument('GET', '/status', async (_request, response) => {
    const { statusPage } = await import('./pages/status-page.ts');
    const readiness = await options.readiness();
    const page = { type: HTML_TYPE, body: statusPage(readiness, siteOf(options)) };
    sendDocument(response, page, FRESH, readiness.problem?.status);
  });
  addDocument('GET', '/robots.txt', (_request, response) =>
    sendDocument(response, { type: TEXT_TYPE, body: 'User-agent: *\nDisallow: /api/\n' }, FRESH),
  );

  /** One page a tool. */
  const docsPages = new Map<string, string>();
  addPage('/docs', async ({ locals }) => {
    const { docsPage } = await import('./pages/docs-page.ts');
    const { tool } = locals.query;
    const known = typeof tool === 'string' && isToolId(tool) ? tool : 'bdfd';
    // The bot is known only once Discord has answered.
    const kept = `${known} ${options.inviteUrl()}`;
    const page = docsPages.get(kept) ?? docsPage(options, known);
    docsPages.set(kept, page);
    return page;
  });
  const reference = once(async () => {
    const { referencePage } = await import('./pages/reference-page.ts');
    return referencePage((await openApi()).document, siteOf(options));
  });
  addPage('/docs/reference', reference);

  const recipe = once(async () => {
    const { recipeEndpoint } = await import('./recipe-endpoint.ts');
    return recipeEndpoint(options);
  });
  addDocument('POST', '/docs/recipe', readBody(options.bodies, RECIPE_BODY), async (request, response) =>
    (await recipe())(request, response),
  );

  addDocument('GET', '/docs/client.ts', async (_request, response) => {
    const { clientSource } = await import('./client-source.ts');
    const body = clientSource(options.operations, options.publicUrl());
    sendDocument(response, { type: TEXT_TYPE, body }, FRESH);
  });

  const guides = once(() => import('./pages/guides.ts'));
  addDocument('GET', '/llms.txt', async (_request, response) => {
    const { llmsText } = await guides();
    sendDocument(response, { type: TEXT_TYPE, body: llmsText(options.publicUrl()) }, FRESH);
  });

  const assets = once(() => import('./assets.ts'));
  addDocument('GET', '/favicon.ico', async (_request, response) =>
    sendDocument(response, (await assets()).loadAsset('favicon.ico'), FRESH),
  );
  addDocument('GET', '/docs/:name', async (request: Request, response: Response) => {
    const asked = request.params['name'];
    const guide = await findGuide(asked);
    if (guide !== null) return sendDocument(response, guide, FRESH);
    const { ASSET_NAMES, loadAsset } = await assets();
    const name = ASSET_NAMES.find((each) => each === asked);
    if (name === undefined) throw new Problem('not_found');
    const asset = loadAsset(name);
    const isVersioned = request.url.endsWith(`?v=${asset.version}`);
    return sendDocument(response, asset, isVersioned ? FOR_EVER : FRESH);
  });

  /** A page of docs/, or its source when the name ends in `.md`. */
  async function findGuide(asked: unknown): Promise<Document | null> {
    const { GUIDE_NAMES, guidePage, guideSource } = await guides();
    const name = GUIDE_NAMES.find((each) => asked === each || asked === `${each}.md`);
    if (name === undefined) return null;
    return asked === name
      ? { type: HTML_TYPE, body: await guidePage(name, siteOf(options)) }
      : { type: MARKDOWN_TYPE, body: guideSource(name) };
  }
}

/** The value that `make` gave the first time; a failure is not kept. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | null = null;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = null;
      throw error;
    }));
}
