import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { GUIDE_NAMES } from '../../../src/http/docs/pages/guides.ts';
import { OPERATIONS } from '../../../src/operations/index.ts';
import { TOOLS } from '../../../src/recipes/builders.ts';
import { isFullRun } from '../../fixtures/rounds.ts';
import { isBrowserMissing, launchBrowser, visit, type Visit } from './docs-browser.ts';
import { startDiscordApp, type DiscordApp } from '../../fixtures/test-app.ts';

const TOOL_IDS = Object.keys(TOOLS);
/** Every kind of page, with a recipe of each kind, and the longest guide. */
const KINDS = [
  '/',
  '/docs',
  '/docs/parse-args?tool=botghost',
  '/docs/send?tool=discordpy',
  '/docs/permission-encoder?tool=n8n',
  '/docs/permissions',
  '/docs/api',
  '/docs/recipes',
  '/status',
  '/nowhere',
];
/** All others, so that every operation, tool and guide is there. */
const OTHERS = [
  ...OPERATIONS.map(({ name }, index) => `/docs/${name}?tool=${TOOL_IDS[index % TOOL_IDS.length]}`),
  ...TOOL_IDS.map((tool) => `/docs/parse-args?tool=${tool}`),
  ...GUIDE_NAMES.map((name) => `/docs/${name}`),
];
const VIEWS = [1280, 768, 320].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);
type View = (typeof VIEWS)[number];

/**
 * Returns what axe looks for in a view, or null for nothing. Only colours differ in the dark. By default, contrast, which
 * takes most of the time, is judged in the widest views alone, and the middle width is only checked for its size.
 */
function axeRules({ width, colorScheme }: View): string | null {
  const isWidest = width === 1280;
  if (colorScheme === 'dark') return isWidest || isFullRun() ? "runOnly: ['color-contrast']" : null;
  if (isWidest || isFullRun()) return 'rules: {}';
  return width === 320 ? "rules: { 'color-contrast': { enabled: false } }" : null;
}

const openAll = (page: Page) =>
  page.evaluate("document.querySelectorAll('main details').forEach((each) => { each.open = true; })");

/** What of a look the system leaves to a page, in colours that the page may choose. */
const LOOK = `(element) => {
  const style = getComputedStyle(element);
  const edges = ['top', 'right', 'bottom', 'left'].map((side) => {
    const [width, colour] = ['width', 'color'].map((part) => style.getPropertyValue('border-' + side + '-' + part));
    return width === '0px' ? '' : colour;
  });
  return [style.backgroundColor, ...edges].join(' ');
}`;

