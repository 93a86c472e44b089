import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { Events, type APIInteraction, type Client, type Interaction } from 'discord.js';
import { expect, test } from 'vitest';

import { readyClient } from '../../fixtures/ready-client.ts';
import { quickOrFull } from '../../fixtures/full-run.ts';

const MEBIBYTE = 1_048_576;

/** A user, a member or a message that stays takes several hundred bytes. */
const INTERACTIONS = quickOrFull(25_000, 100_000);

const user = (at: number) => ({
  id: String(10n ** 17n + BigInt(at)),
  username: `user ${at}`,
  discriminator: '0',
  avatar: null,
  global_name: null,
});

/** An interaction of each kind in turn, each by somebody else, in servers and in direct messages. */
function interactionOf(at: number): APIInteraction {
  const somebody = user(at);
  const id = String(10n ** 18n + BigInt(at));
  const message = {
    id,
    channel_id: id,
    author: somebody,
    content: 'x',
    attachments: [],
    embeds: [],
    components: [],
  };
  const channel = { id, type: at % 4 === 0 ? 1 : 0, name: 'c', permissions: '0' };
  const resolved = {
    users: { [somebody.id]: somebody },
    members: { [somebody.id]: { roles: [], permissions: '0' } },
    channels: { [id]: channel },
    roles: { [id]: { id, name: 'r', permissions: '0' } },
    attachments: { [id]: { id, filename: 'a.txt', url: 'https://cdn.example/a.txt', size: 1 } },
  };
  const options = [
    { name: 'who', type: 6, value: somebody.id },
    { name: 'where', type: 7, value: id },
    { name: 'role', type: 8, value: id },
    { name: 'file', type: 11, value: id },
  ];
  const kinds = [
    { type: 2, data: { id, name: 'slash', type: 1, options, resolved } },
    {
      type: 2,
      data: { id, name: 'menu', type: 3, target_id: id, resolved: { messages: { [id]: message } } },
    },
    { type: 3, data: { custom_id: 'click', component_type: 2 }, message },
    {
      type: 4,
      data: { id, name: 'slash', type: 1, options: [{ name: 'a', type: 3, value: 'x', focused: true }] },
    },
    {
      type: 5,
      data: {
        custom_id: 'form',
        components: [{ type: 18, component: { type: 4, custom_id: 't', value: 'x' } }],
      },
    },
  ];
  const place =
    at % 3 === 0
      ? { user: somebody }
      : { guild_id: id, member: { user: somebody, roles: [], permissions: '8' } };
  const entitlements = [{ id, sku_id: '1', application_id: '1', type: 8, deleted: false }];
  const base = { id, token: `t${at}`, application_id: '1', version: 1, channel, entitlements, ...place };
  return { ...base, ...kinds[at % kinds.length] } as unknown as APIInteraction;
}

function sizesOf({ guilds, channels, users, application }: Client) {
  const managers = {
    guilds,
    channels,
    users,
    commands: application?.commands,
    paid: application?.entitlements,
  };
  return Object.fromEntries(Object.entries(managers).map(([name, manager]) => [name, manager?.cache.size]));
}

test('interactions of all kinds, direct messages and clicks included, leave no memory behind', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  await using ready = await readyClient();
  const { client } = ready;
  let seen = 0;
  client.on(Events.InteractionCreate, (interaction: Interaction) => {
    if (interaction.id !== '') seen += 1;
  });
  const heapAfter = (from: number, to: number): number => {
    for (let at = from; at < to; at += 1) ready.pass(interactionOf(at));
    collect();
    return process.memoryUsage().heapUsed;
  };
  const early = heapAfter(0, INTERACTIONS / 5);
  const late = heapAfter(INTERACTIONS / 5, INTERACTIONS);
  expect(seen).toBe(INTERACTIONS);
  expect(late - early).toBeLessThan(2 * MEBIBYTE);
  expect(sizesOf(client)).toEqual({ guilds: 0, channels: 0, users: 0, commands: 0, paid: 0 });
});
