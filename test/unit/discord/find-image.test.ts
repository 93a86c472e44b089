import { describe, expect, test } from 'vitest';

import { findImage, type MessageContent } from '../../../src/discord/commands/find-image.ts';

const file = (more: Partial<MessageContent['attachments'][number]>) => ({
  url: 'https://cdn.example/a',
  name: 'a',
  contentType: null,
  width: null,
  height: null,
  ...more,
});
type FileCase = readonly [name: string, more: Partial<MessageContent['attachments'][number]>];
const URL_OF_FILE = 'https://cdn.example/a';
const ELSEWHERE = 'https://elsewhere.example/b.png';
const SIZE = { width: 10, height: 20 };

describe('the image of a message is a file that', () => {
  test.each<FileCase>([
    ['says that it is one', { contentType: 'image/png' }],
    ['has an image type and another file extension', { contentType: 'image/png', name: 'a.txt' }],
    ...['a.png', 'A.PNG', 'a.b.jpg', 'a.jpeg', 'a.jfif', 'a.gif', 'a.webp', 'a.avif', 'a.apng'].map(
      (name): FileCase => [`says nothing and is called ${name}`, { name }],
    ),
    ['has no type, but a width and height', { name: 'unknown', ...SIZE }],
    [
      'is of no special type and is called like one',
      { contentType: 'application/octet-stream', name: 'a.png' },
    ],
  ])('%s', (_case, more) => {
    expect(findImage({ attachments: [file(more)], embeds: [], content: ELSEWHERE })).toBe(URL_OF_FILE);
  });

  test.each<FileCase>([
    ['a text', { contentType: 'text/plain', name: 'a.png' }],
    ['a video', { contentType: 'video/mp4', name: 'a.mp4', ...SIZE }],
    ...['a.mp4', 'a.MOV', 'a.webm', 'a.mkv', 'a.m4v', 'a.avi'].map((name): FileCase => [
      `${name} without a type, which has a size too`,
      { name, ...SIZE },
    ]),
    ['a file without type, name and size', {}],
    ['a picture that Discord does not show', { name: 'a.svg' }],
    ['png without a dot', { name: 'png' }],
  ])('but not %s', (_case, more) => {
    expect(findImage({ attachments: [file(more)], embeds: [], content: ELSEWHERE })).toBe(ELSEWHERE);
  });
});

describe('the image of a message without such a file is a URL in the text', () => {
  test.each([
    'Look: https://a.example/b.png.',
    'https://a.example/b.png, and more',
    'https://a.example/b.png!?',
    'Seen https://a.example/b.png;',
    'https://a.example/b.png: this one',
    '(https://a.example/b.png)',
    '(see https://a.example/b.png).',
    '<https://a.example/b.png>.',
    '"https://a.example/b.png"',
    '“https://a.example/b.png”',
    "'https://a.example/b.png'",
    '**https://a.example/b.png**',
    '__https://a.example/b.png__',
    '||https://a.example/b.png||',
    '`https://a.example/b.png`',
    '[a cat](https://a.example/b.png)',
    '[a cat](https://a.example/b.png "title")',
    '[https://a.example/b.png]',
    '見て：https://a.example/b.png。',
    'https://a.example/b.png…',
  ])('%s', (content) => {
    expect(findImage({ attachments: [], embeds: [], content })).toBe('https://a.example/b.png');
  });

  test.each([
    ['(https://a.example/cat_(1).png)', 'https://a.example/cat_(1).png'],
    ['https://a.example/cat_(1)', 'https://a.example/cat_(1)'],
    ['https://a.example/b.png?x=1&y=(2). Yes', 'https://a.example/b.png?x=1&y=(2)'],
    ['https://a.example/b_', 'https://a.example/b'],
    ['http://a.example/', 'http://a.example/'],
  ])('%s', (content, url) => {
    expect(findImage({ attachments: [], embeds: [], content })).toBe(url);
  });

  test.each(['', 'no picture', 'https://', 'http://...', 'a.example/b.png'])(
    'is not found in %j',
    (content) => {
      expect(findImage({ attachments: [], embeds: [], content })).toBeNull();
    },
  );

  test('is found in hostile texts without delay', () => {
    const steps = [
      'https://a' + ')'.repeat(4_000),
      'https://a' + '('.repeat(2_000) + ')'.repeat(2_000),
      'https://'.repeat(500),
    ];
    for (const content of steps) findImage({ attachments: [], embeds: [], content });
    expect(findImage({ attachments: [], embeds: [], content: steps[0] ?? '' })).toBe('https://a');
  });
});
