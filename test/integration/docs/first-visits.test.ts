import { Script } from 'node:vm';

import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { KEY } from '../../fixtures/key-pattern.ts';
import { startDiscordApp, type DiscordApp } from '../../fixtures/test-app.ts';
import { isBrowserMissing, launchBrowser, visit, type Visit } from './docs-browser.ts';

const GUILD_ID = '300000000000000000';
const ADMIN_ID = '200000000000000000';
const URL = 'https://qm.example';
const PHONE = { viewport: { width: 375, height: 812 }, isMobile: true, hasTouch: true } as const;
const DESK = { viewport: { width: 1280, height: 820 } } as const;

const copied = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()');

/** Whether an element can be seen before anybody has scrolled. */
async function isInWindow(page: Page, selector: string): Promise<boolean> {
  const box = await page.locator(selector).first().boundingBox();
  return box !== null && box.y >= 0 && box.y + box.height <= (page.viewportSize()?.height ?? 0);
}

async function pasteKey(page: Page, pasted: string): Promise<void> {
  await page.getByLabel('API key').fill(pasted);
  await page.getByRole('button', { name: 'Check the key' }).click();
  await page.locator('[data-key-form] output[data-state=good]').waitFor();
}

async function copyRow(page: Page, row: Locator): Promise<string> {
  const texts = [await row.locator('th').textContent()];
  for (const button of await row.getByRole('button', { name: /^Copy/ }).all()) {
    await page.evaluate("navigator.clipboard.writeText('')");
    await button.click();
    await expect.poll(() => copied(page)).not.toBe('');
    texts.push(await copied(page));
  }
  return texts.join(' = ');
}

