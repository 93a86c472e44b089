import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';

import { TOKEN_PLACEHOLDER } from '../../../src/recipes/request-fields.ts';
import { environmentWith, type RecipeRunner, type Sent } from './recipe-languages.ts';
import { sentMessages, whatIsSeen, write, writtenLike, type RecipeServer } from './recipe-server.ts';
import type { Interceptor } from './interceptor.ts';

/** Debian's own Python, whatever comes first in the path: python3-discord is for it. */
export const PYTHON = '/usr/bin/python3';
const isThere = existsSync('/usr/lib/python3/dist-packages/discord');

/** Without discord.py its tests are skipped, in a visible line. */
export function isDiscordPyMissing(): boolean {
  if (isThere || process.env['REQUIRE_SERVICES'] === '1') return false;
  process.stderr.write('Skipped: the recipes for discord.py; python3-discord is not installed\n');
  return true;
}

export type PyBot = Awaited<ReturnType<typeof openPyBot>>;

/** discord.py itself, as the bot of the recipes' server. */
export async function openPyBot({ discord }: RecipeServer) {
  const script = path.join(import.meta.dirname, 'discordpy_bot.py');
  const args = [
    script,
    discord.apiUrl,
    discord.apiUrl.replace('http', 'ws').replace(/\/api$/, '/'),
    discord.bot().token,
  ];
  const child = spawn(PYTHON, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (piece: Buffer) => (errors += piece.toString()));
  const lines = createInterface({ input: child.stdout });
  const waiting = new Map<string, () => void>();
  const said = new Set<string>();
  lines.on('line', (line) => {
    said.add(line);
    waiting.get(line)?.();
  });
  const ended = new Promise<never>((_resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`discord.py ended with ${code}: ${errors}`)));
  });
  ended.catch(() => {});
  /** Until the bot says a line, once more. */
  const hear = (line: string) =>
    Promise.race([
      ended,
      new Promise<void>((resolve) => {
        if (said.delete(line)) resolve();
        waiting.set(line, () => {
          said.delete(line);
          waiting.delete(line);
          resolve();
        });
      }),
    ]);
  await hear('ready');
  return {
    async install(code: string, env: Readonly<Record<string, string>>): Promise<void> {
      child.stdin.write(`${JSON.stringify([code, env])}\n`);
      await hear('installed');
    },
    /** Until the bot has done all that a message makes it do. */
    heard: (messageId: string) => hear(`done ${messageId}`),
    async close(): Promise<void> {
      const over = new Promise((resolve) => {
        child.once('exit', resolve);
      });
      child.kill();
      await over;
    },
  };
}

/** Runs a recipe in its server, as somebody who may use it. */
export function runDiscordPyIn(server: RecipeServer, interceptor: Interceptor, bot: PyBot): RecipeRunner {
  return async (code, message, send, key) => {
    const { discord } = server;
    // It hears what was written for the other bots, too, and must not answer that with this recipe.
    await bot.heard(write(discord, 'The test before is over.'));
    discord.rest.calls.length = 0;
    const sent: Sent[] = [];
    const directed = interceptor.direct(code, async (request) => {
      const token = request.headers['token'];
      const own = token === discord.bot().token ? { token: TOKEN_PLACEHOLDER } : {};
      const known = { ...request, headers: { ...request.headers, ...own } };
      sent.push(known);
      return send(known);
    });
    await bot.install(directed, environmentWith(key));
    await bot.heard(write(discord, message, writtenLike(message)));
    await discord.until(() => sentMessages(server).length > 0);
    await bot.install('', {});
    return { sent, read: [], ...whatIsSeen(server) };
  };
}
