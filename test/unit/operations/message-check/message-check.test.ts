import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { checkMessage } from '../../../../src/operations/message-check/check-message.ts';
import { type Fields, KINDS } from '../../../../src/operations/message-check/check-context.ts';
import type { Sender } from '../../../../src/operations/message-check/message-fields.ts';
import { quickOrFull } from '../../../fixtures/full-run.ts';
import { messages } from './made-messages.ts';

const V2 = 32_768;

function kindsOf(message: Fields, sender: Sender = 'bot'): string[] {
  const { problems, notices } = checkMessage(message, sender);
  return [
    ...problems.map(({ path, kind, fixed }) => `${fixed ? 'fixed ' : ''}${kind} ${path ?? '(whole)'}`),
    ...notices.map(({ path, kind, fixed }) => `notice ${fixed ? 'fixed ' : ''}${kind} ${path ?? '(whole)'}`),
  ];
}

const embed = (fields: Fields): Fields => ({ embeds: [fields] });
const row = (...components: readonly Fields[]): Fields => ({
  content: 'x',
  components: [{ type: 1, components }],
});
const button = (more: Fields = {}): Fields => ({ type: 2, style: 1, label: 'Go', custom_id: 'go', ...more });
const select = (more: Fields = {}): Fields => ({
  type: 3,
  custom_id: 's',
  options: [{ label: 'A', value: 'a' }],
  ...more,
});
const layout = (...components: readonly Fields[]): Fields => ({ flags: V2, components });
const display = (content: string): Fields => ({ type: 10, content });

describe('a message that Discord accepts', () => {
  test.each<[string, Fields, Sender]>([
    ['of text', { content: 'Hello' }, 'bot'],
    ['with an embed', embed({ title: 'x', color: 0, timestamp: '2026-01-31T18:00:00Z' }), 'webhook'],
    ['with buttons', row(button(), { type: 2, style: 5, label: 'Open', url: 'https://e.io' }), 'bot'],
    ['with a menu', row(select({ min_values: 0, max_values: 1 })), 'interaction'],
    ['of components', layout({ type: 17, accent_color: 1, components: [display('x'), { type: 14 }] }), 'bot'],
    ['with a poll', { poll: { question: { text: 'x' }, answers: [{ poll_media: { text: 'y' } }] } }, 'bot'],
    ['with a name that holds "here"', { content: 'x', username: 'Sphere' }, 'webhook'],
    ['that forwards', { message_reference: { type: 1, message_id: '1', channel_id: '2' } }, 'bot'],
    ['with nulls', { content: 'x', embeds: null, components: null, flags: null, tts: null }, 'bot'],
    ['of a callback', { type: 4, data: { content: 'x', flags: 64 } }, 'interaction'],
    [
      'with empty lists of mentions',
      { content: 'x', allowed_mentions: { parse: ['users'], users: [] } },
      'bot',
    ],
  ])('%s has no problem', (_, message, sender) => {
    expect(kindsOf(message, sender)).toEqual([]);
  });

  test.each<[string, Fields]>([
    [
      'characters of embeds',
      { embeds: [4_096, 1_904].map((length) => ({ description: 'x'.repeat(length) })) },
    ],
    [
      'rows',
      {
        components: Array.from({ length: 5 }, (_, at) => ({
          type: 1,
          components: [button({ custom_id: String(at) })],
        })),
      },
    ],
    ['components', layout(...Array.from({ length: 40 }, () => display('x')))],
    ['characters of text displays', layout(display('x'.repeat(2_000)), display('x'.repeat(2_000)))],
    ['bytes of text displays', layout(display('漢'.repeat(3_386)))],
  ])('has no problem with the maximum number of %s', (_, message) => {
    expect(kindsOf(message)).toEqual([]);
  });
});

