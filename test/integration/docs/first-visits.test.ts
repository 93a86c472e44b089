import { Script } from 'node:vm';

import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { KEY } from '../../fixtures/key-pattern.ts';
import { startDiscordApp, type DiscordApp } from '../../fixtures/test-app.ts';
import { isBrowserMissing, launchBrowser, visit, type Visit } from './docs-browser.ts';

const GUILD_ID = '300000000000000000';
const ADMIN_ID = '200000000000000000';
const URL = 'https://qm.example';

const copied = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()');

/** From the start page to a recipe of the reader's tool, with a key that Discord has shown. */
async function openRecipe(page: Page, label: string, pasted: string): Promise<Locator> {
  await page.getByRole('link', { name: 'Open the documents' }).click();
  await page.waitForSelector('html[data-ready]');
  await page.getByLabel('I build with').selectOption({ label });
  await page.getByLabel('API key').fill(pasted);
  await page.getByRole('button', { name: 'Use and check' }).click();
  await page.locator('[data-key-form] output[data-state=good]').waitFor();
  const recipe = page.locator('[data-recipe="parse-args"]');
  await recipe.getByRole('heading', { name: `In ${label}` }).waitFor();
  return recipe;
}

describe.skipIf(isBrowserMissing())('a first visit', () => {
  let service: DiscordApp;
  let browser: Browser;
  beforeAll(async () => {
    service = await startDiscordApp(
      {
        guilds: [
          {
            id: GUILD_ID,
            ownerId: ADMIN_ID,
            members: { count: 50, firstId: BigInt(ADMIN_ID) },
          },
        ],
      },
      { PUBLIC_URL: URL },
    );
    await service.discord.until(() => service.discord.bot().commands.length > 0);
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
  });

  /** Returns the answer to `/settings key create`, as the admin of a server reads it in Discord. */
  async function makeKey(options: Record<string, string>): Promise<string> {
    const interaction = service.discord.interact.slash('settings key create', options, { userId: ADMIN_ID });
    return KEY.exec((await interaction.reply()).text)?.[0] ?? '';
  }

  async function land(): Promise<Visit> {
    const reader = await visit(browser, service.url, '/', { viewport: { width: 1280, height: 800 } });
    await reader.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    return reader;
  }

  test('of somebody with BotGhost ends with every field of a whole command copied', async () => {
    await using reader = await land();
    const { page } = reader;
    const key = await makeKey({ name: 'ghost', builder: 'botghost' });
    const recipe = await openRecipe(page, 'BotGhost', `"${key}"`);
    const form = page.locator('form[data-operation="parse-args"]');
    await form.getByRole('button', { name: 'Send' }).click();
    await form.locator('output[data-state=good]').waitFor();
    const rows: string[] = [];
    for (const row of await recipe.locator('.rows > div').all()) {
      const texts = [await row.locator('dt').textContent()];
      for (const button of await row.getByRole('button', { name: /^Copy/ }).all()) {
        await page.evaluate("navigator.clipboard.writeText('')");
        await button.click();
        await expect.poll(() => copied(page)).not.toBe('');
        texts.push(await copied(page));
      }
      rows.push(texts.join(' = '));
    }
    expect(rows).toContain(`Request URL = ${URL}/api/parse-args`);
    expect(rows).toContain(`HTTP header = Authorization = ${key}`);
    expect(rows).toContain('URL param = text = {option_text}');
    // What the tool needs first, what to do when it fails, and what people will then see.
    const steps = (await recipe.locator('.steps').textContent()) ?? '';
    expect(steps).toMatch(/Add an option with the name text and the type Text/);
    expect(steps).toMatch(/Equal to\s+false/);
    expect(await recipe.locator('.message.bot').textContent()).toContain('spamming links');
    expect(reader.complaints).toEqual([]);
  });

  test('of somebody with discord.js ends with a command that can be run as it is', async () => {
    await using reader = await land();
    const { page } = reader;
    const key = await makeKey({ name: 'code' });
    const recipe = await openRecipe(page, 'discord.js', `Bearer ${key}`);
    await recipe.getByRole('button', { name: 'Copy', exact: true }).click();
    await recipe.getByText('Copied.', { exact: true }).waitFor();
    const code = await copied(page);
    expect(() => new Script(code)).not.toThrow();
    for (const part of [
      "client.on('messageCreate'",
      'ModerateMembers',
      `${URL}/api/parse-args`,
      'catch (error)',
    ]) {
      expect(code).toContain(part);
    }
    // Code gets into repositories, so the key is only in the line for the environment.
    expect(code).not.toContain(key);
    await recipe.getByRole('button', { name: 'Copy .env' }).click();
    await expect.poll(() => copied(page)).toBe(`QUARTERMASTER_KEY=${key}`);
    expect(reader.complaints).toEqual([]);
  });

  test('of an admin leads from the bot to a key, to who holds a role, and to a command that lists them', async () => {
    await using reader = await land();
    const { page } = reader;
    const invite = await page.getByRole('link', { name: 'Add to Discord' }).getAttribute('href');
    expect(invite).toMatch(/^https:\/\/discord\.com\/oauth2\/authorize\?client_id=\d+&/);
    const steps = page.getByRole('region', { name: 'Get a key in three steps' });
    expect(await steps.textContent()).toContain('/settings key create');
    const key = await makeKey({ name: 'admin', builder: 'bdfd' });
    await openRecipe(page, 'BDFD', key);
    const form = page.locator('form[data-operation="role-members"]');
    await form.getByRole('button', { name: 'Send' }).click();
    await form.locator('output[data-state=good]').waitFor();
    expect(await form.locator('.answer').textContent()).toContain(`"${ADMIN_ID}"`);
    const recipe = page.locator('[data-recipe="role-members"]');
    await recipe.getByRole('button', { name: 'Copy', exact: true }).click();
    await recipe.getByText('Copied.', { exact: true }).waitFor();
    const code = await copied(page);
    expect(code).toContain(`$httpAddHeader[Authorization;${key}]`);
    expect(code).toContain(`${URL}/api/role-members`);
    expect(code).toContain('$httpResult[');
    expect(reader.complaints).toEqual([]);
  });
});
