import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { GUIDE_NAMES, guideSource } from '../../../src/http/docs/pages/guides.ts';
import { capitalise, countInWords } from '../../../src/http/count-in-words.ts';
import { BUILDERS } from '../../../src/recipes/builders.ts';
import { html } from '../../../src/http/docs/pages/layout.ts';
import { presentationOf } from '../../../src/http/docs/operations/presentations.ts';
import { OPERATIONS } from '../../../src/operations/index.ts';
import { withRecipe } from '../../../src/recipes/recipe-operations.ts';
import { STATUSES } from '../../../src/kernel/problem.ts';
import { sendRaw } from '../http/raw-http.ts';
import { sampleOf } from '../../fixtures/full-run.ts';
import { startDiscordApp, startTestApp, type TestApp } from '../../fixtures/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ PUBLIC_URL: 'https://qm.example' });
});
afterAll(() => app.app.close());

const get = (path: string, init: RequestInit = {}) => fetch(app.url + path, init);

describe('the start', () => {
  test('is a page for browsers and JSON for programs', async () => {
    const page = await get('/', { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await page.text()).toContain('href="docs"');
    const json = await get('/', { headers: { accept: 'application/json' } });
    expect(json.headers.get('vary')).toBe('Accept, Accept-Encoding');
    expect(await json.json()).toMatchObject({
      ok: true,
      docs: 'https://qm.example/docs',
      operations: OPERATIONS.map(({ name, path }) => ({ name, url: `https://qm.example${path}` })),
    });
  });
});

/** What `/` is for an Accept header; fetch would send one of its own for none. */
async function startFor(accept: string | undefined) {
  const header = accept === undefined ? '' : `Accept: ${accept}\r\n`;
  const answer = await sendRaw(app.port, `GET / HTTP/1.1\r\nHost: x\r\n${header}Connection: close\r\n\r\n`);
  return answer.body.startsWith('{') ? 'json' : 'html';
}

describe('the type that a caller prefers', () => {
  test.each([
    [undefined, 'html'],
    ['*/*', 'html'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'html'],
    ['application/json', 'json'],
    ['application/json, text/plain, */*', 'json'],
    ['Application/JSON; q=0.5', 'json'],
    ['text/html;q=0.5, application/json', 'json'],
    ['application/json, text/html', 'json'],
    ['text/html, application/json', 'html'],
    ['text/html;q=0, */*', 'json'],
    ['application/*', 'json'],
    ['image/png', 'html'],
    ['', 'html'],
  ])('is answered for %j', async (accept, expected) => {
    expect(await startFor(accept)).toBe(expected);
  });

  test('is not read beyond 1,000 characters', async () => {
    expect(await startFor(`${'a/b;c=d,'.repeat(1_000)}application/json`)).toBe('html');
  });
});

describe('the guides', () => {
  test.each(GUIDE_NAMES)('include %s as a page, and its Markdown as in the repository', async (name) => {
    const page = await get(`/docs/${name}`);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const text = await page.text();
    expect(text).toMatch(/<h1 id="[^"]+">/);
    expect(text).not.toMatch(/<script(?! type="module" src=)|href="[\w-]+\.md#|&lt;!--/);
    const source = await get(`/docs/${name}.md`);
    expect(source.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(await source.text()).toBe(guideSource(name));
  });

  test('link to flows that Make and n8n import, with the URL of this service in them', async () => {
    const guide = await (await get('/docs/recipes')).text();
    const files = [...guide.matchAll(/href="(flows\/[^"]+)"/g)].map(([, file = '']) => file);
    expect(new Set(files).size).toBe(4);
    for (const file of files) {
      const text = await (await get(`/docs/${file}`)).text();
      expect(JSON.parse(text)).toMatchObject({ name: expect.any(String) });
      expect(text).toContain('https://qm.example/api/send');
    }
    expect((await get('/docs/flows/none.json')).status).toBe(404);
  });

  test.each(GUIDE_NAMES)('of %s name the URL of this service in what is copied', async (name) => {
    const text = await (await get(`/docs/${name}`)).text();
    expect(text).not.toContain('https://quartermaster.example');
    expect(text.includes('https://qm.example/api/role-changes')).toBe(name === 'recipes');
  });

  test('are listed for language models', async () => {
    const text = await (await get('/llms.txt')).text();
    for (const name of GUIDE_NAMES) expect(text).toContain(`(https://qm.example/docs/${name}.md)`);
  });
});

/** The pages that links lead to, null where there is none. */
const linked = new Map<string, Promise<string | null>>();

/** Whether a link leads to a page, and to a place on it. */
async function isFound({ pathname, search, hash }: URL): Promise<boolean> {
  const path = pathname + search;
  const read = async () => {
    const response = await get(path, { headers: { accept: 'text/html' } });
    return response.ok ? response.text() : null;
  };
  const page = linked.get(path) ?? read();
  linked.set(path, page);
  const text = await page;
  return text !== null && (hash === '' || text.includes(` id="${decodeURIComponent(hash.slice(1))}"`));
}

test.each([
  '/',
  '/docs',
  '/status',
  ...GUIDE_NAMES.map((name) => `/docs/${name}`),
  ...OPERATIONS.map(({ name }) => `/docs/${name}`),
])('every link of the page %s leads to a page of the service, or to another site', async (path) => {
  const page = await (await get(path, { headers: { accept: 'text/html' } })).text();
  const links = [...page.matchAll(/<a [^>]*?href="([^"]+)"/g)].map(([, href = '']) => href);
  expect(links.length).toBeGreaterThan(5);
  const lost: string[] = [];
  for (const link of new Set(links)) {
    const url = new URL(link.replaceAll('&amp;', '&'), app.url + path);
    if (url.origin === app.url && !(await isFound(url))) lost.push(link);
  }
  expect(lost).toEqual([]);
});

const code = (name: string) => `<code>${name}</code>`;

interface Loaded {
  readonly isFont: boolean;
  readonly zipped: number;
  readonly unzipped: number;
  readonly parts: readonly URL[];
}

/** How a file names others, by the end of its own name; what has no such end is a page. */
const NAMED: readonly (readonly [string, RegExp | undefined])[] = [
  ['.js', /^(?:import|\} from)\b.*?'(\.\/[^']+)'/gm],
  ['.css', /url\('([^']+)'\)/g],
  ['.svg', undefined],
  ['.woff2', undefined],
  ['', /<(?:link rel="(?:icon|stylesheet)"|script)[^>]*(?:href|src)="([^"]+)"/g],
];

