import * as z from 'zod';

import type { Readiness } from '../../endpoints/health.ts';
import { html, type Markup } from './html.ts';
import { layOut, type Site } from './layout.ts';

const Discord = z.object({
  connected: z.boolean(),
  reason: z.string().nullish(),
  shards: z.number().nullish(),
  shards_ready: z.number().optional(),
  guilds: z.number().optional(),
});

/** The same as `/health/ready`, for people. */
export function statusPage({ problem, parts }: Readiness, site: Site): string {
  const discord = Discord.safeParse(parts['discord']).data;
  const rows: (readonly [string, string])[] = [
    ['API', problem === null ? 'takes calls' : problem.message],
    ...(problem === null ? [['Storage of keys', 'works'] as const] : []),
    ...(discord === undefined ? [] : [['Discord', describeDiscord(discord)] as const]),
  ];
  const title = problem === null ? 'The service works.' : 'The service does not work at the moment.';
  return layOut({
    title: 'Status · Quartermaster',
    description: title,
    site,
    path: '/status',
    root: '',
    nav: [['docs', 'Try it']],
    skipTo: 'the text',
    body: html`<main class="landing" id="main">
      <h1>${title}</h1>
      <dl class="state">${rows.map(stateRow)}</dl>
      <p>Programs read the same at <a href="health/ready">health/ready</a>.</p>
    </main>`,
  });
}

function stateRow([name, state]: readonly [string, string]): Markup {
  return html`<div>
    <dt>${name}</dt>
    <dd>${state}</dd>
  </div>`;
}

function describeDiscord({
  connected,
  reason,
  shards,
  shards_ready,
  guilds,
}: z.infer<typeof Discord>): string {
  if (reason === 'off') return 'off: no slash commands here';
  if (!connected) return `not connected${reason ? `: ${reason}` : ''}`;
  return `connected, ${shards_ready ?? 0} of ${shards ?? 0} shards, ${guilds ?? 0} servers`;
}
