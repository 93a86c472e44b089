import { Script } from 'node:vm';

import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { KEY } from '../../../fixtures/key-pattern.ts';
import { quickOrFull, sampleOf } from '../../../fixtures/full-run.ts';
import { ADMIN_ID, GUILD_ID, PUBLIC_URL, type Pages, type Reader } from './pages.ts';

const copied = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()');

/** The important parts of the first two pages. */
const FIRST_PARTS = {
  landing: {
    desktop: ['h1', '.button', '.lines .card:last-child', '.operations li:nth-child(4)'],
    phone: ['h1', '.button', '.lines .card'],
  },
  docs: {
    desktop: ['#tool', '#key-input', '[data-key-form] [type=submit]', '.operations li:nth-child(3)'],
    phone: ['#tool', '#setup .button', '#key-input'],
  },
};

/** Whether an element can be seen before anybody has scrolled. */
async function isInWindow(page: Page, selector: string): Promise<boolean> {
  const box = await page.locator(selector).first().boundingBox();
  return box !== null && box.y >= 0 && box.y + box.height <= (page.viewportSize()?.height ?? 0);
}

async function expectOnFirstScreen({ page }: Reader, parts: readonly string[]): Promise<void> {
  const seen = await Promise.all(parts.map(async (part) => [part, await isInWindow(page, part)]));
  expect(seen).toEqual(parts.map((part) => [part, true]));
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

export function testFirstVisits(pages: () => Pages): void {
  /** What `/settings key create` answers to the admin of a server. */
  async function makeKey(options: Record<string, string>): Promise<string> {
    const { discord } = pages().service;
    await discord.until(() => discord.bot().commands.length > 0);
    const by = { guildId: GUILD_ID, userId: ADMIN_ID };
    return (await discord.interact.slash('settings key create', options, by).reply()).text;
  }

  test('with BotGhost on a phone ends with every field and condition of a command copied', async () => {
    const { phone: reader } = pages();
    await reader.arrive('/');
    const { page } = reader;
    const key = KEY.exec(await makeKey({ name: 'ghost', builder: 'botghost' }))?.[0] ?? '';
    await expectOnFirstScreen(reader, FIRST_PARTS.landing.phone);
    await page.getByRole('link', { name: 'Choose your builder' }).click();
    await page.waitForSelector('html[data-ready]');
    await expectOnFirstScreen(reader, FIRST_PARTS.docs.phone);
    await page.getByLabel('I build with').selectOption({ label: 'BotGhost' });
    await pasteKey(page, `"${key}"`);
    await page.getByRole('link', { name: 'First recipe for BotGhost' }).click();
    const recipe = page.locator('[data-recipe="parse-args"]');
    await recipe.locator('.copy-table').first().waitFor();
    // The choice of a builder is no click.
    expect(await reader.clicks()).toBe(3);
    const rows: string[] = [];
    for (const row of await recipe.locator('.copy-table:not(.checks) tbody tr').all())
      rows.push(await copyRow(page, row));
    expect(rows).toContain(`Request URL = ${PUBLIC_URL}/api/parse-args`);
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

  test.each(sampleOf(['desktop', 'phone'] as const, 2))(
    'with discord.js at a %s ends with a command to run',
    async (who) => {
      const { [who]: reader } = pages();
      await reader.arrive('/');
      const { page } = reader;
      const key = KEY.exec(await makeKey({ name: `code ${who}` }))?.[0] ?? '';
      await expectOnFirstScreen(reader, FIRST_PARTS.landing[who]);
      await page.getByRole('link', { name: 'discord.js', exact: true }).click();
      await page.waitForSelector('html[data-ready]');
      await expectOnFirstScreen(reader, FIRST_PARTS.docs[who]);
      expect(await page.getByLabel('I build with').inputValue()).toBe('discordjs');
      await pasteKey(page, `Bearer ${key}`);
      await page.getByRole('link', { name: 'First recipe for discord.js' }).click();
      const recipe = page.locator('[data-recipe="parse-args"]');
      await recipe.getByRole('button', { name: 'Copy Code' }).click();
      await expect.poll(() => copied(page)).toContain("client.on('messageCreate'");
      expect(await reader.clicks()).toBe(4);
      const code = await copied(page);
      expect(() => new Script(code)).not.toThrow();
      for (const part of ['ModerateMembers', `${PUBLIC_URL}/api/parse-args`, 'catch (error)'])
        expect(code).toContain(part);
      // The key is in one place, the line for the environment.
      expect(code).not.toContain(key);
      await recipe.locator('tr').filter({ hasText: 'QUARTERMASTER_KEY' }).getByRole('button').click();
      await expect.poll(() => copied(page)).toBe(`QUARTERMASTER_KEY=${key}`);
      expect(reader.complaints).toEqual([]);
    },
  );

  test('of an admin with a new key ends with a command that lists the holders of a role', async () => {
    const answer = await makeKey({ name: 'admin', builder: 'bdfd' });
    const key = KEY.exec(answer)?.[0] ?? '';
    const link = /https:\/\/qm\.example(\/docs\/[\w-]+\?tool=bdfd)/.exec(answer)?.[1] ?? '';
    expect(link).toBe('/docs/parse-args?tool=bdfd');
    const { desktop: reader } = pages();
    await reader.arrive(link);
    const { page } = reader;
    await expectOnFirstScreen(reader, ['h1', '#tool', '.steps li']);
    await page.locator('.keyline').getByRole('link', { name: 'Your key' }).click();
    await pasteKey(page, key);
    await page.locator('.sidebar').getByRole('link', { name: 'role-members' }).click();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('.code-panel output[data-state=good]').filter({ hasText: '200 ·' }).waitFor();
    await expect.poll(() => page.locator('[data-answer]').textContent()).toContain(`"${ADMIN_ID}"`);
    await page.locator('[data-recipe]').getByRole('button', { name: 'Copy Code' }).click();
    await expect.poll(() => copied(page)).toContain(`$httpAddHeader[Authorization;${key}]`);
    expect(await reader.clicks()).toBe(5);
    const code = await copied(page);
    expect(code).toContain(`${PUBLIC_URL}/api/role-members`);
    expect(code).toContain('$httpResult[');
    expect(reader.complaints).toEqual([]);
  });

  const LEAKED = [
    'leaked key',
    'When a key has leaked',
    ['curl -X DELETE', '/settings key revoke', 'rotate first'],
  ] as const;
  const BLOCKED = [
    'blocked',
    'Discord blocks your address',
    ['until when', 'discord.reason', 'shared host'],
  ] as const;
  // Each problem and each window are in the first half.
  test.each(
    (
      [
        ['desktop', ...LEAKED],
        ['phone', ...BLOCKED],
        ['desktop', ...BLOCKED],
        ['phone', ...LEAKED],
      ] as const
    ).slice(0, quickOrFull(2, 4)),
  )('with a problem, at a %s, finds the solution with two clicks: %s', async (who, words, title, told) => {
    const { [who]: reader } = pages();
    await reader.arrive('/status');
    const { page } = reader;
    await expectOnFirstScreen(reader, ['h1', '.parts li:last-child']);
    await page.getByRole('button', { name: /Search/ }).click();
    await page.keyboard.type(words);
    await page.getByRole('dialog').getByRole('link', { name: title }).first().click();
    await page.getByRole('heading', { name: title }).waitFor();
    expect(await reader.clicks()).toBe(2);
    await expect.poll(() => isInWindow(page, `#${title.toLowerCase().replaceAll(' ', '-')}`)).toBe(true);
    const text = (await page.locator('main').textContent())?.replaceAll(/\s+/g, ' ');
    for (const sentence of told) expect(text).toContain(sentence);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(reader.width);
    expect(reader.complaints).toEqual([]);
  });

  test('shows all of /docs within nine screens of a phone, and opens the code that a link leads to', async () => {
    const { phone, url } = pages();
    await phone.arrive('/docs');
    const { page } = phone;
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate<number>('document.documentElement.scrollHeight / innerHeight')).toBeLessThan(
      9,
    );
    expect(await page.locator('#rate_limited').isVisible()).toBe(false);
    await page.goto(`${url}/docs#rate_limited`);
    await expect.poll(() => isInWindow(page, '#rate_limited')).toBe(true);
    expect(await page.locator('#key_missing').isVisible()).toBe(false);
  });

  test('with the link of another builder leads to the recipes for the one that is chosen then', async () => {
    const { desktop } = pages();
    await desktop.arrive('/docs?tool=kite');
    const { page } = desktop;
    await page.getByLabel('I build with').selectOption({ label: 'BotGhost' });
    await page.locator('.operations').getByRole('link', { name: 'role-members' }).click();
    await page.getByText('Recipe for BotGhost').waitFor();
    await page.getByLabel('My builder').selectOption({ label: 'Make' });
    await page.getByRole('link', { name: /^Next:/ }).click();
    await page.getByText('Recipe for Make').waitFor();
    expect(desktop.complaints).toEqual([]);
  });

  // The other pages are seen in the visits above.
  test.each([
    ['/docs/parse-args', ['.lead', 'form [type=submit]', '[data-key-state]']],
    ['/docs/recipes', ['h1', 'main > header p']],
  ])('shows the important parts of %s on the first screen of a phone', async (path, parts) => {
    const { phone } = pages();
    await phone.arrive(path);
    await expectOnFirstScreen(phone, parts);
  });
}
