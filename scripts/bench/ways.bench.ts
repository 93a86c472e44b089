import { Session } from 'node:inspector/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as wait } from 'node:timers/promises';

import { startDiscordApp, type DiscordApp, type Reply } from '../../test/fixtures/test-app.ts';
import { describeMachine, markdownTable } from './measure.ts';

/** The first calls load modules and fill caches. */
const WARM_UPS = 3;
/** Until what follows an answer is done: its record, its log line. */
const AFTER_MS = 100;
const SOURCE = `${pathToFileURL(path.resolve(import.meta.dirname, '../../src')).href}/`;

const ROLE_ID = '900000000000000901';
/** Three messages, with what people write. */
const PARAGRAPH = 'Some **bold** words, `code`. ';
const DISCORD = `# Rules\n\n${PARAGRAPH.repeat(20)}\n\n> quoted words\n- one\n- two\n\n\`\`\`js\n${'const answer = 42;\n'.repeat(60)}\`\`\`\n\n${PARAGRAPH.repeat(20)}`;
const GITHUB = `# Release\n\n- [x] a **bold** point\n- two\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n> [!NOTE]\n> See #1.[^1]\n\n$x^2$\n\n${DISCORD}\n\n[^1]: a note`;

/** @param round differs in each call */
type Call = (app: DiscordApp, round: number) => Promise<unknown>;

const WAYS: Readonly<Record<string, Call>> = {
  'permission-decoder': post('/api/chat/permission-decoder', { bitfield: '2112' }),
  'role-members': (app) => answered(app.call(`/api/role-members?role_id=${ROLE_ID}`)),
  'parse-args': post('/api/parse-args', { text: '!tempban <@123456789012345678> 7d spamming links' }),
  'text-splitter': post('/api/text-splitter', { text: DISCORD }),
  'text-splitter, GitHub': post('/api/text-splitter', { text: GITHUB, dialect: 'github' }),
  send: sendThroughOne(),
  '/settings key create': async ({ discord }, round) => {
    const asked = discord.interact.slash('settings key create', { name: `shop ${round}` });
    const { text } = await asked.reply();
    if (!text.includes(`shop ${round}`)) throw new Error(text);
  },
};

/**
 * How much of the service runs for one call: functions of `src` that V8 counts between two calls of a warmed service,
 * and the files that they are in. Background work may add up to five. With `functions`, their names follow.
 */
export async function run(args: readonly string[]): Promise<void> {
  const isListed = args.includes('functions');
  const only = args.filter((word) => word !== 'functions');
  const session = new Session();
  session.connect();
  // Before the service is loaded, so that functions that run only once are counted as well.
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const rows: (string | number)[][] = [];
  const listed: string[] = [];
  {
    const guild = { roles: [{ id: ROLE_ID }], members: { count: 10, rolesOf: () => [ROLE_ID] } };
    await using app = await startDiscordApp({ guilds: [guild] }, { SEND_RATE_LIMIT: '1000' });
    const key = await app.createKey({ guildId: app.discord.guild().id });
    for (const [name, call] of Object.entries(WAYS)) {
      if (only.length > 0 && !only.includes(name)) continue;
      const keyed = withKey(app, key);
      for (let round = 0; round < WARM_UPS; round += 1) await call(keyed, round);
      await wait(AFTER_MS);
      await functionsSince(session);
      await call(keyed, WARM_UPS);
      await wait(AFTER_MS);
      const ran = await functionsSince(session);
      rows.push([name, ran.length, new Set(ran.map(([file]) => file)).size]);
      listed.push(`\n${name}`, ...ran.map(([file, functionName]) => `  ${file} ${functionName}`));
    }
  }
  session.disconnect();
  console.log(describeMachine());
  console.log();
  console.log(markdownTable(['one warmed call', 'functions', 'files'], rows));
  if (isListed) console.log(listed.join('\n'));
}

/** The functions that ran since the last call of this one, each with its file. */
async function functionsSince(session: Session): Promise<(readonly [file: string, name: string])[]> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result
    .filter(({ url }) => url.startsWith(SOURCE))
    .flatMap(({ url, functions }) =>
      functions
        .filter(({ ranges: [whole] }) => (whole?.count ?? 0) > 0)
        .map(({ functionName }) => [url.slice(SOURCE.length), functionName || '(without a name)'] as const),
    );
}

function withKey(app: DiscordApp, authorization: string): DiscordApp {
  const call: DiscordApp['call'] = (to, init = {}) =>
    app.call(to, { ...init, headers: { authorization, ...(init.headers as Record<string, string>) } });
  const postJson: DiscordApp['postJson'] = (to, body, headers) =>
    app.postJson(to, body, { authorization, ...headers });
  return { ...app, call, postJson };
}

function post(to: string, body: unknown): Call {
  return (app) => answered(app.postJson(to, body));
}

function sendThroughOne(): Call {
  let webhook: { readonly url: string } | undefined;
  return (app) => {
    webhook ??= app.discord.addWebhook();
    return answered(app.postJson('/api/send', { text: DISCORD }, { webhook: webhook.url }));
  };
}

async function answered(reply: Promise<Reply>): Promise<void> {
  const { status, text } = await reply;
  if (status !== 200) throw new Error(text);
}
