import { expect, test } from 'vitest';

import { problemOfFailure } from '../../../src/images/fetch-problem.ts';

const failed = (message: string, code?: unknown, cause?: unknown) =>
  Object.assign(new TypeError(message, { cause }), code === undefined ? {} : { code });

test.each([
  ['its code', failed('read 203.0.113.7', 'ECONNRESET'), 'ECONNRESET'],
  ['its name where it has no code', failed('read 203.0.113.7'), 'TypeError'],
  ['its name where its code is no text', failed('read 203.0.113.7', 7), 'TypeError'],
  [
    'the codes of its causes',
    failed('fetch failed', undefined, failed('other side closed', 'UND_ERR_SOCKET')),
    'TypeError, because of UND_ERR_SOCKET',
  ],
  ['no detail of a value that is not an error', 'https://example.com/a.png', 'unknown'],
])('the log names a failed fetch by %s', (_name, error, named) => {
  expect(problemOfFailure(error).cause).toMatchObject({ message: `The image was not fetched: ${named}` });
});

test('the log names at most three causes, even if they form a circle', () => {
  const error = failed('a', 'A');
  error.cause = error;
  expect(problemOfFailure(error).cause).toMatchObject({
    message: 'The image was not fetched: A, because of A, because of A, because of A',
  });
});
