import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { isBrowserMissing, launchBrowser, visit } from './docs-browser.ts';
import { openExampleService, type ExampleService } from '../recipes/example-service.ts';

const copied = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()');

describe.skipIf(isBrowserMissing())('a newcomer', () => {
  let service: ExampleService;
  let browser: Browser;
  beforeAll(async () => {
    service = await openExampleService();
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  /** From the landing page to a recipe in the reader's tool, with their key. */
  async function openRecipe(page: Page, label: string) {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('heading', { name: 'Get a key in three steps' }).waitFor();
    await page.getByRole('link', { name: 'Open the documents' }).click();
    await page.waitForSelector('html[data-ready]');
    await page.getByLabel('I build with').selectOption({ label });
    await page.getByLabel('API key').fill(service.key);
    await page.getByRole('button', { name: 'Use and check' }).click();
    await page.locator('[data-key-form] output[data-state=good]').waitFor();
    const recipe = page.locator('[data-recipe="parse-args"]');
    await recipe.getByRole('heading', { name: `In ${label}` }).waitFor();
    return recipe;
  }

  test('with BotGhost fills each field by a copy of its own, and shares the page of the tool', async () => {
    await using reader = await visit(browser, service.url, '/');
    const { page } = reader;
    const recipe = await openRecipe(page, 'BotGhost');
    expect(await recipe.locator('.steps').textContent()).toContain('Send an API Request');
    await recipe.getByRole('button', { name: 'Copy Request URL' }).click();
    await recipe.getByText('Copied.', { exact: true }).waitFor();
    expect(await copied(page)).toBe(`http://localhost:${service.port}/api/parse-args`);
    const header = recipe.locator('.rows > div').filter({ hasText: 'HTTP header' });
    expect(await header.textContent()).toContain('••••••');
    await header.getByRole('button', { name: 'Copy value of HTTP header' }).click();
    await expect.poll(() => copied(page)).toBe(service.key);
    expect(await recipe.locator('.message.bot').textContent()).toContain('spamming links');
    expect(page.url()).toBe(`${service.url}/docs?tool=botghost`);

    await using friend = await visit(browser, service.url, '/docs?tool=botghost#text-splitter');
    expect(await friend.page.getByLabel('I build with').inputValue()).toBe('botghost');
    await friend.page.locator('[data-recipe="text-splitter"]').getByText('In BotGhost').waitFor();
    expect([reader.complaints, friend.complaints]).toEqual([[], []]);
  });

  test.each([
    ['BDFD', '$httpAddHeader[Authorization;'],
    ['n8n', '"type": "n8n-nodes-base.httpRequest"'],
  ])('with %s copies the whole recipe, with the key in it', async (label, part) => {
    await using reader = await visit(browser, service.url, '/');
    const { page } = reader;
    const recipe = await openRecipe(page, label);
    const code = recipe.locator('pre code');
    await code.filter({ hasText: '••••••' }).waitFor();
    await recipe.getByRole('button', { name: 'Copy' }).click();
    await recipe.getByText('Copied.', { exact: true }).waitFor();
    const text = await copied(page);
    expect(text).toContain(part);
    expect(text).toContain(service.key);
    await page.reload();
    await recipe.getByRole('heading', { name: `In ${label}` }).waitFor();
    expect(reader.complaints).toEqual([]);
  });

  test('tries the splitter, sees its chunks as messages, and copies the answer', async () => {
    await using reader = await visit(browser, service.url, '/');
    const { page } = reader;
    await openRecipe(page, 'BDFD');
    const form = page.locator('form[data-operation="text-splitter"]');
    await form.getByLabel('text', { exact: true }).fill('one two three four');
    await form.getByText('More fields').click();
    await form.locator('[name=max_length]').fill('10');
    await form.getByRole('button', { name: 'Send' }).click();
    await form.locator('output[data-state=good]').waitFor();
    expect(await form.locator('.message .said').allTextContents()).toEqual(['one two', 'three four']);
    await form.getByRole('button', { name: 'Copy the answer' }).click();
    await form.getByText('Copied.', { exact: true }).waitFor();
    expect(JSON.parse(await copied(page))).toMatchObject({ ok: true, chunks: ['one two', 'three four'] });
  });

  test('ticks permissions and gets a bit field and an invite link', async () => {
    await using reader = await visit(browser, service.url, '/docs#invite');
    const { page } = reader;
    await page.waitForSelector('html[data-ready]');
    await page.getByLabel('Application id').fill('123456789012345678');
    await page.getByLabel('Manage Server', { exact: true }).check();
    await page.getByLabel('Send Messages and Create Posts', { exact: true }).check();
    expect(await page.getByLabel('Bit field', { exact: true }).inputValue()).toBe('2080');
    expect(await page.getByLabel('Invite link', { exact: true }).inputValue()).toBe(
      'https://discord.com/oauth2/authorize?client_id=123456789012345678&scope=bot+applications.commands&permissions=2080',
    );
  });
});
