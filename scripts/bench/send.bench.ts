import { setTimeout as wait } from 'node:timers/promises';

import { startSimulator, type Simulator } from '../../test/simulator/simulator.ts';
import type { SimulatedWebhook } from '../../test/simulator/webhooks.ts';
import { describeMachine, markdownTable, median } from './measure.ts';
import { startMeasuredService, type Usage } from './send/measured-service.ts';
import { startService, type ServiceProcess } from './service-process.ts';

/** As Discord gives it in the headers of a webhook's answers. */
const LIMIT = { count: 5, windowMs: 2_000 };
/** The guilds of the service's two keys. */
const GUILDS = ['987654321098765432', '876543210987654321'] as const;

/** Calls whose traces in memory are measured. As many before them fill caches and compile code. */
const CALLS = 10_000;

/** Puts the messages of a text in a channel. */
type Way = (webhook: SimulatedWebhook, parts: readonly string[]) => Promise<void>;

/** @param isPatient waits as long as a 429 says, and posts the message again */
function loop({ apiUrl }: Simulator, isPatient: boolean): Way {
  return async ({ id, token }, parts) => {
    for (const content of parts) {
      for (;;) {
        const response = await fetch(`${apiUrl}/v10/webhooks/${id}/${token}?wait=true`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ content }),
        });
        const answer = (await response.json()) as { retry_after?: number };
        if (response.status !== 429 || !isPatient) break;
        await wait((answer.retry_after ?? 1) * 1_000);
      }
    }
  };
}

/** One call after the other, each with what the one before has left. */
function send({ url }: ServiceProcess, authorization: string): Way {
  return async (webhook, parts) => {
    const headers = { authorization, webhook: webhook.url, 'content-type': 'text/plain' };
    let text: string | null = parts.join('\n\n');
    while (text !== null) {
      const response = await fetch(`${url}/api/send`, { method: 'POST', headers, body: text });
      const answer = (await response.json()) as { retry_after: number | null; rest?: string | null };
      if (answer.rest === undefined || (answer.rest !== null && answer.retry_after === null)) {
        throw new Error(`${response.status}: ${JSON.stringify(answer)}`);
      }
      text = answer.rest;
      if (answer.retry_after !== null) await wait(answer.retry_after * 1_000);
    }
  };
}

/** Seconds until the last message that arrives is in the channel. A paragraph fills a message. */
async function timeToLast(discord: Simulator, way: Way, count: number, guildId: string = GUILDS[0]) {
  const webhook = discord.addWebhook({ guildId });
  const parts = Array.from({ length: count }, (_, index) => `${index} `.padEnd(1_997, 'word ').concat('e'));
  const calls = discord.rest.calls.length;
  const startedAt = performance.now();
  const working = way(webhook, parts);
  await Promise.race([working, discord.until(() => webhook.messages.length === count)]);
  const seconds = (performance.now() - startedAt) / 1_000;
  await working;
  const refused = discord.rest.calls.slice(calls).filter(({ status }) => status === 429).length;
  return { seconds, arrived: webhook.messages.length, refused };
}

/** What calls with one message leave in the memory of the service. */
async function memoryOf(discord: Simulator, hasKeys: boolean): Promise<readonly string[]> {
  await using server = await startMeasuredService(discord.apiUrl);
  const url = `http://127.0.0.1:${server.port}/api`;
  const callers = await Promise.all(
    server.keys.map(async (authorization) => {
      const answer = await fetch(`${url}/key`, { headers: { authorization } });
      const { guild_id: guildId } = (await answer.json()) as { guild_id: string };
      return { authorization, webhook: discord.addWebhook({ guildId }).url, 'content-type': 'text/plain' };
    }),
  );
  const post = async (isNamed: boolean) => {
    let call = 0;
    const work = async (headers: Record<string, string>) => {
      for (let mine = 0; mine < CALLS / callers.length; mine += 1) {
        call += 1;
        const named = isNamed ? { ...headers, 'idempotency-key': `call-${call}` } : headers;
        const answer = await fetch(`${url}/send`, {
          method: 'POST',
          headers: named,
          body: `Message ${call}`,
        });
        const { state } = (await answer.json()) as { state?: string };
        if (state !== 'sent') throw new Error(`${answer.status} for message ${call}`);
      }
    };
    await Promise.all(callers.map(work));
  };
  await post(false);
  const before = inMebibytes(await server.usage());
  await post(hasKeys);
  const after = inMebibytes(await server.usage());
  return [hasKeys ? 'yes' : 'no', ...before.flatMap((value, index) => [value, after[index] ?? ''])];
}

function inMebibytes({ residentBytes, usedBytes }: Usage): readonly string[] {
  return [residentBytes, usedBytes].map((bytes) => (bytes / 2 ** 20).toFixed(1));
}

/** Long texts within the limits of webhooks, compared with loops. Options: rounds (default 3). */
export async function run(args: readonly string[]): Promise<void> {
  const [rounds = 3] = args.map(Number);
  await using discord = await startSimulator({ guilds: GUILDS.map((id) => ({ id })) });
  const service = await startService({ DISCORD_API_URL: discord.apiUrl, SEND_RATE_LIMIT: '1000000' });
  const patient = ['a loop that waits after 429', loop(discord, true)] as const;
  const ours = ['send', send(service, service.key)] as const;
  const repeat = async (way: Way, size: number) => {
    const runs = [];
    for (let round = 0; round < rounds; round += 1) runs.push(await timeToLast(discord, way, size));
    const [{ arrived, refused } = { arrived: 0, refused: 0 }] = runs;
    return { seconds: median(runs.map(({ seconds }) => seconds)), arrived, refused };
  };
  try {
    await repeat(ours[1], 50);
    const added = [];
    for (const [name, way] of [patient, ours])
      added.push(`${name}: ${((await repeat(way, 50)).seconds * 20).toFixed(1)} ms`);

    const memory = [await memoryOf(discord, false), await memoryOf(discord, true)];

    discord.rest.limits.set('POST /webhooks/:application/:token', LIMIT);
    const rows = [];
    const careless = loop(discord, false);
    for (const size of [1, 10, 11, 50]) {
      const [hasty, waiting, sent] = [
        await repeat(careless, size),
        await repeat(patient[1], size),
        await repeat(ours[1], size),
      ];
      rows.push([
        size,
        sent.seconds.toFixed(1),
        sent.refused,
        waiting.seconds.toFixed(1),
        waiting.refused,
        hasty.arrived,
      ]);
    }
    const other = timeToLast(discord, send(service, service.otherKey), 50, GUILDS[1]);
    const beside = await repeat(ours[1], 10);
    await other;

    console.log(describeMachine());
    console.log(`${rounds === 1 ? 'One round' : `Medians of ${rounds} rounds`}\n`);
    const columns = [
      'messages',
      'send, s',
      '429',
      'loop that waits after 429, s',
      '429',
      'loop that does not: arrived',
    ];
    console.log(markdownTable(columns, rows));
    console.log(`\n10 messages beside another server's 50: ${beside.seconds.toFixed(1)} s.`);
    console.log(`Each of 50 messages where there is no limit, by ${added.join('; by ')}.`);
    console.log(
      `\nMemory in MiB before and after ${CALLS} calls, resident and in use after a collection. As many calls ran before the first reading:\n`,
    );
    const sizes = ['resident', 'after', 'in use', 'after'];
    console.log(markdownTable(['Idempotency-Key', ...sizes], memory));
  } finally {
    await service.stop();
  }
}
