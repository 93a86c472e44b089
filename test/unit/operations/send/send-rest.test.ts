import { describe, expect, test } from 'vitest';

import { makeGithubPatterns } from '../../../fixtures/text-corpus/github-patterns.ts';
import { makeHostile } from '../../../fixtures/text-corpus/hostile.ts';
import { normaliseRequest } from '../../../../src/operations/send/normalise-request.ts';
import { prepareMessages } from '../../../../src/operations/send/prepare-messages.ts';
import { input } from '../../../../src/operations/send/request.ts';
import { Problem } from '../../../../src/kernel/problem.ts';

const LENGTH = 1_000;
const GOING_ON = new AbortController().signal;

/** The lengths of the rests from each message on. */
async function restLengths(fields: object): Promise<number[]> {
  const request = normaliseRequest(input.parse(fields), null);
  const { total, restFrom } = await prepareMessages(request, '1', GOING_ON);
  return Array.from({ length: total }, (_, message) => restFrom(message).length);
}

describe.each(['discord', 'github'])('with dialect=%s', (dialect) => {
  test.each([...makeHostile(LENGTH), ...makeGithubPatterns(LENGTH)])(
    'the rest of %s is never longer than the text in the channel',
    async (_name, text) => {
      try {
        const [whole = 0, ...later] = await restLengths({ text, dialect, max_length: 40 });
        expect(Math.max(0, ...later)).toBeLessThanOrEqual(whole);
      } catch (error) {
        // Some show nothing.
        if (!(error instanceof Problem) || error.code !== 'missing_field') throw error;
      }
    },
  );
});
