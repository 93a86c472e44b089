import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { Client, Events, GatewayIntentBits, InteractionType, MessageFlags } from 'discord.js';

import { startApp, type App } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config/config.ts';
import { createLog } from '../../src/telemetry/log.ts';
import type { InteractionHandle } from '../../test/simulator/interaction-handle.ts';
import { startSimulator, type Simulator } from '../../test/simulator/simulator.ts';
import { png } from '../../test/fixtures/image-files.ts';
import { describeMachine, markdownTable, median, quantile } from './measure.ts';

const GUILD_ID = '300000000000000000';
const ROLE_ID = '400000000000000000';
const ADMIN_ID = '200000000000000000';
const ROUNDS = 60;
const WARM_UP = 10;

interface Step {
  readonly name: string;
  readonly use: (round: number) => InteractionHandle;
  /** Done before each use, outside of its time. */
  readonly prepare?: () => Promise<void>;
}

/**
 * Milliseconds from sending an interaction to the first answer, and to the whole one, on the double of Discord over
 * the loopback; a bare discord.js bot that answers a fixed text is the floor.
 */
export async function run(): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'quartermaster-discord-'));
  try {
    await using discord = await startSimulator({
      bots: [{ name: 'quartermaster' }, { name: 'bare' }],
      guilds: [
        {
          id: GUILD_ID,
          ownerId: ADMIN_ID,
          roles: [{ id: ROLE_ID, name: 'Blue' }],
          members: { count: 5_000, rolesOf: (index) => (index % 10 === 1 ? [ROLE_ID] : []) },
        },
      ],
    });
    const bare = await startBareBot(discord);
    const config = loadConfig({
      PORT: '0',
      PUBLIC_URL: 'https://api.example',
      DISCORD_TOKEN: discord.bot('quartermaster').token,
      DISCORD_API_URL: discord.apiUrl,
      STORAGE_URL: `sqlite://${path.join(folder, 'keys.sqlite')}`,
      IMAGE_ALLOW_PRIVATE: 'true',
      LOG_LEVEL: 'silent',
    });
    const app = await startApp(config, createLog('silent'));
    try {
      await discord.until(() => discord.bot('quartermaster').commands.length > 0);
      const rows: (string | number)[][] = [];
      for (const step of steps(discord, app.keys)) rows.push(await measure(step));
      console.log(`${describeMachine()}\nMilliseconds, ${ROUNDS} rounds\n`);
      console.log(
        markdownTable(['interaction', 'first answer, median', 'p95', 'whole answer, median'], rows),
      );
    } finally {
      await app.close();
      await bare.destroy();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startBareBot(discord: Simulator): Promise<Client> {
  const client = new Client({ intents: [GatewayIntentBits.Guilds], rest: { api: discord.apiUrl } });
  client.on(Events.InteractionCreate, (interaction) => {
    if (!interaction.isChatInputCommand()) return;
    void interaction.reply({ content: 'pong', flags: MessageFlags.Ephemeral });
  });
  const ready = new Promise((resolve) => client.once(Events.ClientReady, resolve));
  await client.login(discord.bot('bare').token);
  await ready;
  return client;
}

function steps(discord: Simulator, keys: App['keys']): readonly Step[] {
  const { interact } = discord;
  // A user may use twenty commands a minute, five of them with images, so everybody uses one.
  const somebody = () => ({ userId: discord.nextId(), permissions: 8n });
  const image = { file: { name: 'a.png', bytes: png(64, 64) } };
  const long = 'A sentence of some words. '.repeat(230);
  return [
    {
      name: 'bare discord.js bot',
      use: () => interact.slash('ping', {}, { ...somebody(), bot: discord.bot('bare') }),
    },
    {
      name: '/parse',
      use: () => interact.slash('parse', { text: '!ban <@200000000000000000> 7d spam' }, somebody()),
    },
    {
      name: '/permissions encode',
      use: () => interact.slash('permissions encode', { permission: 'SEND_MESSAGES' }, somebody()),
    },
    {
      name: 'autocomplete of permissions',
      use: () =>
        interact.autocomplete('permissions encode', { permission: 'send' }, 'permission', somebody()),
    },
    {
      name: '/split, three messages',
      use: () => interact.slash('split', { text: long.slice(0, 5_900) }, somebody()),
    },
    { name: '/base64', use: () => interact.slash('base64', { image }, somebody()) },
    {
      name: '/role-members, 500 holders',
      use: () => interact.slash('role-members', { role: ROLE_ID }, somebody()),
    },
    {
      name: '/settings key create',
      use: (round) => interact.slash('settings key create', { name: `key ${round}` }, somebody()),
      // There is room for ten.
      prepare: async () => {
        const live = (await keys.list(GUILD_ID)).filter(({ state }) => state === 'live');
        if (live.length === 10) await keys.revoke(GUILD_ID, live[0]?.keyId ?? '');
      },
    },
    { name: '/settings key list', use: () => interact.slash('settings key list', {}, somebody()) },
    {
      name: 'autocomplete of key names',
      use: () => interact.autocomplete('settings key revoke', { name: 'k' }, 'name', somebody()),
    },
    { name: '/settings usage', use: () => interact.slash('settings usage', {}, somebody()) },
    { name: '/settings help', use: () => interact.slash('settings help', {}, somebody()) },
    {
      name: 'menu: Split text',
      use: () => interact.messageCommand('Split text', { content: 'short' }, somebody()),
    },
  ];
}

async function measure({ name, use, prepare }: Step): Promise<(string | number)[]> {
  const first: number[] = [];
  const whole: number[] = [];
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    await prepare?.();
    const startedAt = performance.now();
    const handle = use(round);
    await handle.response();
    const firstMs = performance.now() - startedAt;
    if (handle.interaction.type === InteractionType.ApplicationCommand) await handle.reply();
    if (round < 0) continue;
    first.push(firstMs);
    whole.push(performance.now() - startedAt);
  }
  return [name, median(first).toFixed(1), quantile(first, 0.95).toFixed(1), median(whole).toFixed(1)];
}
