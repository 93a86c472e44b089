import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { still } from '../../fixtures/fit-pictures.ts';
import { gif, png } from '../../fixtures/image-files.ts';
import { openDiscordHarness, type DiscordHarness, MEMBER, DM } from './discord-setup.ts';

let harness: DiscordHarness;
beforeAll(async () => {
  harness = await openDiscordHarness();
});
afterAll(() => harness[Symbol.asyncDispose]());

describe('/base64', () => {
  const small = { name: 'small.png', bytes: png(16, 16) };

  test('shows a small image, and attaches a larger one as a file', async () => {
    const shown = await harness.users.slash('base64', { image: { file: small } }, DM).reply();
    expect(shown.text).toContain(png(16, 16).toString('base64'));
    expect(shown.text).toContain('16 × 16 pixels');
    const bytes = Buffer.concat([png(64, 64), Buffer.alloc(50_000)]);
    const interaction = harness.users.slash(
      'base64',
      { image: { file: { name: 'a.png', bytes } }, format: 'data_uri' },
      DM,
    );
    const large = await interaction.reply();
    expect(String(large.files[0]?.bytes)).toBe(`data:image/png;base64,${bytes.toString('base64')}`);
    expect(interaction.refusals).toEqual([]);
  });

  test('makes an image fit and shows it: before and after in text, the picture and its base64 as files', async () => {
    const bytes = await still('webp', 600, 400);
    const options = { image: { file: { name: 'a.webp', bytes } }, for: 'sticker' };
    const interaction = harness.users.slash('base64', options, DM);
    const reply = await interaction.reply();
    expect(reply.text).toContain('Adjusted for: Sticker');
    expect(reply.text).toContain(
      `**Before** 600 × 400 pixels, ${bytes.length.toLocaleString('en')} bytes, image/webp`,
    );
    expect(reply.text).toMatch(/\*\*After\*\* 320 × 320 pixels, [\d,]+ bytes, image\/png/);
    const [picture, text] = reply.files;
    expect([picture?.name, text?.name]).toEqual(['fitted.png', 'base64.txt']);
    expect(String(text?.bytes)).toBe(Buffer.from(picture?.bytes ?? []).toString('base64'));
    expect(JSON.stringify(reply)).toContain('attachment://fitted.png');
    expect(interaction.refusals).toEqual([]);
  });

  test('says when an image fits already, and why one cannot be made to fit', async () => {
    const fits = await harness.users.slash('base64', { image: { file: small }, for: 'emoji' }, DM).reply();
    expect(fits.text).toContain('Already fits: Emoji');
    expect(fits.text).toContain('**Image** 16 × 16 pixels');
    const long = { name: 'long.gif', bytes: gif(400, 400, { frames: 51, delay: 10 }) };
    const refused = await harness.users
      .slash('base64', { image: { file: long }, for: 'sticker' }, DM)
      .reply();
    expect(refused.text).toContain('longer than 5 seconds');
  });

  test('says when the answer is larger than Discord accepts', async () => {
    const bytes = Buffer.concat([png(64, 64), Buffer.alloc(800_000)]);
    const scene = { ...DM, attachmentSizeLimit: 1_048_576 };
    const reply = await harness.users
      .slash('base64', { image: { file: { name: 'a.png', bytes } } }, scene)
      .reply();
    expect(reply.text).toContain('larger than the 1 MiB that Discord accepts');
  });

  test.each([
    ['nothing', {}, 'There is no image'],
    [
      'both a file and a URL',
      { image: { file: small }, url: 'https://example.com/a.png' },
      'both a file and a URL',
    ],
    ['text that is not a URL', { url: 'file:///etc/passwd' }, 'cannot be used'],
    ['an emoji', { url: '<a:party:123456789012345678>' }, '/emojis/123456789012345678.webp?animated=true'],
    ['a data URI', { url: 'data:image/png;base64,iVBORw0KGgo=' }, 'the image itself'],
    ['a text', { image: { file: { name: 'a.txt', bytes: 'hello' } } }, 'no image'],
  ])('says why it does not accept %s', async (_case, options, message) => {
    const reply = await harness.users.slash('base64', options, MEMBER).reply();
    expect(reply.text).toContain(message);
    expect(reply.isEphemeral).toBe(true);
  });

  test('finds the image of a message: a file, a shown one, or a URL in the text', async () => {
    const other = { name: 'other.png', bytes: png(8, 8) };
    const { url } = harness.discord.cdn.put(small);
    const { url: otherUrl } = harness.discord.cdn.put(other);
    for (const seed of [
      { files: [small], embeds: [{ image: { url: otherUrl } }], content: otherUrl },
      { embeds: [{ image: { url }, thumbnail: { url: otherUrl } }], content: otherUrl },
      { embeds: [{ thumbnail: { url } }], content: otherUrl },
      { content: `look: ${url} !` },
    ]) {
      const reply = await harness.users.messageCommand('Image to base64', seed, DM).reply();
      expect(reply.text).toContain(png(16, 16).toString('base64'));
    }
    for (const [file, after] of [
      [{ ...small, contentType: null }, ''],
      [{ ...small, name: 'unknown', contentType: null, width: 16, height: 16 }, ''],
    ] as const) {
      const seed = { files: [file], content: after };
      const reply = await harness.users.messageCommand('Image to base64', seed, DM).reply();
      expect(reply.text).toContain(png(16, 16).toString('base64'));
    }
    const inSentence = await harness.users
      .messageCommand('Image to base64', { content: `Look at (${url}).` }, DM)
      .reply();
    expect(inSentence.text).toContain(png(16, 16).toString('base64'));
    const none = await harness.users.messageCommand('Image to base64', { content: 'no picture' }, DM).reply();
    expect(none.text).toContain('This message has no image');
  });
});
