import { expect, test } from 'vitest';

import { Problem, type ProblemOptions } from '../../../src/kernel/problem.ts';
import { withFieldNames } from '../../../src/operations/with-field-names.ts';

test.each<[string, ProblemOptions]>([
  ['when to ask again', { retryAfterSeconds: 7 }],
  ['its values and its cause', { values: { status: 404 }, cause: new Error('Not Found') }],
])('a problem that gets the name of a field keeps %s', async (_what, options) => {
  const failed = Promise.reject(new Problem('image_fetch_failed', options));
  const { values, ...kept } = options;
  await expect(withFieldNames({ image_fetch_failed: 'url' }, failed)).rejects.toMatchObject({
    ...kept,
    code: 'image_fetch_failed',
    field: 'url',
    values: { ...values, field: 'url' },
  });
});