describe('a message that Discord refuses', () => {
  test.each<[string, Fields, string[], Sender?]>([
    ['nothing', {}, ['empty_message (whole)']],
    ['blank content', { content: ' \n' }, ['empty_message (whole)']],
    ['a long content', { content: 'x'.repeat(2_001) }, ['too_long content']],
    ['eleven embeds', { embeds: Array.from({ length: 11 }, () => ({ title: 'x' })) }, ['too_many embeds']],
    ['an empty embed', { content: 'x', embeds: [{}] }, ['empty embeds[0]']],
    ['a field without value', embed({ fields: [{ name: 'x' }] }), ['missing embeds[0].fields[0].value']],
    ['a blank name', embed({ fields: [{ name: ' ', value: 'x' }] }), ['empty embeds[0].fields[0].name']],
    ['a large colour', embed({ title: 'x', color: 16_777_216 }), ['too_large embeds[0].color']],
    ['a negative colour', embed({ title: 'x', color: -1 }), ['too_small embeds[0].color']],
    ['a relative URL', embed({ title: 'x', url: '/a' }), ['format embeds[0].url']],
    ['an upload as a link', embed({ title: 'x', url: 'attachment://a.png' }), ['format embeds[0].url']],
    [
      'a day that no calendar has',
      embed({ title: 'x', timestamp: '2026-02-30T18:00:00Z' }),
      ['format embeds[0].timestamp'],
    ],
    ['a list as content', { content: ['x'] }, ['type content']],
    [
      'six rows',
      {
        content: 'x',
        components: Array.from({ length: 6 }, (_, n) => ({
          type: 1,
          components: [button({ custom_id: `${n}` })],
        })),
      },
      ['too_many components'],
    ],
    ['an empty row', row(), ['too_few components[0].components']],
    ['a menu beside a button', row(select(), button()), ['too_many components[0].components']],
    ['a button at the top', { content: 'x', components: [button()] }, ['place components[0]']],
    [
      'a part of a modal',
      row({ type: 4, custom_id: 'x', style: 1, label: 'x' }),
      ['place components[0].components[0]'],
    ],
    ['a component of no kind', row({ type: 99 }), ['choice components[0].components[0].type']],
    ['a component without type', row({ style: 1 }), ['missing components[0].components[0].type']],
    ['a button without label', row(button({ label: null })), ['missing components[0].components[0].label']],
    [
      'a link with a custom_id',
      row(button({ style: 5, url: 'https://e.io' })),
      ['conflict components[0].components[0].custom_id'],
    ],
    [
      'a premium button with a label',
      row({ type: 2, style: 6, sku_id: '1', label: 'x' }),
      ['conflict components[0].components[0].label'],
    ],
    ['a custom_id twice', row(button(), button()), ['duplicate components[0].components[1].custom_id']],
    [
      'a value twice',
      row(
        select({
          options: [
            { label: 'A', value: 'a' },
            { label: 'B', value: 'a' },
          ],
        }),
      ),
      ['duplicate components[0].components[0].options[1].value'],
    ],
    [
      'more at least than at most',
      row(select({ min_values: 2, max_values: 1 })),
      ['too_large components[0].components[0].min_values'],
    ],
    [
      'a default of another kind',
      row({ type: 5, custom_id: 'u', default_values: [{ id: '1', type: 'role' }] }),
      ['choice components[0].components[0].default_values[0].type'],
    ],
    [
      'a word as an emoji',
      row(button({ emoji: { name: 'smile' } })),
      ['format components[0].components[0].emoji.name'],
    ],
    ['content beside the flag', { content: 'x', ...layout(display('x')) }, ['conflict content']],
    ['41 components', layout(...Array(41).fill(display('x'))), ['too_many components']],
    [
      'long displays',
      layout(display('x'.repeat(2_001)), display('x'.repeat(2_000))),
      ['too_long components'],
    ],
    [
      'an id of two components',
      layout({ ...display('x'), id: 1 }, { ...display('y'), id: 1 }),
      ['duplicate components[1].id'],
    ],
    [
      'no upload as a file',
      layout({ type: 13, file: { url: 'https://e.io/a' } }),
      ['format components[0].file.url'],
    ],
    [
      'a section without its accessory',
      layout({ type: 9, components: [display('x')] }),
      ['missing components[0].accessory'],
    ],
    [
      'components of the flag beside content',
      { content: 'x', components: [display('y')] },
      ['missing flags'],
    ],
    [
      'mentions of both kinds',
      { content: 'x', allowed_mentions: { parse: ['roles'], roles: ['1'] } },
      ['conflict allowed_mentions.roles'],
    ],
    [
      'an unknown kind of mention',
      { content: 'x', allowed_mentions: { parse: ['members'] } },
      ['choice allowed_mentions.parse[0]'],
    ],
    [
      'a forward from nowhere',
      { message_reference: { type: 1, message_id: '1' } },
      ['missing message_reference.channel_id'],
    ],
    ['a name with clyde', { content: 'x', username: 'Clyde 2' }, ['name username'], 'webhook'],
    ['the name everyone', { content: 'x', username: 'Everyone' }, ['name username'], 'webhook'],
    [
      'a poll of 33 days',
      { poll: { question: { text: 'x' }, answers: [{ poll_media: { text: 'y' } }], duration: 769 } },
      ['too_large poll.duration'],
    ],
    [
      'a long answer',
      { poll: { question: { text: 'x' }, answers: [{ poll_media: { text: 'y'.repeat(56) } }] } },
      ['too_long poll.answers[0].poll_media.text'],
    ],
    ['an empty callback', { type: 4, data: {} }, ['empty_message (whole)'], 'interaction'],
    [
      'a callback with a long title',
      { type: 7, data: embed({ title: 'x'.repeat(257) }) },
      ['too_long data.embeds[0].title'],
      'interaction',
    ],
  ])('is reported: %s', (_, message, expected, sender = 'bot') => {
    expect(kindsOf(message, sender)).toEqual(expected);
  });
});

