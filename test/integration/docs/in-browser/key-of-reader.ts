import { expect, test } from 'vitest';

import { EXAMPLE_ROLE_ID } from '../../../../src/operations/examples.ts';
import { checkKey, send } from './form.ts';
import { GUILD_ID, type Pages } from './pages.ts';

export function testKeyOfReader(pages: () => Pages): void {
  test('is kept from page to page in this tab alone, and is forgotten', async () => {
    const { service, url, desktop: reader } = pages();
    const { page } = reader;
    const key = await service.createKey({ guildId: GUILD_ID });
    await reader.arrive('/docs');
    expect(await checkKey(page, key)).toMatch(
      /^“test \d+” of server \d+ works; \d+ calls left this minute\.$/,
    );
    await page.goto(`${url}/docs/parse-args`);
    await page.getByText(`Sent with ${key.slice(0, 6)}…, the key “test`).waitFor();
    const other = await page.context().newPage();
    await other.goto(`${pages().url}/docs/parse-args`);
    await other.getByText('You have no key here yet').waitFor();
    await other.close();
    const kept = await page.evaluate('JSON.stringify([localStorage, document.cookie, location.href])');
    expect(kept).not.toContain('qm_');
    await page.goto(`${pages().url}/docs`);
    await page.getByRole('button', { name: 'Forget it' }).click();
    await page.reload();
    expect(await page.getByLabel('API key').inputValue()).toBe('');
    await page.goto(`${pages().url}/docs/parse-args`);
    expect(await send(page)).toBe('There is no key yet: paste yours first.');
    expect(reader.complaints).toEqual([]);
  });

  test('is not needed to copy a whole request, which then has example ids', async () => {
    const { service, desktop } = pages();
    const { page } = desktop;
    await desktop.arrive('/docs/role-members');
    await page.waitForSelector('html[data-ready]');
    const request = page.locator('[data-request=sh]');
    expect(await request.textContent()).toContain(`'role_id=${EXAMPLE_ROLE_ID}'`);
    await page.locator('[name=role_id]').fill('<@&123456789012345678>');
    expect(await request.textContent()).toContain(`'role_id=<@&123456789012345678>'`);
    await page.goto(`${pages().url}/docs`);
    await checkKey(page, await service.createKey({ guildId: GUILD_ID }));
    await page.goto(`${pages().url}/docs/role-members`);
    await request.getByText(`'role_id=${GUILD_ID}'`).waitFor();
  });

  test('is understood as people paste it, and a wrong one is explained', async () => {
    const { service, desktop } = pages();
    const { page } = desktop;
    const key = await service.createKey({ guildId: GUILD_ID });
    await desktop.arrive('/docs');
    const pasted = [
      `Bearer ${key}`,
      `Authorization: Bearer ${key}`,
      `"${key}"`,
      `“${key}”\n`,
      `\`\`\`${key}\`\`\``,
    ];
    for (const each of pasted) {
      expect(await checkKey(page, each)).toMatch(/works/);
      expect(await page.getByLabel('API key').inputValue()).toBe(key);
    }
    expect(await checkKey(page, 'qm_half')).toContain('401 key_malformed');
    expect(await checkKey(page, 'qm_ж')).toContain('“ж” cannot be in a key.');
    await page.goto(`${pages().url}/docs/permission-encoder`);
    expect(await send(page)).toContain('“ж” cannot be in a key.');
  });
}
