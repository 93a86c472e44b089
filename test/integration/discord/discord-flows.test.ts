import { expect, test } from 'vitest';

import { png } from '../../fixtures/image-files.ts';
import { GUILD_ID, MEMBER_ID, openDiscordHarness, ROLE_ID } from './discord-setup.ts';
import { payloadText } from './discord-payload-text.ts';

test('Discord receives the recorded main flows', async () => {
  await using harness = await openDiscordHarness();
  const { users } = harness;
  const flows: string[] = [];
  const note = (title: string, ...messages: Parameters<typeof payloadText>[0][]) => {
    flows.push(`## ${title}\n${messages.map((message) => payloadText(message)).join('\n')}\n`);
  };

  const created = users.slash('settings key create', { name: 'website', builder: 'bdfd', expires: 90 });
  note('/settings key create name:website builder:bdfd expires:90', await created.reply());
  note('... "Saved it"', await (await created.click('Saved it')).reply());

  const [entry] = await harness.keys.list(GUILD_ID);
  for (let index = 0; index < 40; index += 1)
    harness.usage.record(GUILD_ID, entry?.keyId ?? '', 'parse-args');
  for (let index = 0; index < 9; index += 1)
    harness.usage.record(GUILD_ID, entry?.keyId ?? '', 'role-members');
  const list = users.slash('settings key list');
  note('/settings key list', await list.reply());
  const asked = await list.click('Rotate');
  note('... "Rotate"', await asked.reply());
  note(
    '... one day',
    await (await asked.select('Choose how long the old key keeps working', ['86400'])).reply(),
  );
  const revoke = users.slash('settings key revoke', { name: entry?.keyId ?? '' });
  note('/settings key revoke', await revoke.reply());
  note('... "Revoke this key"', await (await revoke.click('Revoke this key')).reply());
  note('/settings usage', await users.slash('settings usage').reply());
  note('/settings help', await users.slash('settings help').reply());
  const member = { userId: MEMBER_ID };
  note('/help', await users.slash('help', {}, member).reply());
  note(
    '/settings help, by somebody who may not',
    await users.slash('settings help', {}, { ...member, permissions: 0n }).reply(),
  );

  const parsed = users.slash('parse', { text: `!ban <@${MEMBER_ID}> 7d spam` }, member);
  note('/parse', await parsed.reply());
  note('... "Show to everyone"', await (await parsed.click('Show to everyone')).followUp());
  note(
    '/permissions encode',
    await users
      .slash('permissions encode', { permission: 'manage roles', permission_2: 'SEND_MESSAGES' }, member)
      .reply(),
  );
  note(
    '/permissions encode, with a typing error',
    await users.slash('permissions encode', { permission: 'MANGE_ROLES' }, member).reply(),
  );
  const split = users.slash('split', { text: `${'word '.repeat(400)}end` }, member);
  note('/split', await split.reply(), await split.followUp(0));
  note('/split as_file:true', await users.slash('split', { text: 'Hello', as_file: true }, member).reply());
  note(
    '/base64',
    await users.slash('base64', { image: { file: { name: 'a.png', bytes: png(8, 8) } } }, member).reply(),
  );
  note('/role-members', await users.slash('role-members', { role: ROLE_ID }).reply());

  await expect(flows.join('\n')).toMatchFileSnapshot('discord-flows.snapshot.txt');
});