describe.skipIf(isBrowserMissing())('access for everybody', () => {
  let service: DiscordApp;
  let browser: Browser;
  let reader: Visit;
  let axe = '';
  beforeAll(async () => {
    service = await startDiscordApp();
    browser = await launchBrowser();
    reader = await visit(browser, service.url, '/');
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core'), 'utf8');
  });
  afterAll(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
  });

  /** Faults and the width of the page, in each view. */
  async function look(page: Page): Promise<unknown[]> {
    await page.evaluate(axe);
    const found: unknown[] = [];
    for (const { width, colorScheme } of VIEWS) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const rules = axeRules({ width, colorScheme });
      // What passes is not described: that took most of the time.
      const faults =
        rules === null
          ? []
          : await page.evaluate(
              `axe.run({ resultTypes: ['violations'], ${rules} }).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))`,
            );
      const wide = await page.evaluate('document.documentElement.scrollWidth');
      found.push({ width, colorScheme, faults, wide });
    }
    return found;
  }

  const FAULTLESS = VIEWS.map((view) => ({ ...view, faults: [], wide: view.width }));

  test.each(KINDS)(
    'has no faults on %s, wide or narrow, in light or dark, and the page fits',
    async (path) => {
      const { page } = reader;
      await page.goto(service.url + path);
      await openAll(page);
      expect(await look(page)).toEqual(FAULTLESS);
    },
  );

  test.each(OTHERS)('fits %s, wide or narrow, with everything open', async (path) => {
    const { page } = reader;
    await page.goto(service.url + path);
    await openAll(page);
    for (const width of [1280, 768, 320]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    }
  });

  test('has no faults after a failed call, a wrong key and in an open search either', async () => {
    const { page } = reader;
    await page.goto(`${service.url}/docs`);
    await page.getByLabel('API key').fill('qm_half');
    await page.getByRole('button', { name: 'Check the key' }).click();
    await page.locator('[data-key-form] output[data-state=failed]').waitFor();
    expect(await look(page)).toEqual(FAULTLESS);
    await page.goto(`${service.url}/docs/parse-args`);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('.slate output[data-state=failed]').waitFor();
    await page.getByLabel('Paste what came back').fill('The field text is missing.');
    await page.getByRole('row', { name: 'The field … is missing.' }).waitFor();
    expect(await look(page)).toEqual(FAULTLESS);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('webhook');
    await page.locator('dialog.search li').first().waitFor();
    expect(await look(page)).toEqual(FAULTLESS);
  });

  test.each(['/', '/docs', '/docs/parse-args?tool=botghost', '/docs/operate', '/status'])(
    'fits %s in a window of half the width, as at 200 %% zoom',
    async (path) => {
      await using half = await visit(browser, service.url, path, {
        viewport: { width: 640, height: 410 },
        deviceScaleFactor: 2,
      });
      expect(await half.page.evaluate('document.documentElement.scrollWidth')).toBe(640);
      expect(half.complaints).toEqual([]);
    },
  );

  test('includes no motion for readers who do not want it', async () => {
    for (const [reducedMotion, expected] of [
      ['reduce', 'auto'],
      ['no-preference', 'smooth'],
    ] as const) {
      await using other = await visit(browser, service.url, '/docs', { reducedMotion });
      const moves = 'getComputedStyle(document.documentElement).scrollBehavior';
      expect(await other.page.evaluate(moves)).toBe(expected);
    }
  });

  test('is complete without scripts: all can be read, and what needs one says so or is missing', async () => {
    await using plain = await visit(browser, service.url, '/docs/parse-args?tool=discordjs', {
      javaScriptEnabled: false,
    });
    const { page } = plain;
    expect(await page.locator('form noscript').innerText()).toContain('The form needs JavaScript.');
    for (const part of ['curl', 'await fetch(', 'requests.post(']) {
      expect(await page.locator('[data-request]').filter({ hasText: part }).isVisible()).toBe(true);
    }
    await page.locator('.steps').getByText("client.on('messageCreate'").waitFor();
    const needless = ['Send', 'Copy the request', 'Search', 'curl'].map((name) =>
      page.getByRole('button', { name, exact: true }),
    );
    for (const control of [...needless, page.getByLabel('My tool'), page.locator('#came')]) {
      expect(await control.isVisible()).toBe(false);
    }
    await page.locator('.bar').getByRole('link', { name: 'Status' }).click();
    // Or, after a pause of a busy machine, that lists are still being read: a page without scripts stays as it is.
    await page.getByRole('heading', { name: /^Everything works/ }).waitFor();
    await page.getByRole('link', { name: 'Quartermaster' }).click();
    await page.getByText('Deutsch').click();
    expect(await page.locator('.bin:visible').filter({ hasText: '2 Std' }).count()).toBe(1);
    expect(await page.locator('.bin:visible').filter({ hasText: '7d' }).count()).toBe(0);
    expect(plain.complaints).toEqual([]);
  });

  test('shows the chosen element when the system chooses the colours', async () => {
    const { page } = reader;
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
    const lookOf = (selector: string) =>
      page.evaluate<string>(`(${LOOK})(document.querySelector(${JSON.stringify(selector)}))`);
    const differ = async (chosen: string, other: string) => {
      expect([chosen, await lookOf(chosen)]).not.toEqual([chosen, await lookOf(other)]);
    };
    await page.goto(`${service.url}/`);
    await differ('.lines label:has(:checked)', '.lines label:not(:has(:checked))');
    await page.goto(`${service.url}/docs/parse-args`);
    await page.waitForSelector('html[data-ready]');
    await differ('[role=tab][aria-selected=true]', '[role=tab][aria-selected=false]');
    await differ('.bar nav a[aria-current]', '.bar nav a:not([aria-current])');
    await differ('.sidebar a[aria-current=page]', '.sidebar a[href$="docs/send"]');
    await differ('.sidebar ul ul a[aria-current]', '.sidebar ul ul a:not([aria-current])');
    await page.keyboard.press('/');
    await page.keyboard.type('role');
    await page.locator('dialog.search li').nth(1).waitFor();
    await differ('.search li:first-child > a', '.search li:nth-child(2) > a');
    await differ('.search mark', '.search li span');
    await page.goto(`${service.url}/docs#rate_limited`);
    await differ('tr:target', 'tr:not(:target)');
    await page.emulateMedia({ forcedColors: 'none' });
  });
});
