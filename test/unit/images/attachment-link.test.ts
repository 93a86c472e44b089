import { describe, expect, test } from 'vitest';

import { GuardedImageFetcher } from '../../../src/images/guarded-image-fetcher.ts';
import type { Problem } from '../../../src/kernel/problem.ts';

const NOW = Date.UTC(2026, 5, 1, 12);
const hex = (at: number) => Math.floor(at / 1_000).toString(16);
const link = (ex: string, host = 'cdn.discordapp.com', folder = 'attachments') =>
  `https://${host}/${folder}/1/2/cat.png?ex=${ex}&is=6a1c2b00&hm=ab`;

/** No name can be looked up, which shows whether a fetch was tried. */
async function codeOf(url: string) {
  await using images = new GuardedImageFetcher({
    userAgent: 'test',
    nameServers: ['127.0.0.1:9'],
    limits: { nameTimeoutMs: 20 },
    now: () => NOW,
  });
  return await images.fetch(url, 'base64', '0', new AbortController().signal).then(
    () => null,
    (problem: Problem) => problem,
  );
}

describe('a link to a file in a message', () => {
  test.each([
    ['cdn.discordapp.com', 'attachments'],
    ['media.discordapp.net', 'attachments'],
    ['cdn.discordapp.com', 'ephemeral-attachments'],
  ])('is refused without a request when it has expired: %s/%s', async (host, folder) => {
    const problem = await codeOf(link(hex(NOW - 60_000), host, folder));
    expect(problem).toMatchObject({
      code: 'image_url_invalid',
      field: 'url',
      message: 'This Discord link expired on 2026-06-01 11:59 (UTC).',
      hint: expect.stringContaining('Copy the link again'),
    });
  });

  test.each([
    ['that goes on', link(hex(NOW + 60_000))],
    ['without an end', 'https://cdn.discordapp.com/attachments/1/2/cat.png'],
    ['with an end that is no number', link('soon')],
    ['with an end beyond all dates', link('f'.repeat(40))],
    ['of another host', link(hex(NOW - 60_000), 'example.com')],
    ['of an avatar', 'https://cdn.discordapp.com/avatars/1/a.png?ex=1'],
  ])('is requested: %s', async (_, url) => {
    expect((await codeOf(url))?.code).not.toBe('image_url_invalid');
  });
});