describe('a mistake with one possible reading is repaired:', () => {
  test.each<[string, Fields, Fields, Sender?]>([
    [
      'a colour of three digits',
      embed({ title: 'x', color: '#abc' }),
      embed({ title: 'x', color: 0xaabbcc }),
    ],
    ['a colour with 0x', embed({ title: 'x', color: '0xFF0000' }), embed({ title: 'x', color: 0xff0000 })],
    [
      'a colour with a letter',
      embed({ title: 'x', color: 'ff0000' }),
      embed({ title: 'x', color: 0xff0000 }),
    ],
    ['a colour of digits', embed({ title: 'x', color: '123456' }), embed({ title: 'x', color: 123_456 })],
    ['rgb()', embed({ title: 'x', color: 'rgb(1, 2, 3)' }), embed({ title: 'x', color: 0x010203 })],
    ['a list of channels', embed({ title: 'x', color: [1, 2, 3] }), embed({ title: 'x', color: 0x010203 })],
    [
      'milliseconds',
      embed({ title: 'x', timestamp: 1_719_230_400_000 }),
      embed({ title: 'x', timestamp: '2024-06-24T12:00:00.000Z' }),
    ],
    [
      'a mark of a time',
      embed({ title: 'x', timestamp: '<t:1719230400:R>' }),
      embed({ title: 'x', timestamp: '2024-06-24T12:00:00.000Z' }),
    ],
    ['JSON for a list', { embeds: '[{"title":"x"}]' }, embed({ title: 'x' })],
    [
      'a text for an image',
      embed({ title: 'x', image: 'https://e.io/a.png' }),
      embed({ title: 'x', image: { url: 'https://e.io/a.png' } }),
    ],
    ['a text for a footer', embed({ title: 'x', footer: 'y' }), embed({ title: 'x', footer: { text: 'y' } })],
    ['a text for an emoji', row(button({ emoji: '👋' })), row(button({ emoji: { name: '👋' } }))],
    [
      "a server's emoji",
      row(button({ emoji: '<a:wave:123>' })),
      row(button({ emoji: { id: '123', name: 'wave', animated: true } })),
    ],
    [
      'answers without poll_media',
      { poll: { question: { text: 'x' }, answers: ['y', { text: 'z' }] } },
      {
        poll: {
          question: { text: 'x' },
          answers: [{ poll_media: { text: 'y' } }, { poll_media: { text: 'z' } }],
        },
      },
    ],
    ['text in place of content', { text: 'x' }, { content: 'x' }],
    ['colour', embed({ title: 'x', colour: 1 }), embed({ title: 'x', color: 1 })],
    ['ephemeral', { content: 'x', ephemeral: true }, { content: 'x', flags: 64 }, 'interaction'],
    [
      'names of flags',
      { content: 'x', flags: ['SuppressEmbeds', 'SUPPRESS_NOTIFICATIONS'] },
      { content: 'x', flags: 4_100 },
    ],
    [
      'names of types and styles',
      {
        content: 'x',
        components: [{ type: 'ACTION_ROW', components: [button({ type: 'Button', style: 'PRIMARY' })] }],
      },
      row(button()),
    ],
    ['numbers as text', row(select({ min_values: '1' })), row(select({ min_values: 1 }))],
    ['text as a boolean', { content: 'x', tts: 'true' }, { content: 'x', tts: true }],
    ['a number as text', { content: 5 }, { content: '5' }],
    [
      'an id as a number',
      { content: 'x', allowed_mentions: { users: [5] } },
      { content: 'x', allowed_mentions: { users: ['5'] } },
    ],
    [
      'an id twice',
      { content: 'x', allowed_mentions: { users: ['5', '5'] } },
      { content: 'x', allowed_mentions: { users: ['5'] } },
    ],
    [
      'a URL in angle brackets',
      embed({ title: 'x', url: '<https://e.io>' }),
      embed({ title: 'x', url: 'https://e.io' }),
    ],
    ['an empty URL', embed({ title: 'x', url: '' }), embed({ title: 'x' })],
    ['an empty username', { content: 'x', username: '' }, { content: 'x' }, 'webhook'],
    ['a missing flag', { components: [display('x')] }, { components: [display('x')], flags: V2 }],
    [
      'customId',
      row({ type: 2, style: 1, label: 'x', customId: 'y' }),
      row({ type: 2, style: 1, label: 'x', custom_id: 'y' }),
    ],
  ])('%s', (_, message, fixed, sender = 'bot') => {
    expect(checkMessage(message, sender).fixed).toEqual(fixed);
    expect(checkMessage(fixed, sender)).toMatchObject({ problems: [], fixed: null });
  });
});

