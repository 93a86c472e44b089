import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { OPERATIONS } from '../../../src/operations/index.ts';
import { startTestApp, type TestApp } from '../../fixtures/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ PUBLIC_URL: 'https://qm.example' });
});
afterAll(() => app.app.close());

const get = (path: string, init: RequestInit = {}) => fetch(app.url + path, init);

/** The builder that is chosen on the page. */
async function shown(query: string) {
  const page = await get(`/docs/send${query}`);
  return /<option value="(\w+)"\s+selected/.exec(await page.text())?.[1];
}

/** What a tab, a bookmark and a chat show of the page. */
async function headOf(path: string) {
  const text = await (await get(path)).text();
  const [, title] = /<title>(.*)<\/title>/.exec(text) ?? [];
  const [, description] = /<meta name="description" content="([^"]*)"/.exec(text) ?? [];
  const [, url] = /<meta property="og:url" content="([^"]*)"/.exec(text) ?? [];
  return { title, description, url };
}

test('the form of an operation says what a choice is by default', async () => {
  const page = await (await get('/docs/text-splitter')).text();
  expect(page).toMatch(/<select id="field-overflow"[^>]*>\s*<option value="">default \(error\)<\/option>/);
});

const pageOf = async (base: string, builder: string) =>
  (await fetch(`${base}/docs/send?tool=${builder}`)).text();

test('a recipe says when builders cannot reach the service, where the builder is on the internet', async () => {
  await using own = await startTestApp({ PUBLIC_URL: 'http://localhost:3000' });
  const note =
    /cannot reach <code>http:\/\/localhost:3000<\/code>, because localhost is a name[^]*PUBLIC_URL/;
  expect(await pageOf(own.url, 'botghost')).toMatch(note);
  expect(await pageOf(own.url, 'discordjs')).not.toMatch(note);
  expect(await pageOf(app.url, 'botghost')).not.toContain('cannot reach');
});

test('role-counts shows what its bot gets: each role with its count', async () => {
  const page = await (await get('/docs/role-counts')).text();
  expect(page).toMatch(/<span class="label">roles<\/span>\s*<b>765432109876543210: 2<\/b>/);
});

