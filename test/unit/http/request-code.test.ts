import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { runInNewContext } from 'node:vm';

import { describe, expect, test } from 'vitest';

import { LANGUAGES, requestCode } from '../../../src/http/docs/assets/operation/request-code.js';

const URL_ = 'https://qm.example/api/parse-args';
const HEADERS = { Authorization: 'QUARTERMASTER_KEY', Token: 'DISCORD_TOKEN' };
const PYTHON = '/usr/bin/python3';
const ENV = { PATH: process.env['PATH'] ?? '', QUARTERMASTER_KEY: 'qm_1', DISCORD_TOKEN: 'token' };

/** Texts that would end a literal, a line or a command where they are not quoted. */
const TEXTS = [
  '!ban <@1> 7d said "no" it\'s',
  "'; rm -rf / #",
  'two\nlines\tand \\n',
  '`id` $(id) $HOME %s @file',
  '🦄 für ğ </script>',
];
const call = (method: string, fields: Record<string, unknown>) => ({
  method,
  url: URL_,
  fields,
  headers: HEADERS,
});

/** The arguments that curl would get. */
function argumentsOfCurl(code: string): string[] {
  const script = `curl() { for each in "$@"; do printf '%s\\0' "$each"; done; }\n${code}`;
  return execFileSync('sh', ['-c', script], { env: ENV, encoding: 'utf8' }).split('\0').slice(0, -1);
}

describe('the code of a request', () => {
  test.each(TEXTS)('sends %j unchanged with curl', (text) => {
    expect(argumentsOfCurl(requestCode('sh', call('POST', { text, max: 7, flag: true })))).toEqual([
      URL_,
      '-H',
      'Authorization: qm_1',
      '-H',
      'Token: token',
      '--data-urlencode',
      `text=${text}`,
      '--data-urlencode',
      'max=7',
      '--data-urlencode',
      'flag=true',
    ]);
    const [first, second] = argumentsOfCurl(requestCode('sh', call('GET', { ids: ['1', '2'] })));
    expect([first, second]).toEqual(['-G', URL_]);
  });

  test.each(TEXTS)('sends %j unchanged with JavaScript', async (text) => {
    const sent: unknown[] = [];
    const run = (code: string) =>
      runInNewContext(`(async () => {${code}})()`, {
        process: { env: ENV },
        URLSearchParams,
        fetch: (url: string, init: object) => {
          sent.push([url, init]);
          return { json: () => ({ ok: true }) };
        },
      }) as Promise<void>;
    await run(requestCode('js', call('POST', { text, ids: ['1', '2'], flag: false })));
    await run(requestCode('js', call('GET', { text })));
    const headers = { Authorization: 'qm_1', Token: 'token' };
    expect(JSON.parse(JSON.stringify(sent))).toEqual([
      [
        URL_,
        {
          method: 'POST',
          headers: { ...headers, 'Content-Type': 'application/json' },
          body: JSON.stringify({ text, ids: ['1', '2'], flag: false }),
        },
      ],
      [`${URL_}?${new URLSearchParams({ text }).toString()}`, { headers }],
    ]);
  });

  test.skipIf(!existsSync(PYTHON)).each(TEXTS)('sends %j unchanged with Python', (text) => {
    const stub = [
      'import sys, types, json',
      "requests = types.ModuleType('requests')",
      'def take(url, **given):',
      '    print(json.dumps([url, given]))',
      "    return types.SimpleNamespace(json=lambda: {'ok': True})",
      'requests.post = requests.get = take',
      "sys.modules['requests'] = requests",
    ].join('\n');
    const code = requestCode('python', call('POST', { text, ids: ['1'], on: true, off: false, max: 7 }));
    const printed = execFileSync(PYTHON, ['-c', `${stub}\n${code}`], { env: ENV, encoding: 'utf8' });
    expect(JSON.parse(printed)).toEqual([
      URL_,
      {
        headers: { Authorization: 'qm_1', Token: 'token' },
        json: { text, ids: ['1'], on: true, off: false, max: 7 },
        timeout: 15,
      },
    ]);
  });

  test('contains no key, in any language', () => {
    for (const language of Object.keys(LANGUAGES)) {
      expect(requestCode(language as keyof typeof LANGUAGES, call('POST', {}))).toContain(
        'QUARTERMASTER_KEY',
      );
    }
  });
});
