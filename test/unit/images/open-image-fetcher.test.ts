import { expect, test } from 'vitest';

import { openImageFetcher } from '../../../src/images/open-image-fetcher.ts';

const { signal } = new AbortController();

test('before the first image there is no job, and closing waits for nothing', async () => {
  const images = openImageFetcher({ userAgent: 'test' });
  expect({ ...images.jobs }).toEqual({ running: 0, waiting: 0 });
  await images[Symbol.asyncDispose]();
  await expect(images.fetch('http://127.0.0.1/', 'base64', '0', signal)).rejects.toMatchObject({
    code: 'shutting_down',
  });
});

test('a fetch that is the first waits for what it needs, and is refused once it is closed', async () => {
  const images = openImageFetcher({ userAgent: 'test' });
  const fetched = images.fetch('http://127.0.0.1/', 'base64', '0', signal);
  await expect(fetched).rejects.toMatchObject({ code: 'image_address_not_allowed' });
  await images[Symbol.asyncDispose]();
  await expect(images.fetch('http://127.0.0.1/', 'base64', '0', signal)).rejects.toMatchObject({
    code: 'shutting_down',
  });
});
