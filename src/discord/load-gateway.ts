import { setImmediate as nextTurn } from 'node:timers/promises';

/** What takes longest to load, each without the parts before it. */
const PARTS: readonly (() => Promise<unknown>)[] = [
  () => import('ws'),
  () => import('@discordjs/rest'),
  () => import('./connection/kept-connection.ts'),
  () => import('./texts/languages.ts'),
  () => import('./interactions/interactions.ts'),
  () => import('./commands/index.ts'),
];

/** Loads the gateway piece by piece: the process answers requests between the pieces. */
export async function loadGateway() {
  for (const load of PARTS) {
    await nextTurn();
    await load();
  }
  await nextTurn();
  return import('./gateway.ts');
}
