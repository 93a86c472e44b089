import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openDiscordHarness, type DiscordHarness, MEMBER, ELSEWHERE, DM } from './discord-setup.ts';

let harness: DiscordHarness;
beforeAll(async () => {
  harness = await openDiscordHarness();
});
afterAll(() => harness[Symbol.asyncDispose]());

function long(length: number): string {
  return 'A sentence of some words. '.repeat(Math.ceil(length / 26)).slice(0, length);
}

describe('/split', () => {
  test('sends up to five pieces as plain messages that can be copied', async () => {
    const file = { file: { name: 'long.txt', bytes: long(9_500) } };
    const interaction = harness.users.slash('split', { file }, ELSEWHERE);
    const first = await interaction.reply();
    const others = await Promise.all([0, 1, 2, 3].map((at) => interaction.followUp(at)));
    for (const message of [first, ...others]) {
      expect(message.isEphemeral).toBe(true);
      expect(message.isComponentsV2).toBe(false);
      expect(message.content.length).toBeLessThanOrEqual(2_000);
    }
    expect([first, ...others].map(({ content }) => content.trim()).join(' ')).toBe(long(9_500).trim());
    expect(interaction.refusals).toEqual([]);
  });

  test('says how many pieces there are, in a message of its own so that none of them changes', async () => {
    const whole = harness.users.slash('split', { text: 'short' }, ELSEWHERE);
    expect((await whole.reply()).content).toBe('short');
    expect((await whole.followUp(0)).text).toBe('The whole text fits in one piece.');
    const two = harness.users.slash('split', { text: long(3_000) }, ELSEWHERE);
    expect((await two.followUp(1)).text).toBe('Split into 2 pieces.');
    const menu = harness.users.messageCommand('Split text', { content: 'short' }, DM);
    expect((await menu.followUp(0)).text).toContain('The whole text fits in one piece.');
    for (const { refusals } of [whole, two, menu]) expect(refusals).toEqual([]);
  });

  test('attaches more pieces, or pieces for other channels, as a file', async () => {
    const file = { file: { name: 'long.txt', bytes: long(50_000) } };
    const many = await harness.users.slash('split', { file }, ELSEWHERE).reply();
    expect(String(many.files[0]?.bytes)).toMatch(/^----- 1 of 26 -----\nA sentence/);
    const embed = await harness.users
      .slash('split', { text: long(5_000), limit: 'embed_description' }, DM)
      .reply();
    expect(String(embed.files[0]?.bytes)).toMatch(/^----- 1 of 2 -----\n/);
    const wanted = await harness.users.slash('split', { text: 'short', as_file: true }, DM).reply();
    expect(String(wanted.files[0]?.bytes)).toBe('----- 1 of 1 -----\nshort');
  });

  const TABLE = '| Name | Size |\n| --- | --- |\n| a | 1 |';

  test('converts tables and headings of GitHub, says so, and leaves them alone on request', async () => {
    const found = harness.users.slash('split', { text: `#### Sizes\n\n${TABLE}` }, DM);
    expect((await found.reply()).content).toBe('**Sizes**\n\n```\nName  Size\n----  ----\na     1\n```');
    const note = await found.followUp(0);
    expect(note.text).toContain('`/split` with `dialect: Discord`');
    expect(note.isEphemeral).toBe(true);
    const kept = harness.users.slash('split', { text: TABLE, dialect: 'discord' }, DM);
    expect((await kept.reply()).content).toBe(TABLE);
    const asked = await harness.users.slash('split', { text: '- [x] done', dialect: 'github' }, DM).reply();
    expect(asked.content).toBe('- ☑ done');
    const menu = harness.users.messageCommand('Split text', { content: TABLE }, DM);
    expect((await menu.reply()).content).toContain('Name  Size');
    expect((await menu.followUp(0)).text).toContain('dialect: Discord');
    for (const { refusals } of [found, kept, menu]) expect(refusals).toEqual([]);
  });

  test('has buttons to read the text in another way, and to get it in another form', async () => {
    const found = harness.users.slash('split', { text: `#### Sizes\n\n${TABLE}` }, DM);
    const typed = await found.click('As it was typed', {}, await found.followUp(0));
    expect((await typed.reply()).content).toBe(`#### Sizes\n\n${TABLE}`);
    const again = await typed.followUp(0);
    expect(again.text).toContain('Other ways to get this text');
    expect(again.isEphemeral).toBe(true);
    const embeds = await typed.click('Embeds', {}, again);
    expect((await embeds.reply()).text).toBe(`#### Sizes\n\n${TABLE}`);
    const converted = await embeds.click("Convert from GitHub's Markdown", {}, await embeds.followUp(0));
    expect((await converted.reply()).text).toContain('**Sizes**\n\n```\nName  Size');
    for (const { refusals } of [found, typed, embeds, converted]) expect(refusals).toEqual([]);
  });

  test('has the same buttons on a message, whatever its content', async () => {
    const menu = harness.users.messageCommand('Split text', { content: `- [x] ${long(5_000)}` }, DM);
    expect((await menu.reply()).content).toMatch(/^- \[x\] A sentence/);
    await menu.followUp(2);
    const note = menu.followUps.at(-1);
    const converted = await menu.click("Convert from GitHub's Markdown", {}, note);
    expect((await converted.reply()).content).toMatch(/^- ☑ A sentence/);
    const components = await menu.click('Components', {}, note);
    expect((await components.reply()).isComponentsV2).toBe(true);
    expect((await components.reply()).text.length).toBeGreaterThan(3_000);
    for (const { refusals } of [menu, converted, components]) expect(refusals).toEqual([]);
  });

  test('sends the pieces as embeds or as components', async () => {
    const embeds = harness.users.slash('split', { text: long(6_000), as: 'embeds' }, DM);
    const first = await embeds.reply();
    expect(first.text.split('\n').join(' ').trim()).toBe(long(6_000).trim());
    expect(embeds.refusals).toEqual([]);
    const components = harness.users.slash('split', { text: long(6_000), as: 'components' }, DM);
    const display = await components.reply();
    expect(display.isComponentsV2).toBe(true);
    expect(display.text.length).toBeGreaterThan(3_000);
    expect((await components.followUp(0)).text.length).toBeGreaterThan(2_000);
    expect(components.refusals).toEqual([]);
  });

  test('opens a form that keeps line breaks, and remembers the options', async () => {
    const interaction = harness.users.slash('split', { mode: 'code' }, MEMBER);
    const submitted = await interaction.submit({ text: `line\n${'x'.repeat(2_500)}` });
    const first = await submitted.reply();
    expect(first.content).toMatch(/^```\nline\n/);
    expect(first.isEphemeral).toBe(true);
    expect(submitted.refusals).toEqual([]);
  });

  test.each([
    [
      'a text and a file',
      { text: 'a', file: { file: { name: 'a.txt', bytes: 'a' } } },
      'You sent both a text and a file',
    ],
    [
      'an image that is called a text',
      { file: { file: { name: 'a.txt', bytes: Buffer.from('PNG\0') } } },
      'not UTF-8 text',
    ],
    [
      'a file that is not UTF-8',
      { file: { file: { name: 'a.txt', bytes: Buffer.from([0xff, 0xfe, 0x41]) } } },
      'not UTF-8 text',
    ],
    [
      'a file above three bytes for each of 100,000 characters',
      { file: { file: { name: 'a.txt', bytes: 'a'.repeat(300_001) } } },
      'larger than 300,000 bytes',
    ],
    ['a blank text', { text: ' ' }, 'blank'],
  ])('says why it does not accept %s', async (_case, options, message) => {
    const reply = await harness.users.slash('split', options, MEMBER).reply();
    expect(reply.text).toContain(message);
  });

  test('says when the pieces exceed what Discord accepts', async () => {
    const options = { text: long(5_000), as_file: true };
    const reply = await harness.users.slash('split', options, { ...DM, attachmentSizeLimit: 4_000 }).reply();
    expect(reply.text).toContain('larger than the 0.003 MiB');
  });

  test('says when Discord no longer has the file', async () => {
    const interaction = harness.users.slash(
      'split',
      { file: { file: { name: 'a.txt', bytes: 'text' } } },
      MEMBER,
    );
    const { data } = interaction.interaction as unknown as {
      data: { resolved: { attachments: Record<string, { url: string }> } };
    };
    for (const { url } of Object.values(data.resolved.attachments)) harness.discord.cdn.remove(url);
    expect((await interaction.reply()).text).toContain('could not be downloaded from Discord');
  });

  test('reads a file by its bytes, whatever its name', async () => {
    const file = { file: { name: 'notes.log', bytes: 'first\nsecond' } };
    expect((await harness.users.slash('split', { file }, DM).reply()).content).toBe('first\nsecond');
    const seed = { content: '', files: [{ name: 'readme', bytes: 'from a file' }] };
    expect((await harness.users.messageCommand('Split text', seed, DM).reply()).content).toBe('from a file');
  });

  test('prefers the file of a message to its text', async () => {
    const seed = { content: 'see the file', files: [{ name: 'message.txt', bytes: long(3_000) }] };
    const interaction = harness.users.messageCommand('Split text', seed, DM);
    expect((await interaction.reply()).content).toMatch(/^A sentence/);
    expect((await interaction.followUp(0)).content.length).toBeGreaterThan(900);
    const short = await harness.users.messageCommand('Split text', { content: 'short' }, DM).reply();
    expect(short.content).toBe('short');
  });

  test('reads text and files of a forwarded message', async () => {
    const text = { content: 'forwarded', isForward: true };
    expect((await harness.users.messageCommand('Split text', text, DM).reply()).content).toBe('forwarded');
    const files = [{ name: 'message.txt', bytes: long(3_000) }];
    const reply = await harness.users.messageCommand('Split text', { files, isForward: true }, DM).reply();
    expect(reply.content).toMatch(/^A sentence/);
  });
});
