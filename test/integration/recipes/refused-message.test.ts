import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

import { DiscordAPIError } from 'discord.js';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';

import { startTestApp, type TestApp } from '../../fixtures/test-app.ts';
import { isDiscordPyMissing, PYTHON } from './discordpy-bot.ts';

const PAGE = readFileSync(new URL('../../../docs/recipes.md', import.meta.url), 'utf8');
const WHY = 'The title of embed 1 has 300 characters; Discord takes 256.';
const ANSWER = {
  code: 50_035,
  message: 'Invalid Form Body',
  errors: {
    embeds: {
      0: {
        title: { _errors: [{ code: 'BASE_TYPE_MAX_LENGTH', message: 'Must be 256 or fewer in length.' }] },
      },
    },
  },
};
const MESSAGE = { embeds: [{ title: 'x'.repeat(300) }] };

const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor as new (
  ...parameters: string[]
) => (...values: unknown[]) => Promise<unknown>;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

function codeOf(language: 'js' | 'py', url: string): string {
  const section = PAGE.split(/^## /m).find((part) => part.startsWith('When Discord refuses a message')) ?? '';
  const code = section.split(`\`\`\`${language}\n`)[1]?.split('\n```')[0] ?? '';
  expect(code).toContain('https://quartermaster.example');
  return code.replaceAll('https://quartermaster.example', url);
}

describe('the code for discord.js', () => {
  test.each([
    ['says why Discord refused a message', () => app.url, WHY],
    [
      "shows Discord's error when the service is unreachable",
      () => 'http://127.0.0.1:1',
      'Must be 256 or fewer in length.',
    ],
  ])('%s, and throws as without it', async (_, url, why) => {
    const said: string[] = [];
    const mock = vi.spyOn(console, 'error').mockImplementation((text: string) => void said.push(text));
    onTestFinished(() => mock.mockRestore());
    vi.stubEnv('QUARTERMASTER_KEY', app.key);
    onTestFinished(() => void vi.unstubAllEnvs());
    const refusal = new DiscordAPIError(ANSWER, 50_035, 400, 'POST', 'https://discord.com/api', {
      body: MESSAGE,
      files: [],
    });
    const channel = { send: () => Promise.reject(refusal) };
    const run = new AsyncFunction(
      'channel',
      'message',
      `${codeOf('js', url())}\nreturn sendChecked(channel, message);`,
    );
    await expect(run(channel, MESSAGE)).rejects.toBe(refusal);
    expect(said.join('\n')).toContain(why);
  });
});

describe.skipIf(isDiscordPyMissing())('the code for discord.py', () => {
  test.each([
    ['says why Discord refused a message', () => app.url, WHY],
    [
      "shows Discord's error when the service is unreachable",
      () => 'http://127.0.0.1:1',
      'Must be 256 or fewer in length.',
    ],
  ])('%s, and raises as without it', async (_, url, why) => {
    const program = `${codeOf('py', url())}
import asyncio, json, types

class Channel:
    async def send(self, content, *, embeds):
        raise discord.HTTPException(types.SimpleNamespace(status=400, reason="Bad Request"), json.loads(${JSON.stringify(JSON.stringify(ANSWER))}))

try:
    asyncio.run(send_checked(Channel(), embeds=[discord.Embed(title="x" * 300)]))
except discord.HTTPException:
    print("raised")
`;
    const env = { ...process.env, QUARTERMASTER_KEY: app.key };
    const { stdout } = await promisify(execFile)(PYTHON, ['-c', program], { env });
    expect(stdout).toContain(why);
    expect(stdout).toMatch(/^raised$/m);
  });
});
