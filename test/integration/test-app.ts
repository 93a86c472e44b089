import { randomInt } from 'node:crypto';

import { startApp, type App, type AppOptions } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config/config.ts';
import { createLog } from '../../src/telemetry/log.ts';

export interface Reply {
  readonly status: number;
  readonly type: string | null;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON body; an empty object when there is none. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface TestApp extends AsyncDisposable {
  readonly app: App;
  readonly url: string;
  readonly port: number;
  /** A key of `guildId`. */
  readonly key: string;
  readonly guildId: string;
  /** Everything that was logged, a line each. */
  readonly logLines: readonly string[];
  /** A request with the key, unless headers say otherwise. */
  call(path: string, init?: RequestInit): Promise<Reply>;
  postJson(path: string, body: unknown, headers?: Record<string, string>): Promise<Reply>;
  createKey(options?: { guildId?: string; flat?: boolean; always200?: boolean }): Promise<string>;
}

/** The whole app on a free port, with storage in memory unless `env` says otherwise. */
export async function startTestApp(
  env: Record<string, string> = {},
  options: AppOptions = {},
): Promise<TestApp> {
  const logLines: string[] = [];
  const config = loadConfig({ PORT: '0', STORAGE_URL: 'memory:', RATE_LIMIT: '100000', ...env });
  const log = createLog('debug', {
    destination: { write: (lines) => void logLines.push(...lines.trimEnd().split('\n')) },
  });
  const app = await startApp(config, log, options);
  // Another one each time: databases outlive a test that fails.
  const guildId = `9${String(randomInt(2 ** 47)).padStart(17, '0')}`;
  let names = 0;
  const createKey: TestApp['createKey'] = async ({
    guildId: ownerId = guildId,
    flat = false,
    always200 = false,
  } = {}) => {
    names += 1;
    const options = {
      guildId: ownerId,
      name: `test ${names}`,
      createdBy: 'cli',
      expiresInDays: null,
      flat,
      always200,
    } as const;
    return (await app.keys.create(options)).key;
  };
  const key = await createKey();
  const url = `http://127.0.0.1:${app.port}`;
  const call: TestApp['call'] = async (path, init = {}) => {
    const headers = new Headers(init.headers);
    if (!headers.has('authorization')) headers.set('authorization', key);
    else if (headers.get('authorization') === '') headers.delete('authorization');
    const response = await fetch(url + path, { ...init, headers });
    const text = await response.text();
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      headers: response.headers,
      text,
      body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    };
  };
  return {
    app,
    url,
    port: app.port,
    key,
    guildId,
    logLines,
    call,
    postJson: (path, body, headers = {}) =>
      call(path, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...headers },
      }),
    createKey,
    [Symbol.asyncDispose]: () => app.close(),
  };
}
