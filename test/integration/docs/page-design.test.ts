import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { OPERATIONS } from '../../../src/operations/index.ts';
import { RECIPE_BOOKS } from '../../../src/recipes/recipe-books.ts';
import { startDiscordApp, type DiscordApp } from '../../fixtures/test-app.ts';
import { isBrowserMissing, launchBrowser, visit } from './docs-browser.ts';

const DESKTOP = { viewport: { width: 1280, height: 800 } } as const;

/** True when all of an element is in the window before anybody has scrolled. */
async function isInWindow(page: Page, selector: string): Promise<boolean> {
  const box = await page.locator(selector).boundingBox();
  return box !== null && box.y >= 0 && box.y + box.height <= DESKTOP.viewport.height;
}

const marked = (page: Page) => page.locator('.manifest [aria-current="true"]').allTextContents();

describe.skipIf(isBrowserMissing())('at a desk', () => {
  let service: DiscordApp;
  let browser: Browser;
  beforeAll(async () => {
    service = await startDiscordApp();
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
  });

  const open = (path: string) => visit(browser, service.url, path, DESKTOP);

  test('the start page has one action, says for whom it is, and shows a line with its reason', async () => {
    await using reader = await open('/');
    const { page } = reader;
    expect(await page.locator('.button').allTextContents()).toEqual(['Add to Discord']);
    expect(await isInWindow(page, '.button')).toBe(true);
    expect(await page.locator('.lead').textContent()).toMatch(/For people who build Discord bots/);
    expect(await page.locator('.picture pre').textContent()).toContain('"reason": "spamming links"');
    expect(await isInWindow(page, '.picture pre')).toBe(true);
    expect(reader.complaints).toEqual([]);
  });

  test('the documents begin with the tool and the key', async () => {
    await using reader = await open('/docs');
    const { page } = reader;
    for (const control of ['#tool-input', '#key-input', '[data-key-form] [type=submit]']) {
      expect(await isInWindow(page, control)).toBe(true);
    }
  });

  test.each(Object.entries(RECIPE_BOOKS))('no recipe for %s is cut off', async (tool) => {
    await using reader = await open(`/docs?tool=${tool}`);
    const cut = await reader.page.evaluate(`[...document.querySelectorAll('.recipe pre, .recipe code')]
      .filter((each) => each.clientWidth > 0)
      .filter((each) => each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight)
      .map((each) => each.textContent)`);
    expect(cut).toEqual([]);
  });

  test('the section that is being read is marked in the list', async () => {
    await using reader = await open('/docs');
    const { page } = reader;
    await page.waitForSelector('html[data-ready]');
    expect(await marked(page)).toEqual(['Your tool']);
    await page.getByRole('link', { name: 'text-splitter', exact: true }).click();
    await expect.poll(() => marked(page)).toEqual(['text-splitter']);
    await page.keyboard.press('End');
    await expect.poll(() => marked(page)).toEqual(['Limits']);
  });

  test('a search leaves the sections that have the words, and Enter goes to the first', async () => {
    await using reader = await open('/docs');
    const { page } = reader;
    const search = page.getByRole('searchbox', { name: 'Search this page' });
    await search.fill('webp');
    const hits = page.locator('.manifest li:visible');
    expect(await hits.allTextContents()).toContain('image-to-base64');
    expect(await hits.count()).toBeLessThan(OPERATIONS.length);
    await search.press('Enter');
    expect(new URL(page.url()).hash).not.toBe('');
    await search.fill('xyzzy');
    expect(await page.locator('.search output').textContent()).toBe('0 sections');
    await search.press('Escape');
    expect(await hits.count()).toBeGreaterThan(OPERATIONS.length);
    expect(reader.complaints).toEqual([]);
  });

  test('a guide lists its contents, marks where its reader is, and can be searched', async () => {
    await using reader = await open('/docs/operate');
    const { page } = reader;
    const contents = page.locator('.manifest .contents a');
    expect(await contents.allTextContents()).toContain('Settings');
    await contents.filter({ hasText: 'Settings' }).click();
    await expect.poll(() => marked(page)).toEqual(['Settings']);
    await page.getByRole('searchbox', { name: 'Search this guide' }).fill('SOURCE_URL');
    expect(await page.locator('.manifest .contents li:visible').allTextContents()).toEqual(['Settings']);
    expect(reader.complaints).toEqual([]);
  });

  test.each([
    ['/docs#text-splitter', '#text-splitter h2'],
    ['/docs#key', '#key h2'],
    ['/docs/api', 'h1'],
    ['/docs/operate#settings', '#settings'],
    ['/docs/reference#role-members', '#role-members h2'],
  ])('%s leaves air between the bar and its heading', async (path, heading) => {
    await using reader = await open(path);
    const { page } = reader;
    await page.waitForLoadState('networkidle');
    const bar = await page.locator('.masthead').boundingBox();
    const box = await page.locator(heading).boundingBox();
    expect((box?.y ?? 0) - (bar?.height ?? 0)).toBeGreaterThanOrEqual(16);
  });

  test.each(['/', '/docs?tool=discordjs', '/docs/api', '/docs/reference'])(
    '%s shows code in colours',
    async (path) => {
      await using reader = await open(path);
      expect(await reader.page.locator('pre [class^="code-"]').count()).toBeGreaterThan(3);
    },
  );
});
