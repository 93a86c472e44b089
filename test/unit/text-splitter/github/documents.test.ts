import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test } from 'vitest';

import { DISCORD_OPENAPI_FILE } from '../../../integration/openapi/discord-openapi.ts';
import { toPayload } from '../../../../src/operations/text-splitter/payloads.ts';
import { splitTexts, type Split } from '../split-with.ts';
import { BOUNDLESS, convert } from './convert.ts';
import { GFM_EXAMPLES } from './gfm-examples.ts';
import { wordsInDiscord, wordsOnGithub } from './github-words.ts';

const MODULES = path.resolve(import.meta.dirname, '../../../../node_modules');
const DOCUMENT = /^(?:readme|changelog|history|contributing|security).*\.md$/i;
const BYTES_MAX = 9_000;
const DOCUMENTS_MAX = 60;

/** READMEs and changelogs of installed packages, the same ones in each run. */
function installedDocuments(): readonly (readonly [name: string, text: string])[] {
  const found: [string, string][] = [];
  for (const folder of readdirSync(MODULES).sort()) {
    if (folder.startsWith('.')) continue;
    for (const file of readdirSync(path.join(MODULES, folder)).sort()) {
      const name = path.join(MODULES, folder, file);
      if (!DOCUMENT.test(file) || statSync(name).size > BYTES_MAX) continue;
      found.push([`${folder}/${file}`, readFileSync(name, 'utf8').replace(/^\ufeff/, '')]);
    }
  }
  const step = Math.max(1, Math.floor(found.length / DOCUMENTS_MAX));
  return found.filter((_document, index) => index % step === 0).slice(0, DOCUMENTS_MAX);
}

const TEXTS = [
  ...GFM_EXAMPLES.map((text, index) => [`example ${index + 1}`, text] as const),
  ...installedDocuments(),
];

describe('another reader of GitHub finds the words of', () => {
  test.each(TEXTS)('%s, in the same order, in what Discord shows', (_name, text) => {
    const { text: converted } = convert(text, { tables: 'code', room: BOUNDLESS });
    expect(wordsInDiscord(converted)).toEqual(wordsOnGithub(text));
  });
});

describe('bodies for Discord', () => {
  let validate: ValidateFunction | null = null;

  beforeAll(() => {
    if (DISCORD_OPENAPI_FILE === null) return;
    const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
    ajv.addSchema(JSON.parse(readFileSync(DISCORD_OPENAPI_FILE, 'utf8')), 'discord');
    validate = ajv.compile({ $ref: 'discord#/components/schemas/MessageCreateRequest' });
  });

  function expectValid(body: unknown): void {
    if (validate === null) return;
    expect(validate(body), JSON.stringify(validate.errors)).toBe(true);
  }

  test.each(['message', 'embed', 'components'] as const)(
    'as %s fit the budgets and are what Discord documents, with the same words',
    async (form) => {
      const glyphs = ['emoji 👩‍👩‍👧 ', '漢字', 'ä b '].map((unit) => ['glyphs', unit.repeat(4_000)] as const);
      for (const [name, text] of [...TEXTS, ...glyphs]) {
        const { payloads, chunks, count } = await splitTexts({ text, dialect: 'github', as: form });
        expect(payloads, name).toHaveLength(count);
        for (const body of payloads) {
          expectValid(body);
          expect(body['allowed_mentions']).toEqual({ parse: [] });
          expectInBudget(body);
        }
        expect(payloads.flatMap(textsOf)).toEqual(chunks);
      }
    },
  );

  test('refuse what is over the budget, so that the check is one', () => {
    expect(() => expectInBudget(toPayload(['a'.repeat(2_001)], 'message'))).toThrow('2001');
    expect(() => expectInBudget(toPayload(['漢'.repeat(3_900)], 'components'))).toThrow('11712');
  });
});

function textsOf(body: Split['payloads'][number]): string[] {
  if (body.content !== undefined) return [body.content];
  return (body.embeds ?? [])
    .map((each) => each.description)
    .concat((body.components ?? []).map((each) => each.content));
}

function expectInBudget(body: Split['payloads'][number]): void {
  const texts = textsOf(body);
  const lengths = texts.map((text) => text.length);
  const sum = lengths.reduce((all, length) => all + length, 0);
  expect(Math.min(...lengths)).toBeGreaterThan(0);
  if (body.content !== undefined) expect(sum).toBeLessThanOrEqual(2_000);
  if (body.embeds !== undefined) {
    expect(texts.length).toBeLessThanOrEqual(10);
    expect(sum).toBeLessThanOrEqual(6_000);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(4_096);
  }
  if (body.components !== undefined) {
    expect(body.flags).toBe(32_768);
    expect(texts.length).toBeLessThanOrEqual(40);
    expect(sum).toBeLessThanOrEqual(4_000);
    const bytes = texts.reduce((all, text) => all + Buffer.byteLength(text) + 12, 0);
    expect(bytes).toBeLessThanOrEqual(10_170);
  }
}
