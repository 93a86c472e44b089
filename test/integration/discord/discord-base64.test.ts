import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { png } from '../../unit/images/image-files.ts';
import { MEMBER_ID, openDiscordBench, type DiscordBench } from './discord-setup.ts';

let bench: DiscordBench;
beforeAll(async () => {
  bench = await openDiscordBench();
});
afterAll(() => bench[Symbol.asyncDispose]());

const MEMBER = { userId: MEMBER_ID };
const DM = { guildId: null, userId: MEMBER_ID };

describe('/base64', () => {
  const small = { name: 'small.png', bytes: png(16, 16) };

  test('shows a small image, and gives a larger one as a file', async () => {
    const shown = await bench.users.slash('base64', { image: { file: small } }, DM).reply();
    expect(shown.text).toContain(png(16, 16).toString('base64'));
    expect(shown.text).toContain('16 × 16 pixels');
    const bytes = Buffer.concat([png(64, 64), Buffer.alloc(50_000)]);
    const interaction = bench.users.slash(
      'base64',
      { image: { file: { name: 'a.png', bytes } }, format: 'data_uri' },
      DM,
    );
    const large = await interaction.reply();
    expect(String(large.files[0]?.bytes)).toBe(`data:image/png;base64,${bytes.toString('base64')}`);
    expect(interaction.refusals).toEqual([]);
  });

  test('says when the answer is larger than Discord takes', async () => {
    const bytes = Buffer.concat([png(64, 64), Buffer.alloc(800_000)]);
    const scene = { ...DM, attachmentSizeLimit: 1_048_576 };
    const reply = await bench.users
      .slash('base64', { image: { file: { name: 'a.png', bytes } } }, scene)
      .reply();
    expect(reply.text).toContain('larger than the 1 MiB that Discord takes');
  });

  test.each([
    ['nothing', {}, 'There is no image'],
    [
      'a file and an address',
      { image: { file: small }, url: 'https://example.com/a.png' },
      'a file and an address',
    ],
    ['an address that is none', { url: 'file:///etc/passwd' }, 'cannot be used'],
    ['a text', { image: { file: { name: 'a.txt', bytes: 'hello' } } }, 'no image'],
  ])('says why it does not take %s', async (_case, options, message) => {
    const reply = await bench.users.slash('base64', options, MEMBER).reply();
    expect(reply.text).toContain(message);
    expect(reply.isEphemeral).toBe(true);
  });

  test('takes the image of a message: a file, one that is shown, or an address in the text', async () => {
    const { url } = bench.discord.cdn.put(small);
    for (const seed of [
      { files: [small] },
      { embeds: [{ image: { url } }] },
      { content: `look: ${url} !` },
    ]) {
      const reply = await bench.users.messageCommand('Image to base64', seed, DM).reply();
      expect(reply.text).toContain(png(16, 16).toString('base64'));
    }
    const none = await bench.users.messageCommand('Image to base64', { content: 'no picture' }, DM).reply();
    expect(none.text).toContain('no image in this message');
  });
});