describe('a message that Discord accepts and shows differently gets a notice:', () => {
  test.each<[string, Fields, string[], Sender?]>([
    ['an unknown name', { content: 'x', a: 1 }, ['notice unknown a']],
    [
      'a number as an id, which has lost digits',
      { content: 'x', allowed_mentions: { users: [123_456_789_012_345_680] } },
      ['notice type allowed_mentions.users[0]'],
    ],
    [
      'an unknown name like that of the wrapper of a response',
      { content: 'x', data: {} },
      ['notice unknown data'],
    ],
    ["another sender's name", { content: 'x', username: 'y' }, ['notice unknown username']],
    ['a flag that is ignored', { content: 'x', flags: 64 }, ['notice ignored flags']],
    ['a type of an embed', embed({ title: 'x', type: 'rich' }), ['notice ignored embeds[0].type']],
    [
      'an author without a name',
      embed({ title: 'x', author: { url: 'https://e.io' } }),
      ['notice ignored embeds[0].author'],
    ],
    ['an embed of a colour', { content: 'x', embeds: [{ color: 1 }] }, ['notice empty embeds[0]']],
    [
      'mentions in embeds, once',
      { embeds: [{ title: '<@123456789012345678>' }, { title: '@here' }] },
      ['notice no_ping embeds[0]'],
    ],
    [
      'an upload',
      embed({ title: 'x', image: { url: 'attachment://a.png' } }),
      ['notice file embeds[0].image.url'],
    ],
    ['components of a webhook', row(button()), ['notice ignored components'], 'webhook'],
    ['many bytes of displays', layout(display('あ'.repeat(3_500))), ['notice too_long components']],
  ])('%s', (_, message, expected, sender = 'bot') => {
    expect(kindsOf(message, sender)).toEqual(expected);
  });
});

describe('a message for Slack gets one sentence that says so', () => {
  test.each<[string, Fields, RegExp]>([
    ['attachments', { text: 'x', attachments: [{ fallback: 'y', pretext: 'z' }] }, /Slack\. .*\/slack at/],
    ['attachments alone', { attachments: [{ color: 'good', text: 'x', ts: 1 }] }, /Slack\. .*\/slack at/],
    ['blocks', { text: 'x', blocks: [{ type: 'section' }] }, /Slack\. Discord takes no blocks/],
  ])('%s', (_, message, expected) => {
    expect(kindsOf(message, 'webhook')).toEqual(['empty_message (whole)']);
    expect(checkMessage(message, 'webhook').problems[0]?.text).toMatch(expected);
  });

  test.each<[string, Fields]>([
    ["Discord's own attachments", { content: 'x', attachments: [{ id: '0', description: 'y' }] }],
    ['content beside blocks', { content: 'x', blocks: [{ type: 'section' }] }],
  ])('but not %s', (_, message) => {
    expect(checkMessage(message, 'bot').problems).toEqual([]);
  });
});

const SENDERS = ['bot', 'webhook', 'interaction'] as const;

const left = ({ fixed }: { readonly fixed: boolean }) => !fixed;

test('the repaired message has exactly the problems and notices that were not repaired', () => {
  const kinds = new Set<string>();
  fc.assert(
    fc.property(messages, fc.constantFrom(...SENDERS), (message, sender) => {
      const before = checkMessage(message, sender);
      for (const { kind } of [...before.problems, ...before.notices]) kinds.add(kind);
      const after = checkMessage(before.fixed ?? message, sender);
      expect(after.fixed).toBeNull();
      expect(after.problems).toEqual(before.problems.filter(left));
      expect(after.notices).toEqual(before.notices.filter(left));
    }),
    { seed: 76, numRuns: quickOrFull(300, 10_000) },
  );
  // The made messages reach every kind but those of text that is no JSON and of errors.
  const reachable = KINDS.filter((kind) => kind !== 'json' && kind !== 'discord');
  expect(reachable.filter((kind) => !kinds.has(kind))).toEqual([]);
});
