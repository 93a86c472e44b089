import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../../fixtures/test-app.ts';
import { isBrowserMissing, launchBrowser, visit, type Visit } from './docs-browser.ts';

describe.skipIf(isBrowserMissing())('an old link', () => {
  let service: TestApp;
  let browser: Browser;
  let reader: Visit;
  beforeAll(async () => {
    service = await startTestApp();
    browser = await launchBrowser();
    reader = await visit(browser, service.url, '/status');
  });
  afterAll(async () => {
    await browser?.close();
    await service?.app.close();
  });

  test.each([
    ['/docs/reference', '/docs'],
    ['/docs/reference#parse-args', '/docs/parse-args'],
    ['/docs/reference#send-look', '/docs/send#answer'],
    ['/docs/reference#options', '/docs#options'],
    ['/docs/reference#codes', '/docs#codes'],
    ['/docs/reference#revoke-key', '/docs/api#your-key'],
    ['/docs/reference#live', '/status'],
    ['/docs#text-splitter', '/docs/text-splitter'],
    ['/docs#invite', '/docs/permission-encoder#invite'],
    ['/docs?tool=botghost#send', '/docs/send'],
    ['/docs#tool', '/docs#tool'],
    ['/docs#key', '/docs#key'],
    ['/docs#answers', '/docs#answers'],
    ['/docs#limits', '/docs#limits'],
  ])('leads from %s to %s', async (from, to) => {
    const { page } = reader;
    // The tab first leaves the page, because an address that differs only after # would load nothing.
    await page.goto('about:blank');
    await page.goto(service.url + from);
    await page.waitForURL(service.url + to);
    const { hash } = new URL(page.url());
    expect(await page.locator(hash === '' ? 'h1' : hash).count()).toBe(1);
    expect(reader.complaints).toEqual([]);
  });

  test('leads to the line of an operation when there is no script', async () => {
    await using reader = await visit(browser, service.url, '/docs/reference#parse-args', {
      javaScriptEnabled: false,
    });
    expect(reader.page.url()).toBe(`${service.url}/docs#parse-args`);
    expect(await reader.page.locator('#parse-args').getByRole('link').getAttribute('href')).toBe(
      'docs/parse-args',
    );
  });
});
