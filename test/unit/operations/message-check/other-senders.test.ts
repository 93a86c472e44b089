import { describe, expect, test } from 'vitest';

import { checkMessage } from '../../../../src/operations/message-check/check-message.ts';
import type { Fields } from '../../../../src/operations/message-check/check-context.ts';
import type { OperationContext } from '../../../../src/operations/operation.ts';
import { textSplitter } from '../../../../src/operations/text-splitter/operation.ts';
import { PAYLOAD_FORMS } from '../../../../src/operations/text-splitter/payloads.ts';

const context = { tenantId: '1', signal: new AbortController().signal } as OperationContext;

/** Messages in the form in which well-known tools post them to a webhook, with made-up contents. */
const OF_TOOLS: Readonly<Record<string, Fields>> = {
  Grafana: {
    content: '**Firing**\n\nValue: A=95\nLabels:\n - alertname = CPU\n',
    username: 'Grafana',
    avatar_url: 'https://grafana.example/fav32.png',
    embeds: [
      {
        title: '[FIRING:1] CPU (core)',
        type: 'rich',
        color: 14_037_554,
        url: 'https://grafana.example/alerting/list',
        footer: { text: 'Grafana v11.2.0', icon_url: 'https://grafana.example/fav32.png' },
      },
    ],
  },
  Jellyfin: {
    content: '',
    username: 'Jellyfin',
    avatar_url: 'https://media.example/icon.png',
    embeds: [
      {
        color: '3381759',
        footer: { text: 'From media', icon_url: 'https://media.example/icon.png' },
        author: { name: 'Movie added', url: 'https://media.example' },
        title: 'A film (2024)',
        thumbnail: { url: 'https://media.example/Items/1/Images/Primary' },
        timestamp: '2026-01-31T18:00:00.1234567Z',
      },
    ],
  },
  'a script of Google Forms': {
    embeds: [
      {
        title: 'New response',
        fields: [
          { name: 'Name', value: 'Ada', inline: false },
          { name: 'Age', value: '36', inline: false },
        ],
        footer: { text: 'Google Forms' },
        timestamp: '2026-01-31T18:00:00.000Z',
      },
    ],
  },
  'a workflow of GitHub': {
    username: 'GitHub Actions',
    embeds: [
      {
        title: 'Success: build',
        description: 'Triggered by `push`',
        color: 2_664_261,
        timestamp: '2026-01-31T18:00:00.000Z',
        fields: [
          { name: 'Repository', value: '[a/b](https://github.com/a/b)', inline: true },
          { name: 'Ref', value: 'refs/heads/main', inline: true },
        ],
      },
    ],
  },
  n8n: {
    content: 'The order was paid',
    embeds: [{ title: 'Order 42', description: '3 hats', color: 65_280, url: 'https://shop.example/42' }],
    flags: 4,
  },
  'Uptime Kuma': {
    username: 'Uptime Kuma',
    embeds: [
      {
        title: '❌ Your service Shop went down. ❌',
        color: 16_711_680,
        timestamp: '2026-01-31 18:00:00.000',
        fields: [
          { name: 'Service Name', value: 'Shop' },
          { name: 'Service URL', value: 'https://shop.example' },
          { name: 'Error', value: 'connect ECONNREFUSED' },
        ],
      },
    ],
  },
  Sonarr: {
    content: null,
    username: 'Sonarr',
    avatar_url: null,
    embeds: [
      {
        author: { name: 'Sonarr', icon_url: 'https://sonarr.example/128.png' },
        title: 'A show - 1x01 - Pilot',
        url: 'https://thetvdb.example/?tab=series&id=1',
        color: 2_605_644,
        fields: [{ name: 'Quality', value: 'WEBDL-1080p v1', inline: true }],
        thumbnail: { url: 'https://artworks.example/1.jpg' },
        timestamp: '2026-01-31T18:00:00Z',
      },
    ],
  },
  'a script of a shell': { content: 'Backup done in 12 s', allowed_mentions: { parse: [] } },
  'an alert manager': {
    content: '',
    embeds: [
      { title: '[FIRING:2] disk', description: '<@&123456789012345678> look', color: 10_038_562, fields: [] },
    ],
  },
  'a web shop': {
    username: 'Shop',
    tts: false,
    embeds: [
      {
        title: 'New order',
        description: 'Total: 42 €',
        image: { url: 'https://shop.example/a%20b.png?x=1' },
      },
    ],
  },
};

describe('a message that a tool posts is accepted', () => {
  test.each(Object.entries(OF_TOOLS))('%s', (_, message) => {
    expect(checkMessage(message, 'webhook').problems).toEqual([]);
  });
});

/** Each text has more than one message in every form. */
const TEXTS = [
  'A line.\n'.repeat(900),
  `**bold** <@123456789012345678> ${'👋 word '.repeat(1_500)}`,
  `\`\`\`js\n${'const a = 1;\n'.repeat(600)}\`\`\``,
  'あ'.repeat(9_000),
];

describe.each(PAYLOAD_FORMS)(
  'every payload of text-splitter as %s is accepted, and shown as meant',
  (form) => {
    test.each(TEXTS.map((text, index) => [index, text] as const))('text %i', async (_, text) => {
      const { payloads } = (await textSplitter.answer({ text, as: form }, context)).value;
      expect(payloads?.length).toBeGreaterThan(1);
      for (const payload of payloads ?? []) {
        const { problems, notices } = checkMessage({ ...payload }, 'bot');
        expect(problems).toEqual([]);
        expect(notices.filter(({ kind }) => kind !== 'no_ping')).toEqual([]);
      }
    });
  },
);
