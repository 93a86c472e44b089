import { InteractionResponseType } from 'discord-api-types/v10';
import { describe, expect, test } from 'vitest';

import { restOptions } from '../../../src/discord/client/create-client.ts';
import { Problem } from '../../../src/kernel/problem.ts';
import { openDiscordHarness } from './discord-setup.ts';

describe('the time of an interaction', () => {
  test('is extended by a deferral when the answer takes long, and only then', async () => {
    await using harness = await openDiscordHarness();
    const quick = await harness.users.slash('parse', { text: '!ban' }).response();
    expect(quick.type).toBe(InteractionResponseType.ChannelMessageWithSource);
    for (const command of ['settings help', 'base64']) {
      const slow = await harness.users.slash(command).response();
      expect(slow).toEqual({
        type: InteractionResponseType.DeferredChannelMessageWithSource,
        data: { flags: 64 },
      });
    }
  });

  test('is extended for a quick command too, when it is slow this once', async () => {
    const gate = Promise.withResolvers<void>();
    await using harness = await openDiscordHarness({
      admit: () => gate.promise,
      gateway: { interactions: { deferAfterMs: 5 } },
    });
    const interaction = harness.users.slash('parse', { text: '!ban' });
    expect((await interaction.response()).type).toBe(
      InteractionResponseType.DeferredChannelMessageWithSource,
    );
    gate.resolve();
    expect((await interaction.reply()).text).toContain('ban');
  });

  test('is limited for each user, shown in seconds, and separate for images', async () => {
    const taken: string[] = [];
    await using harness = await openDiscordHarness({
      admit: async (userId, bucket) => {
        taken.push(`${bucket} ${userId}`);
        throw new Problem('rate_limited/command', { retryAfterSeconds: 7, values: { n: 7 } });
      },
    });
    const scene = { userId: '200000000000000002' };
    const reply = await harness.users.slash('parse', { text: '!ban' }, scene).reply();
    expect(reply.text.match(/Wait 7 seconds\./g)).toHaveLength(1);
    await harness.users.slash('base64', { url: 'https://example.com/a.png' }, scene).reply();
    expect(taken).toEqual(['command 200000000000000002', 'image 200000000000000002']);
  });

  test('is unaffected by the limit of other calls, which does not count answers', () => {
    expect(restOptions({ apiUrl: 'http://127.0.0.1' }).globalRequestsPerSecond).toBe(Infinity);
  });

  test('counts clicks that cause work, and never the one that hides a key', async () => {
    const taken: string[] = [];
    await using harness = await openDiscordHarness({
      admit: async (_userId, bucket) => {
        taken.push(bucket);
      },
    });
    const parsed = harness.users.slash('parse', { text: '!ban' });
    await (await parsed.click('Show to everyone')).followUp();
    expect(taken).toEqual(['command', 'command']);
    const form = await harness.users.slash('split').submit({ text: 'a' });
    await form.reply();
    expect(taken).toHaveLength(4);
    const created = harness.users.slash('settings key create', { name: 'demo' });
    await (await created.click('Saved it')).reply();
    expect(taken).toHaveLength(5);
  });

  test('ends with the process: running commands are answered, new ones are asked to retry', async () => {
    const gate = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    await using harness = await openDiscordHarness({
      admit: async () => {
        reached.resolve();
        await gate.promise;
      },
    });
    const running = harness.users.slash('parse', { text: '!ban' });
    await reached.promise;
    const closed = harness.gateway.close(10_000);
    const late = harness.users.slash('parse', { text: '!kick' });
    expect((await late.reply()).text).toContain('restarting');
    gate.resolve();
    expect((await running.reply()).text).toContain('ban');
    await closed;
  });
});

test('more interactions than can run concurrently are answered that the service is busy', async () => {
  const gate = Promise.withResolvers<void>();
  await using harness = await openDiscordHarness({
    admit: () => gate.promise,
    gateway: { interactions: { runningMax: 1 } },
  });
  const first = harness.users.slash('parse', { text: '!ban' });
  const second = harness.users.slash('parse', { text: '!ban' });
  expect((await second.reply()).text).toContain('busy');
  const typing = harness.users.autocomplete('permissions encode', { permission: 's' }, 'permission');
  expect(await typing.choices()).toEqual([]);
  gate.resolve();
  expect((await first.reply()).text).toContain('ban');
});
