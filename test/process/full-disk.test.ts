import path from 'node:path';
import { describe, expect, test } from 'vitest';

import { limitFileSize } from '../fixtures/file-size-limit.ts';
import { isProgramMissing } from '../fixtures/programs.ts';
import { makeKey, newFolder, startProcess } from './service-process.ts';

/** Of the limit on the size of files. */
const IGNORE_SIGNAL = ['--import', 'data:text/javascript,process.on("SIGXFSZ",()=>{})'];

describe.skipIf(isProgramMissing('prlimit'))('a full disk', () => {
  test('answers changes with 503 and a time to wait, never 401, and recovers without a restart', async () => {
    const STORAGE_URL = `sqlite://${path.join(newFolder(), 'store.sqlite')}`;
    const key = await makeKey(STORAGE_URL);
    const service = startProcess({ STORAGE_URL }, newFolder(), IGNORE_SIGNAL);
    const port = await service.ready();
    const call = async (method: string) => {
      const response = await fetch(`http://127.0.0.1:${port}/api/key`, {
        method,
        headers: { authorization: key },
      });
      return { response, body: (await response.json()) as Record<string, unknown> };
    };
    limitFileSize(service.child.pid!, '1');
    const refused = await call('DELETE');
    expect(refused.response.status).toBe(503);
    expect(refused.response.headers.get('retry-after')).toBe('5');
    expect(refused.body).toEqual({
      ok: false,
      status: 503,
      code: 'storage_unavailable',
      error: 'The change cannot be stored right now.',
      field: null,
      hint: null,
      retry_after: 5,
      request_id: refused.response.headers.get('x-request-id'),
    });
    expect((await call('GET')).response.status).toBe(200);

    limitFileSize(service.child.pid!, 'unlimited');
    expect((await call('DELETE')).body).toMatchObject({ ok: true, revoked: true });
    expect((await call('GET')).body).toMatchObject({ status: 401, code: 'key_revoked' });
    service.child.kill('SIGTERM');
    expect(await service.exited).toBe(0);
  });
});