describe('pages for people', () => {
  const forPeople = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };

  test.each(['/nothing', '/docs/nothing', '/a/b/nothing'])(
    'answer %s with a page that leads back',
    async (path) => {
      const page = await get(path, forPeople);
      expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      const text = await page.text();
      const [, start = ''] = /class="home" href="([^"]+)"/.exec(text) ?? [];
      expect(new URL(start, app.url + path).pathname).toBe('/');
      expect(text).toContain('There is no such page.');
      const id = page.headers.get('x-request-id') ?? '';
      await expect.poll(() => app.logLines.find((line) => line.includes(id))).toContain('"code":"not_found"');
    },
  );

  test('lead from a misspelt page to the one that was meant', async () => {
    const page = await get('/docs/parse-arg', forPeople);
    expect(page.status).toBe(404);
    expect(await page.text()).toContain('Did you mean <a href="../docs/parse-args">/docs/parse-args</a>?');
  });

  test.each([
    ['/nothing', {}],
    ['/nothing', { headers: { accept: '*/*' } }],
    ['/api/nothing', forPeople],
    ['/health/nothing', forPeople],
  ])('answer %s with %j in JSON', async (path, init) => {
    const answer = await get(path, init);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ ok: false, code: 'not_found' });
  });

  test('show the state of the service', async () => {
    const page = await get('/status', forPeople);
    const text = await page.text();
    expect(page.status).toBe(200);
    expect(text).toContain('Everything works.');
    expect(text).toContain('switched off: no slash commands here');
  });

  test.each(['/', '/docs', '/docs/send', '/docs/api', '/status'])(
    'show its version on %s, and where status, privacy and terms are',
    async (path) => {
      const text = await (await get(path, forPeople)).text();
      const [, foot = ''] = /<footer[^>]*>(.*)<\/footer>/s.exec(text) ?? [];
      expect(foot).toMatch(/Version \d+\.\d+\.\d+/);
      const links = [...foot.matchAll(/href="([^"]+)"/g)].map(
        ([, href = '']) => new URL(href, app.url + path),
      );
      expect(links.map(({ pathname }) => pathname)).toEqual([
        '/docs/changelog',
        '/status',
        '/docs/privacy',
        '/docs/terms',
      ]);
      for (const link of links) expect((await fetch(link)).status).toBe(200);
      expect(text).toContain('<meta property="og:title"');
      expect(text).toContain(`<meta property="og:url" content="https://qm.example${path}" />`);
      expect(text).toContain('<meta property="og:image" content="https://qm.example/docs/card.png" />');
    },
  );

  test('link the source only when its URL is known', async () => {
    await using own = await startTestApp({ SOURCE_URL: 'https://git.example/qm/' });
    for (const path of ['/', '/docs', '/docs/send', '/docs/api', '/status', '/nothing']) {
      expect(await (await get(path, forPeople)).text()).not.toContain('>Source<');
      const text = await (await fetch(own.url + path, forPeople)).text();
      expect(text).toContain('<a href="https://git.example/qm">Source</a>');
    }
  });

  test('say, also at the URL of the former one, how to generate a typed client', async () => {
    const client = await get('/docs/client.ts');
    expect(client.status).toBe(410);
    expect(await client.text()).toMatch(/npx openapi-typescript https:\/\/qm\.example\/openapi\.json -o/);
    const page = await (await get('/docs', forPeople)).text();
    expect(page).not.toContain('client.ts');
    expect(page).toContain('href="docs/api#a-typed-client"');
  });

  test('exclude robots from some pages, and have a picture for chats and an icon for old browsers', async () => {
    expect(await (await get('/robots.txt')).text()).toBe('User-agent: *\nDisallow: /api/\n');
    const card = await get('/docs/card.png');
    expect(card.headers.get('content-type')).toBe('image/png');
    const icon = await get('/favicon.ico');
    expect(icon.headers.get('content-type')).toBe('image/x-icon');
    expect([...new Uint8Array(await icon.arrayBuffer()).slice(0, 4)]).toEqual([0, 0, 1, 0]);
  });

  test('have the same bar everywhere, which shows the current page', async () => {
    const bars = new Map<string, string>();
    for (const path of ['/', '/docs', '/docs/send', '/docs/api', '/status', '/nothing']) {
      const text = await (await get(path, forPeople)).text();
      const [, bar = ''] = /<nav aria-label="Pages">(.*?)<\/nav>/s.exec(text) ?? [];
      const here = [...bar.matchAll(/aria-current="page">(\w+)/g)].map(([, name]) => name);
      bars.set(path, here.join());
      const links = [...bar.matchAll(/href="([^"]+)"/g)].map(
        ([, href = '']) => new URL(href, app.url + path).pathname,
      );
      expect(links).toEqual(['/docs', '/docs/recipes', '/status', '/openapi.json']);
    }
    expect(Object.fromEntries(bars)).toEqual({
      '/': '',
      '/docs': 'Docs',
      '/docs/send': 'Docs',
      '/docs/api': 'Guides',
      '/status': 'Status',
      '/nothing': '',
    });
  });

  test('list guides by title', async () => {
    const text = await (await get('/docs/api', forPeople)).text();
    const [, sidebar = ''] = /<details class="sidebar">(.*?)<\/details>/s.exec(text) ?? [];
    expect(sidebar).toContain('<a href="operate">Run the service</a>');
    expect(sidebar).toContain('<a href="api" aria-current="page">The HTTP API</a>');
    expect(sidebar).toContain('<a href="#your-key">Your key</a>');
  });

  test.each([
    ['/docs/', '/docs'],
    ['/docs/reference/', '/docs'],
    ['/docs/send/', '/docs/send'],
    ['/docs/api/', '/docs/api'],
    ['/status/', '/status'],
  ])('have one URL: %s leads to %s', async (from, to) => {
    const page = await get(from, forPeople);
    expect([page.status, page.url]).toEqual([200, app.url + to]);
  });

  test('say who makes a key where there is no bot', async () => {
    const text = await (await get('/docs', forPeople)).text();
    expect(text).toContain('The people who run this service make one for you.');
    expect(text).not.toContain('A server admin gets one in Discord');
  });

  test('name the builder of the URL next to its first recipe, even without scripts', async () => {
    const text = await (await get('/docs?tool=botghost', forPeople)).text();
    expect(text).toMatch(/First recipe for&nbsp;<span data-builder-name>BotGhost<\/span>/);
  });

  test.each(['/docs', ...OPERATIONS.map(({ name }) => `/docs/${name}`)])(
    'show no marks of Markdown and no empty list on %s, and give advice for each problem',
    async (path) => {
      const text = await (await get(path, forPeople)).text();
      expect(text.replaceAll(/<(pre|code|textarea)[ >].*?<\/\1>|<[^>]+>/gs, '')).not.toContain('`');
      expect(text).not.toMatch(/<ul>\s*<\/ul>/);
      const rows = [...text.matchAll(/<tr id="(\w+)">(.*?)<\/tr>/gs)];
      expect(rows.length).toBeGreaterThan(10);
      expect(rows.filter(([, , row = '']) => row.includes('<td></td>')).map(([, code]) => code)).toEqual([]);
    },
  );

  test('name the builder of the URL in the title and the description of its recipe', async () => {
    expect(await headOf('/docs/role-counts')).toEqual({
      title: 'role-counts · Quartermaster',
      description: expect.stringMatching(/^[^.]*\.$/),
      url: 'https://qm.example/docs/role-counts',
    });
    expect(await headOf('/docs/role-counts?tool=kite')).toEqual({
      title: 'role-counts for Kite · Quartermaster',
      description: expect.stringMatching(/\. With the recipe for Kite\.$/),
      url: 'https://qm.example/docs/role-counts?tool=kite',
    });
    // Without a recipe, the page is the same for each builder.
    expect(await headOf('/docs/permissions?tool=kite')).toEqual(await headOf('/docs/permissions'));
  });

  test('show the builder of the URL, and the usual one otherwise', async () => {
    expect(await shown('?tool=botghost')).toBe('botghost');
    expect(await shown('?tool=constructor')).toBe('bdfd');
    expect(await shown('')).toBe('bdfd');
  });
});
