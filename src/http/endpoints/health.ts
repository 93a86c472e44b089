import * as z from 'zod';

import type { Answer, SuccessBody } from '../../operations/operation.ts';
import type { Problem } from '../../kernel/problem.ts';
import { VERSION } from '../../kernel/version.ts';
import { ANYWHERE, type Endpoint } from './endpoint.ts';

export interface Readiness {
  /** Null when this process should get requests. */
  readonly problem: Problem | null;
  /** The state of each part: a short word, or a small object without secrets. */
  readonly parts: Readonly<Record<string, unknown>>;
}

export const LIVE = {
  name: 'health-live',
  path: '/health/live',
  tag: 'health',
  methods: {
    GET: {
      id: 'live',
      summary: 'The process runs',
      description: 'Restart the process when this does not answer.',
      answer: {
        schemaName: 'Live',
        description: 'It runs.',
        output: z.object({ ok: z.literal(true), status: z.literal('live') }),
        example: { ok: true, status: 'live' },
        problems: ANYWHERE,
        needsKey: false,
        isCounted: false,
      },
    },
  },
} as const satisfies Endpoint;

export const READY = {
  name: 'health-ready',
  path: '/health/ready',
  tag: 'health',
  methods: {
    GET: {
      id: 'ready',
      summary: 'The process takes requests',
      description: 'Send it no requests while this is not 200.',
      answer: {
        schemaName: 'Ready',
        description: 'It takes requests.',
        output: z.object({
          ok: z.literal(true),
          status: z.literal('ready'),
          version: z.string().optional(),
          storage: z.string().optional(),
          discord: z
            .looseObject({})
            .optional()
            .meta({ description: 'Whether the gateway is connected, and why not.' }),
        }),
        example: {
          ok: true,
          status: 'ready',
          version: VERSION,
          storage: 'ok',
          discord: { connected: false, reason: 'off' },
        },
        problems: [...ANYWHERE, 'storage_unavailable', 'shutting_down'],
        needsKey: false,
        isCounted: false,
      },
    },
  },
} as const satisfies Endpoint;

/** The process is running. Restart it when this does not answer. */
export function answerLive(): Answer<SuccessBody> {
  return { value: LIVE.methods.GET.answer.example };
}

/**
 * Send this process no requests while this does not answer 200.
 * @throws Problem `storage_unavailable`, `shutting_down` …
 */
export async function answerReady(
  readStatus: () => Promise<{ readonly readiness: Readiness }>,
): Promise<Answer<SuccessBody>> {
  const { problem, parts } = (await readStatus()).readiness;
  if (problem !== null) throw problem;
  return { value: { ok: true, status: 'ready', ...parts } };
}
