import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { GUIDE_NAMES } from '../../../src/http/docs/pages/guides.ts';
import { isBrowserMissing, launchBrowser, visit, type Visit } from './docs-browser.ts';
import { startTestApp, type TestApp } from '../../fixtures/test-app.ts';

const PAGES = [
  '/',
  '/docs?tool=botghost',
  '/docs/reference',
  ...GUIDE_NAMES.map((name) => `/docs/${name}`),
  '/status',
  '/nowhere',
];
const VIEWS = [1280, 768, 320].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);

describe.skipIf(isBrowserMissing())('for everybody', () => {
  let service: TestApp;
  let browser: Browser;
  let reader: Visit;
  let axe = '';
  beforeAll(async () => {
    service = await startTestApp();
    browser = await launchBrowser();
    reader = await visit(browser, service.url, '/');
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core'), 'utf8');
  });
  afterAll(async () => {
    await browser?.close();
    await service?.app.close();
  });

  test.each(PAGES)('%s has no faults of access, wide or narrow, in light or dark, and fits', async (path) => {
    const { page } = reader;
    await page.goto(service.url + path);
    if (path.startsWith('/docs?')) await page.waitForSelector('html[data-ready]');
    await page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })");
    await page.evaluate(axe);
    const found: unknown[] = [];
    for (const { width, colorScheme } of VIEWS) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      // Only colours differ in the dark. What passes is not described: that took most of the time.
      const rules = colorScheme === 'dark' ? ", runOnly: ['color-contrast']" : '';
      const faults = await page.evaluate(
        `axe.run({ resultTypes: ['violations']${rules} }).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))`,
      );
      const wide = await page.evaluate('document.documentElement.scrollWidth');
      found.push({ width, colorScheme, faults, wide });
    }
    expect(found).toEqual(VIEWS.map((view) => ({ ...view, faults: [], wide: view.width })));
  });
});
