import { afterAll, describe, expect, test } from 'vitest';

import type { ImageFetchLimits } from '../../../src/images/image-fetch-limits.ts';
import { Problem, type ProblemCode } from '../../../src/kernel/problem.ts';
import { HOSTILE_ORIGINS } from './images-hostile-table.ts';
import { startOrigin } from './images-origin.ts';
import { startTestApp, type TestApp } from '../../fixtures/test-app.ts';

const REFUSED = HOSTILE_ORIGINS.filter(({ code }) => code !== 'ok');
const PROBLEM_KEYS = ['ok', 'status', 'code', 'error', 'field', 'hint', 'retry_after', 'request_id'];

describe('a hostile server over HTTP', () => {
  // Origins that need the same periods share an app.
  const apps = new Map<string, Promise<TestApp>>();
  const appWith = (images: Partial<ImageFetchLimits> = {}) => {
    const periods = JSON.stringify(images);
    const app =
      apps.get(periods) ??
      startTestApp({ IMAGE_ALLOW_PRIVATE: 'true', IMAGE_RATE_LIMIT: '1000', METRICS_PORT: '0' }, { images });
    apps.set(periods, app);
    return app;
  };
  afterAll(async () => {
    for (const app of apps.values()) await (await app)[Symbol.asyncDispose]();
  });

  test.each(REFUSED)('ends with its code: $name: $code', async ({ behave, code, error, limits }) => {
    await using origin = await startOrigin(behave);
    const app = await appWith(limits);
    const reply = await app.postJson('/api/image-to-base64', { url: `${origin.url}/start` });

    const { status, message } = new Problem(code as ProblemCode);
    expect(reply).toMatchObject({
      status,
      type: 'application/json',
      body: { ok: false, status, code, error: error ?? message, retry_after: null },
    });
    expect(Object.keys(reply.body)).toEqual(PROBLEM_KEYS);
    // Neither what the other side said nor where it was found.
    expect(reply.text).not.toMatch(/127\.0\.0\.1|secret|ECONN|UND_ERR|\bat \//);
    const metrics = await app.metrics();
    expect(metrics).toMatch(/^quartermaster_image_jobs_running 0$/m);
  });
});