describe.skipIf(isBrowserMissing())('a first visit', () => {
  let service: DiscordApp;
  let browser: Browser;
  beforeAll(async () => {
    service = await startDiscordApp(
      { guilds: [{ id: GUILD_ID, ownerId: ADMIN_ID, members: { count: 50, firstId: BigInt(ADMIN_ID) } }] },
      { PUBLIC_URL: URL },
    );
    await service.discord.until(() => service.discord.bot().commands.length > 0);
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
  });

  /** What `/settings key create` answers to the admin of a server. */
  async function makeKey(options: Record<string, string>): Promise<string> {
    const interaction = service.discord.interact.slash('settings key create', options, { userId: ADMIN_ID });
    return (await interaction.reply()).text;
  }

  async function land(
    path: string,
    view: typeof PHONE | typeof DESK,
  ): Promise<Visit & { clicks: () => Promise<number> }> {
    const reader = await visit(browser, service.url, path, view);
    const { page } = reader;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    // In the tab itself: a call out of the page may get lost when the click leads to another one.
    await page.addInitScript(
      "addEventListener('click', ({ isTrusted }) => isTrusted && (sessionStorage.clicks = 1 + Number(sessionStorage.clicks ?? 0)), true)",
    );
    await page.reload();
    const clicks = async () => Number(await page.evaluate('sessionStorage.clicks'));
    return { ...reader, clicks, [Symbol.asyncDispose]: () => reader[Symbol.asyncDispose]() };
  }

  test('with BotGhost on a phone ends with every field and condition of a command copied', async () => {
    await using reader = await land('/', PHONE);
    const { page } = reader;
    const key = KEY.exec(await makeKey({ name: 'ghost', builder: 'botghost' }))?.[0] ?? '';
    for (const part of ['h1', '.button', '.lines .bin']) expect(await isInWindow(page, part)).toBe(true);
    await page.getByRole('link', { name: 'Choose your tool' }).click();
    await page.waitForSelector('html[data-ready]');
    await page.getByLabel('I build with').selectOption({ label: 'BotGhost' });
    await pasteKey(page, `"${key}"`);
    await page.getByRole('link', { name: 'First recipe for BotGhost' }).click();
    const recipe = page.locator('[data-recipe="parse-args"]');
    await recipe.locator('.slips').first().waitFor();
    // The choice of a tool is no click.
    expect(await reader.clicks()).toBe(3);
    const rows: string[] = [];
    for (const row of await recipe.locator('.slips:not(.checks) tbody tr').all())
      rows.push(await copyRow(page, row));
    expect(rows).toContain(`Request URL = ${URL}/api/parse-args`);
    expect(rows).toContain(`HTTP header = Authorization = ${key}`);
    expect(rows).toContain('URL param = text = {option_text}');
    const conditions = recipe.locator('.checks').last().locator('tbody tr');
    await conditions.first().getByRole('button', { name: 'Copy this reply' }).click();
    await expect.poll(() => copied(page)).toBe('(error)');
    expect(await conditions.count()).toBeGreaterThan(3);
    expect(await page.locator('[data-seen]').textContent()).toContain('spamming links');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375);
    expect(reader.complaints).toEqual([]);
  });

  test.each([DESK, PHONE])('with discord.js ends with a command to run %#', async (view) => {
    await using reader = await land('/', view);
    const { page } = reader;
    const key = KEY.exec(await makeKey({ name: `code ${view.viewport.width}` }))?.[0] ?? '';
    await page.getByRole('link', { name: 'discord.js', exact: true }).click();
    await page.waitForSelector('html[data-ready]');
    expect(await page.getByLabel('I build with').inputValue()).toBe('discordjs');
    await pasteKey(page, `Bearer ${key}`);
    await page.getByRole('link', { name: 'First recipe for discord.js' }).click();
    const recipe = page.locator('[data-recipe="parse-args"]');
    await recipe.getByRole('button', { name: 'Copy Code' }).click();
    await expect.poll(() => copied(page)).toContain("client.on('messageCreate'");
    expect(await reader.clicks()).toBe(4);
    const code = await copied(page);
    expect(() => new Script(code)).not.toThrow();
    for (const part of ['ModerateMembers', `${URL}/api/parse-args`, 'catch (error)'])
      expect(code).toContain(part);
    // The key is in one place, the line for the environment.
    expect(code).not.toContain(key);
    await recipe.locator('tr').filter({ hasText: 'QUARTERMASTER_KEY' }).getByRole('button').click();
    await expect.poll(() => copied(page)).toBe(`QUARTERMASTER_KEY=${key}`);
    expect(reader.complaints).toEqual([]);
  });

  test('of an admin with a new key ends with a command that lists the holders of a role', async () => {
    const answer = await makeKey({ name: 'admin', builder: 'bdfd' });
    const key = KEY.exec(answer)?.[0] ?? '';
    const link = /https:\/\/qm\.example(\/docs\/[\w-]+\?tool=bdfd)/.exec(answer)?.[1] ?? '';
    expect(link).toBe('/docs/parse-args?tool=bdfd');
    await using reader = await land(link, DESK);
    const { page } = reader;
    for (const part of ['h1', '#tool', '.steps li']) {
      expect([part, await isInWindow(page, part)]).toEqual([part, true]);
    }
    await page.locator('.keyline').getByRole('link', { name: 'Your key' }).click();
    await pasteKey(page, key);
    await page.locator('.sidebar').getByRole('link', { name: 'role-members' }).click();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('.slate output[data-state=good]').filter({ hasText: '200 ·' }).waitFor();
    await expect.poll(() => page.locator('[data-answer]').textContent()).toContain(`"${ADMIN_ID}"`);
    await page.locator('[data-recipe]').getByRole('button', { name: 'Copy Code' }).click();
    await expect.poll(() => copied(page)).toContain(`$httpAddHeader[Authorization;${key}]`);
    expect(await reader.clicks()).toBe(5);
    const code = await copied(page);
    expect(code).toContain(`${URL}/api/role-members`);
    expect(code).toContain('$httpResult[');
    expect(reader.complaints).toEqual([]);
  });

  test.each([
    [DESK, 'leaked key', 'When a key has leaked', ['curl -X DELETE', '/settings key revoke', 'rotate first']],
    [
      PHONE,
      'leaked key',
      'When a key has leaked',
      ['curl -X DELETE', '/settings key revoke', 'rotate first'],
    ],
    [DESK, 'blocked', 'Discord blocks your address', ['until when', 'discord.reason', 'shared host']],
    [PHONE, 'blocked', 'Discord blocks your address', ['until when', 'discord.reason', 'shared host']],
  ])('with a problem finds the solution with two clicks %#: %s', async (view, words, title, told) => {
    await using reader = await land('/status', view);
    const { page } = reader;
    await page.getByRole('button', { name: /Search/ }).click();
    await page.keyboard.type(words);
    await page.getByRole('dialog').getByRole('link', { name: title }).first().click();
    await page.getByRole('heading', { name: title }).waitFor();
    expect(await reader.clicks()).toBe(2);
    await expect.poll(() => isInWindow(page, `#${title.toLowerCase().replaceAll(' ', '-')}`)).toBe(true);
    const text = (await page.locator('main').textContent())?.replaceAll(/\s+/g, ' ');
    for (const sentence of told) expect(text).toContain(sentence);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(view.viewport.width);
    expect(reader.complaints).toEqual([]);
  });

  test.each([
    ['/', DESK, ['h1', '.button', '.lines .bin:last-child', '.operations li:nth-child(4)']],
    ['/docs', DESK, ['#tool', '#key-input', '[data-key-form] [type=submit]', '.operations li:nth-child(3)']],
    ['/docs', PHONE, ['#tool', '[data-first]', '#key-input']],
    ['/docs/parse-args', PHONE, ['.lead', 'form [type=submit]', '[data-key-state]']],
    ['/docs/recipes', PHONE, ['h1', 'main > header p']],
    ['/status', PHONE, ['h1', '.parts li:last-child']],
  ])('begins %s with what counts %#', async (path, view, parts) => {
    await using reader = await visit(browser, service.url, path, view);
    const seen = await Promise.all(parts.map(async (part) => [part, await isInWindow(reader.page, part)]));
    expect(seen).toEqual(parts.map((part) => [part, true]));
  });
});
