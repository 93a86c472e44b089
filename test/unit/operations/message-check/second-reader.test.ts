import { existsSync, readFileSync } from 'node:fs';

import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';

import { checkMessage } from '../../../../src/operations/message-check/check-message.ts';
import { compileSchema } from '../../../fixtures/compile-schema.ts';
import { quickOrFull } from '../../../fixtures/full-run.ts';
import { messages } from './made-messages.ts';

// A validator of JSON Schema reads the same messages by Discord's own OpenAPI document.

const FILE = process.env['DISCORD_OPENAPI'] ?? '';
const isMissing = !existsSync(FILE);
if (isMissing) {
  process.stderr.write(
    "Skipped: a second reader of messages; DISCORD_OPENAPI names no file with Discord's description\n",
  );
}

/** Places that the document refuses, although Discord takes the message. */
const STRICTER: readonly (readonly [place: RegExp, why: string])[] = [
  [/^\/embeds\/\d+\/(?:type|provider|video)$/, 'Discord ignores these parts of an embed'],
  [
    /^\/embeds\/\d+\/(?:image|thumbnail)\/(?:width|height|placeholder|placeholder_version|is_animated|description)$/,
    'Discord ignores these parts of an image',
  ],
  [/^\/(?:shared_client_theme|poll\/question\/emoji|attachments\/\d+\/duration_secs)/, 'is not judged'],
  [
    /(?:^\/(?:sticker_ids|applied_tags)|\/(?:users|roles))\/\d+$|(?:\/|_)id$/,
    'an id may be a number, of which the notice warns',
  ],
  [/^\/message_reference\/type$/, 'the documents know forwards too'],
];

/** Problems, as the kind and the last name of the place, of messages that the document takes. */
const LOOSER: Readonly<Record<string, string>> = {
  'empty_message ': 'needs something to show; the document demands no field',
  'empty embeds': 'an embed of nothing is refused with 50006',
  'format avatar_url': 'formats are compared nowhere here',
  'format url': 'the same',
  'format icon_url': 'the same',
  'format timestamp': 'the same',
  'empty url': 'the same',
  'too_long text': 'the documents give answers of polls 55 characters',
  'too_long content': 'messages of bots have 2,000 characters; 4,000 are for people with Nitro',
  'too_long components': 'the sum of all text displays',
  'missing flags': 'the flag for components of the second version',
  'conflict content': 'may not stand beside that flag',
  'conflict embeds': 'the same',
  'conflict poll': 'the same',
  'conflict sticker_ids': 'the same',
  'conflict users': 'parse allows all of them',
  'conflict roles': 'the same',
  'missing name': 'an emoji has an id or a name',
  'empty name': 'the same, and fields of embeds may not be blank',
  'format name': 'the name of an emoji is an emoji',
  'missing text': 'a question of a poll has a text',
  'duplicate id': 'once in a message',
  'duplicate custom_id': 'the same',
  'name username': 'words that a webhook may not have in its name',
  'too_large min_values': 'compared with max_values and the options',
  'type users': 'null among ids means nobody',
  'type roles': 'the same',
};

/** The innermost places of errors: a choice of schemas repeats them at each place above. */
function placesOf(errors: readonly ErrorObject[]): string[] {
  const places = [...new Set(errors.map(({ instancePath }) => instancePath))];
  return places.filter((place) => !places.some((other) => other.startsWith(`${place}/`)));
}

const lastName = (path: string | null) => /(\w+)(?:\[\d+\])*$/.exec(path ?? '')?.[1] ?? '';

const document = z.object({ components: z.object({ schemas: z.record(z.string(), z.unknown()) }) });

describe.skipIf(isMissing)("Discord's own description", () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  beforeAll(() => {
    const { components } = document.parse(JSON.parse(readFileSync(FILE, 'utf8')));
    ajv.addSchema({ $id: 'discord', components });
  });
  const made = fc.sample(messages, { seed: 76, numRuns: quickOrFull(200, 10_000) });

  test.each([
    ['bot', 'MessageCreateRequest'],
    ['webhook', 'IncomingWebhookRequestPartial'],
    ['interaction', 'IncomingWebhookInteractionRequest'],
  ] as const)('takes the same messages as the rules do, sent by: %s', (sender, name) => {
    const accepts = compileSchema(ajv, { $ref: `discord#/components/schemas/${name}` }, { content: [] });
    const wrong: unknown[] = [];
    const counts = { valid: 0, refused: 0, accepted: 0 };
    for (const message of made) {
      // A response to an interaction has a schema of its own around the message.
      if (message['data'] !== undefined) continue;
      const sent = checkMessage(message, sender).fixed ?? message;
      const { problems } = checkMessage(sent, sender);
      const isAccepted = accepts(sent);
      if (isAccepted) counts.accepted += 1;
      else counts.refused += 1;
      if (problems.length === 0) counts.valid += 1;
      if (isAccepted) {
        const unexplained = problems.filter(({ kind, path }) => !(`${kind} ${lastName(path)}` in LOOSER));
        wrong.push(...unexplained.map(({ text }) => ['the document takes', text]));
      } else if (problems.length === 0) {
        const places = placesOf(accepts.errors ?? []);
        const unexplained = places.filter((place) => !STRICTER.some(([taken]) => taken.test(place)));
        wrong.push(...unexplained.map((place) => ['the document refuses', place, sent]));
      }
    }
    expect(wrong.slice(0, 5)).toEqual([]);
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(quickOrFull(10, 300));
  });
});
