import { expect, test } from 'vitest';

import { EXAMPLE_ROLE_ID } from '../../../../src/operations/examples.ts';
import { checkKey, send } from './form.ts';
import { expectFaultless, FEW_VIEWS } from './look.ts';
import { GUILD_ID, type Pages } from './pages.ts';

/** What another tab, or somebody with this address, would find. */
const KEPT_BEYOND_TAB = `(async () =>
  JSON.stringify([localStorage, document.cookie, location.href, history.state, await indexedDB.databases(), await caches.keys()]))()`;

export function testKeyOfReader(pages: () => Pages): void {
  test('is not needed to copy a whole request, and is kept for the next pages of this tab alone', async () => {
    const { service, desktop: reader } = pages();
    const { page } = reader;
    await reader.arrive('/docs/role-members');
    await page.waitForSelector('html[data-ready]');
    const request = page.locator('[data-request=sh]');
    await page.getByText('You have no key here yet').waitFor();
    await page.getByRole('link', { name: 'Paste your key' }).waitFor();
    expect(await request.textContent()).toContain(`'role_id=${EXAMPLE_ROLE_ID}'`);
    await page.locator('[name=role_id]').fill('<@&123456789012345678>');
    expect(await request.textContent()).toContain(`'role_id=<@&123456789012345678>'`);
    await reader.open('/docs');
    const key = await service.createKey({ guildId: GUILD_ID });
    expect(await checkKey(page, key)).toMatch(
      /^“test \d+” of server \d+ works; \d+ calls left this minute\.$/,
    );
    await reader.open('/docs/role-members');
    await request.getByText(`'role_id=${GUILD_ID}'`).waitFor();
    await page.getByText(`Sent with ${key.slice(0, 6)}…, the key “test`).waitFor();
    expect(await page.getByRole('link', { name: 'Paste your key' }).count()).toBe(0);
    expect(await page.evaluate(KEPT_BEYOND_TAB)).not.toContain('qm_');
    expect(reader.complaints).toEqual([]);
  });

  test('is understood as people paste it, and a wrong one is explained', async () => {
    const { service, desktop: reader } = pages();
    const { page } = reader;
    const key = await service.createKey({ guildId: GUILD_ID });
    await reader.reuse('/docs');
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
    await expectFaultless(page, FEW_VIEWS, 'full run');
    expect(await checkKey(page, 'qm_ж')).toContain('“ж” cannot be in a key.');
    await reader.open('/docs/permission-encoder');
    expect(await send(page)).toContain('“ж” cannot be in a key.');
  });

  test('is said to be of no server if it is, with what operations about members need then', async () => {
    const { service, desktop: reader } = pages();
    await reader.arrive('/docs');
    expect(await checkKey(reader.page, await service.createKey({ guildId: '0' }))).toMatch(
      /^“test \d+” works \(a key of no server\); \d+ calls left this minute\. Operations about members need a key of your server, or guild_id and your bot's Token with each call\.$/,
    );
    const said = [];
    for (const name of ['role-counts', 'role-changes', 'parse-args']) {
      await reader.open(`/docs/${name}`);
      said.push((await reader.page.locator('[data-key-state]').textContent())?.replace(/.*”\./, ''));
    }
    expect(said).toEqual([
      ' It belongs to no server, and role-counts needs a key of your server, or guild_id and the Token of your bot.',
      ' It belongs to no server, and role-changes needs a key of your server.',
      '',
    ]);
  });

  test('is said to be for some operations only, if it is', async () => {
    const { service, desktop: reader } = pages();
    await reader.arrive('/docs');
    const key = await service.createKey({ guildId: '0', operations: ['role-members', 'role-counts'] });
    expect(await checkKey(reader.page, key)).toMatch(/\. It may only call role-members, role-counts\.$/);
  });

  test('for a builder without lists shows lists in the forms all the same, with a link to the flat keys, and is said to be wrong for others', async () => {
    const { service, desktop: reader } = pages();
    const { page } = reader;
    const key = await service.createKey({ guildId: GUILD_ID, flat: true });
    await reader.arrive('/docs?tool=botghost');
    expect(await checkKey(page, key)).toMatch(/this minute\.$/);
    await reader.open('/docs?tool=make');
    expect(await checkKey(page, key)).toMatch(/Make needs lists\. Make another key for Make\.$/);
    await reader.open('/docs/text-splitter');
    expect(await send(page)).toMatch(/^200 .*your bot gets it flat$/);
    expect(await page.locator('[data-messages] li').count()).toBeGreaterThan(1);
    await page.getByRole('link', { name: 'as your bot gets it' }).click();
    await page.locator('#flat').getByText('"chunks_1"').waitFor();
  });

  test('is forgotten when the reader asks for it', async () => {
    const { service, desktop: reader } = pages();
    const { page } = reader;
    await reader.arrive('/docs');
    await checkKey(page, await service.createKey({ guildId: GUILD_ID }));
    await page.getByRole('button', { name: 'Forget it' }).click();
    expect(await page.getByLabel('API key').inputValue()).toBe('');
    await reader.open('/docs/parse-args');
    expect(await send(page)).toBe('There is no key yet: paste yours first.');
    expect(reader.complaints).toEqual([]);
  });
}
