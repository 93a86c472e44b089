import { InteractionContextType, PermissionFlagsBits } from 'discord-api-types/v10';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  ADMIN_ID,
  MEMBER_ID,
  ROLE_ID,
  openDiscordHarness,
  type DiscordHarness,
  MEMBER,
  ELSEWHERE,
  DM,
} from './discord-setup.ts';

let harness: DiscordHarness;
beforeAll(async () => {
  harness = await openDiscordHarness();
});
afterAll(() => harness[Symbol.asyncDispose]());

describe('"Show to everyone"', () => {
  test('repeats a result for the channel, without buttons and without a ping', async () => {
    const interaction = harness.users.slash('permissions decode', { bitfield: '2112' }, MEMBER);
    const clicked = await interaction.click('Show to everyone');
    const shown = await clicked.followUp();
    expect(shown.isEphemeral).toBe(false);
    expect(shown.text).toContain('`ADD_REACTIONS`');
    expect(shown.text).toContain(`Shown by <@${MEMBER_ID}>`);
    expect(shown.controls).toEqual([]);
    expect(clicked.refusals).toEqual([]);
  });

  test('repeats files and plain pieces unchanged', async () => {
    const list = harness.users.slash('role-members', { role: ROLE_ID });
    const shown = await (await list.click('Show to everyone')).followUp();
    expect(shown.isEphemeral).toBe(false);
    expect(String(shown.files[0]?.bytes)).toBe(`${MEMBER_ID}\n`);
    const piece = harness.users.slash('split', { text: '@everyone **hi**' }, DM);
    const copy = await (await piece.click('Show to everyone')).followUp();
    expect(copy.content).toBe('@everyone **hi**');
  });

  test('names the user who shows a plain piece, without changing what can be copied', async () => {
    const piece = harness.users.slash('split', { text: 'I never said this' }, MEMBER);
    const copy = await (await piece.click('Show to everyone')).followUp();
    expect(copy.content).toBe('I never said this');
    const name = piece.interaction.member?.user.username;
    expect(copy.controls).toMatchObject([{ label: `Shown by ${name}`, disabled: true }]);
  });

  test.each([
    [
      'without the permission to write here',
      { ...MEMBER, permissions: PermissionFlagsBits.ViewChannel },
      false,
    ],
    [
      'whose user-installed apps answer in private here',
      { ...ELSEWHERE, permissions: PermissionFlagsBits.SendMessages },
      false,
    ],
    [
      'whose user-installed apps may post here',
      { ...ELSEWHERE, permissions: PermissionFlagsBits.SendMessages | PermissionFlagsBits.UseExternalApps },
      true,
    ],
    ['in direct messages', { ...DM, context: InteractionContextType.PrivateChannel }, true],
  ])('is offered to a user %s only where Discord allows it', async (_case, scene, offered) => {
    const reply = await harness.users.slash('permissions decode', { bitfield: '8' }, scene).reply();
    expect(reply.controls.length).toBe(offered ? 1 : 0);
  });

  test('is refused to another user, and to a user who was muted meanwhile', async () => {
    const interaction = harness.users.slash('permissions decode', { bitfield: '8' }, MEMBER);
    const stranger = await (await interaction.click('Show to everyone', { userId: ADMIN_ID })).reply();
    expect(stranger.text).toContain('for somebody else');
    expect(stranger.isEphemeral).toBe(true);
    const muted = await (await interaction.click('Show to everyone', { permissions: 0n })).followUp();
    expect(muted.text).toContain('You may not show this in this channel');
  });
});