async function look(address: URL): Promise<Loaded> {
  const response = await fetch(address, { headers: { accept: 'text/html' } });
  const body = await response.text();
  const zipped = Number(response.headers.get('content-length'));
  const named = NAMED.find(([ending]) => address.pathname.endsWith(ending))?.[1];
  const names = named === undefined ? [] : [...body.matchAll(named)].map(([, name = '']) => name);
  const isFont = address.pathname.endsWith('.woff2');
  return {
    isFont,
    zipped,
    unzipped: Buffer.byteLength(body),
    parts: names.map((name) => new URL(name, address)),
  };
}

describe('the documents', () => {
  test.each(['/', '/docs', '/docs/send', '/status', '/docs/api'])(
    'allow on %s no inline code and no other host',
    async (path) => {
      const response = await get(path, { headers: { accept: 'text/html' } });
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("font-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      const text = await response.text();
      const [head = ''] = text.split('<body');
      expect(head.match(/<(?:script|link)[^>]*(?:src|href)="(?:https?:)?\/\//)).toBeNull();
      expect(text).not.toMatch(/<style|<script>|\son\w+="|\sstyle="/);
    },
  );

  test('list every operation and explain every code and every other path', async () => {
    const text = await (await get('/docs')).text();
    const { paths } = (await (await get('/openapi.json')).json()) as { paths: Record<string, object> };
    const missing = [
      ...OPERATIONS.flatMap((operation) => {
        const [into, out] = presentationOf(operation).inOut;
        return [`<li id="${operation.name}">`, html`${into} <b>→ ${out}</b>`.html];
      }),
      ...Object.keys(STATUSES).map((each) => `<tr id="${each}">`),
      ...['flat', 'separator', 'always_200'].map(code),
      ...Object.keys(paths).filter((path) => OPERATIONS.every((operation) => operation.path !== path)),
    ].filter((part) => !text.includes(part));
    expect(missing).toEqual([]);
  });

  test.each(OPERATIONS.map((operation) => [operation.name, operation] as const))(
    'include a page for %s with every field, key of a response and code, without a script',
    async (name, operation) => {
      const { path, input, output, problems, secretHeader } = operation;
      const response = await get(`/docs/${name}`);
      const text = await response.text();
      expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-cache']);
      const missing = [
        `<h1>${name}</h1>`,
        code(path),
        `https://qm.example${path}`,
        ...Object.keys(input.shape).map(code),
        // One box may take what belongs into either of two fields.
        ...Object.keys(input.shape)
          .filter((field) => field !== presentationOf(operation).sharedBox?.fields[1])
          .map((field) => `name="${field}"`),
        ...Object.keys(output.shape).map(code),
        ...[...problems, 'key_missing', 'rate_limited'].map((each) => `<tr id="${each}">`),
        ...(secretHeader === null ? [] : [`name="${secretHeader}"`, code(secretHeader)]),
        ...(withRecipe(operation) === null ? [] : ['id="recipe"', 'id="see"']),
        'api#',
      ].filter((part) => !text.includes(part));
      expect(missing).toEqual([]);
      expect(text).not.toMatch(/<script(?! type="module" src=)/);
    },
  );

  test('lead to the whole flows of the guide when there is no recipe', async () => {
    const flows = await (await get('/docs/recipes.md')).text();
    const named = OPERATIONS.filter(
      (operation) => withRecipe(operation) === null && flows.includes(operation.path),
    );
    expect(named.map(({ name }) => name)).toContain('role-changes');
    const guide = await (await get('/docs/recipes')).text();
    for (const { name } of named) {
      const text = await (await get(`/docs/${name}`)).text();
      const links = [...text.matchAll(/href="recipes#([^"]+)"/g)].map(([, id]) => id);
      expect(links.length).toBeGreaterThan(0);
      expect(links.filter((id) => !guide.includes(`id="${id}"`))).toEqual([]);
    }
    const changes = await (await get('/docs/role-changes')).text();
    expect(changes).toContain(
      '<a href="recipes#greet-members-who-got-a-role">Greet members who got a role</a>',
    );
    expect(changes).toContain('<a href="recipes#with-botghost">With BotGhost</a>');
  });

  test('let browsers cache only files with a version in the URL', async () => {
    const page = await (await get('/docs')).text();
    const address = /docs\/pages\.css\?v=[\w-]+/.exec(page)?.[0];
    const kept = await get(`/${address}`);
    expect(kept.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(kept.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(kept.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await get('/docs/pages.css?v=old')).headers.get('cache-control')).toBe('no-cache');
    expect((await get('/docs')).headers.get('cache-control')).toBe('no-cache');
    // What a file names beside itself has its version too.
    const css = await kept.text();
    const [, font = ''] = /url\('\.\/(instrument-sans\.woff2\?v=[\w-]+)'\)/.exec(css) ?? [];
    const face = await get(`/docs/${font}`);
    expect(face.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(face.headers.get('content-type')).toBe('font/woff2');
    expect(page).toContain(`href="docs/${font}"`);
    expect(await (await get('/docs/instrument-sans.txt')).text()).toContain('SIL OPEN FONT LICENSE');
    expect(await (await get('/docs/inconsolata.txt')).text()).toContain('SIL OPEN FONT LICENSE');
  });

  /** What an address sends, zipped and not, and what is loaded with it. Files have their version in their address. */
  const loaded = new Map<string, Promise<Loaded>>();
  const load = (address: URL): Promise<Loaded> => {
    const known = loaded.get(address.href) ?? look(address);
    loaded.set(address.href, known);
    return known;
  };

  const pages = new Set([
    '/',
    '/docs',
    // The largest.
    '/docs/send?tool=make',
    ...OPERATIONS.flatMap(({ name }, at) =>
      // By default a few of each operation, others of the next one, so that all builders come up.
      sampleOf([...Object.keys(BUILDERS).slice(at % 4), ...Object.keys(BUILDERS).slice(0, at % 4)], 4).map(
        (builder) => `/docs/${name}?tool=${builder}`,
      ),
    ),
    ...GUIDE_NAMES.map((name) => `/docs/${name}`),
    '/status',
    '/nothing',
  ]);

  test.each([...pages])(
    'load with %s less than 110 KB without fonts, 50 KB as it is sent, and fonts of less than 115 KB',
    async (path) => {
      const seen = new Map<string, Loaded>();
      const follow = async (address: URL): Promise<void> => {
        if (seen.has(address.href)) return;
        const found = await load(address);
        seen.set(address.href, found);
        for (const part of found.parts) await follow(part);
      };
      await follow(new URL(app.url + path));
      const sum = (size: 'zipped' | 'unzipped', ofFonts: boolean) =>
        [...seen.values()].reduce((all, each) => all + (each.isFont === ofFonts ? each[size] : 0), 0);
      expect(seen.size).toBeGreaterThan(5);
      const size = sum('unzipped', false);
      expect(
        size,
        `${path} has ${size} bytes: shorten its texts, or move a part to a page of its own`,
      ).toBeLessThan(110_000);
      expect(sum('zipped', false)).toBeLessThan(50_000);
      expect(sum('zipped', true)).toBeGreaterThan(90_000);
      expect(sum('zipped', true)).toBeLessThan(115_000);
    },
  );

  test.each([
    '/docs/index.html',
    '/docs/package.json',
    '/docs/..%2f..%2fpackage.json',
    '/docs/..%2fassets.ts',
    '/docs/%2e%2e/%2e%2e/package.json',
    '/docs/pages.css%00',
    '/docs/constructor',
    '/docs/sub/pages.css',
    '/docs/%ff',
  ])('serve only the files of the pages, and not %s', async (path) => {
    const answer = await sendRaw(app.port, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect([400, 404]).toContain(answer.status);
    expect(JSON.parse(answer.body)).toMatchObject({ ok: false });
  });

  test.each([
    ['POST', '/docs', 405, 'GET, HEAD, OPTIONS'],
    ['DELETE', '/openapi.json', 405, 'GET, HEAD, OPTIONS'],
    ['GET', '/docs/recipe', 405, 'POST, OPTIONS'],
    ['OPTIONS', '/', 204, 'GET, HEAD, OPTIONS'],
    ['OPTIONS', '/docs/page.js', 204, 'GET, HEAD, OPTIONS'],
  ])('answer %s %s with %i and the allowed methods', async (method, path, status, allow) => {
    const response = await get(path, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([status, allow]);
  });

  test.each(['/docs', '/docs/send', '/docs/api'])('redirect %s/ to the URL without a slash', async (path) => {
    const response = await get(`${path}/`, { redirect: 'manual' });
    expect(response.status).toBe(308);
    expect(new URL(response.headers.get('location') ?? '', `${app.url}${path}/`).pathname).toBe(path);
    expect((await get(`${path}/`)).url).toBe(app.url + path);
  });

  test('answer HEAD with the length and without a body', async () => {
    const response = await get('/docs', { method: 'HEAD' });
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(5_000);
    expect(await response.text()).toBe('');
  });

  test('for programs may be read from other sites', async () => {
    expect((await get('/openapi.json')).headers.get('access-control-allow-origin')).toBe('*');
    expect((await get('/docs')).headers.get('access-control-allow-origin')).toBeNull();
  });
});

const order = (body: unknown) =>
  get('/docs/recipe', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

describe('the recipes of the page', () => {
  test('are written without a key', async () => {
    const response = await order({ operation: 'parse-args', tool: 'curl', fields: { text: '<b>&"' } });
    const body = (await response.json()) as Record<string, string>;
    expect(body['html']).toContain(String.raw`'{"text":"&lt;b&gt;&amp;\""}'`);
    expect(body['html']).toContain('YOUR_API_KEY');
    expect(`${body['html']}${body['seen']}`).not.toContain('<b>');
  });

  test.each([
    [{ operation: 'nothing', tool: 'curl', fields: {} }, 'operation'],
    [{ operation: 'permissions', tool: 'curl', fields: {} }, 'operation'],
    [{ operation: 'parse-args', tool: 'constructor', fields: {} }, 'tool'],
    [{ operation: 'parse-args', tool: 'curl' }, 'fields'],
    [{ operation: 'parse-args', tool: 'curl', fields: { text: 1 } }, 'fields'],
    [{ operation: 'parse-args', tool: 'curl', fields: { '__proto__;': 'x' } }, 'fields'],
  ])('are refused for %j', async (body, field) => {
    const response = await order(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'invalid_field', field });
  });

  test('have a limit on their input', async () => {
    const response = await order({
      operation: 'parse-args',
      tool: 'curl',
      fields: { text: 'x'.repeat(70_000) },
    });
    expect(response.status).toBe(413);
  });

  test.each([
    ['botghost', 3],
    ['discord_bot_maker', 1],
    ['make', 0],
    ['zapier', 0],
  ])('say in %s which field of a condition stays empty', async (builder, count) => {
    const body = (await (
      await order({ operation: 'parse-args', tool: builder, fields: {} })
    ).json()) as Record<string, string>;
    expect(body['html']?.split('>(leave empty)<').length).toBe(count + 1);
  });

  test('never echo markup', async () => {
    const fields = { text: '<img src=x onerror=alert(1)>', permissions: '<script>' };
    for (const builder of ['zapier', 'bdfd', 'n8n', 'discord_bot_maker']) {
      const body = (await (await order({ operation: 'parse-args', tool: builder, fields })).json()) as Record<
        string,
        string
      >;
      expect(body['html']).not.toMatch(/<script|onerror=[^<]*>/);
    }
  });
});

describe('the landing page', () => {
  test('parses lines as the service does', async () => {
    const text = await (await get('/')).text();
    for (const part of ['2 Std', '7200', '3 gün', '259200', '1h30m', '5400', '@Someone']) {
      expect(text).toContain(part);
    }
  });
});

describe('the cost of a call', () => {
  test('is on the landing page, with the limits of the settings', async () => {
    await using limited = await startTestApp({
      RATE_LIMIT: '1300',
      IMAGE_RATE_LIMIT: '14',
      SEND_RATE_LIMIT: '15',
    });
    const text = (await (await fetch(limited.url)).text()).replaceAll(/\s+/g, ' ');
    expect(text).toContain('Calls cost nothing: the software has no payments and no paid plans.');
    expect(text).toContain(
      'Each server has 1,300 calls a minute, and besides them 14 images and 15 texts to post',
    );
  });
});

describe('the way to a key', () => {
  test('adds the bot to Discord when there is one, and says where a key is made', async () => {
    await using live = await startDiscordApp();
    const text = await (await fetch(live.url)).text();
    expect(text).toMatch(
      /href="https:\/\/discord\.com\/oauth2\/authorize\?client_id=\d+&amp;[^"]*">Add to Discord</,
    );
    expect(text).toContain('href="https://discord.com/oauth2/');
    const without = await (await get('/')).text();
    expect(without).not.toContain('Add to Discord');
    for (const page of [text, without]) {
      expect(page).toContain('From here to a working command');
      expect(page).toContain('/settings key create');
      expect(page).toContain(
        `${capitalise(countInWords(OPERATIONS.length))} tools your Discord bot can call.`,
      );
      expect(page).toContain('href="docs/privacy"');
    }
  });
});
