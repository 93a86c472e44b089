import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

import { beforeAll, describe, expect, test } from 'vitest';

import {
  compileDiscordSchema,
  isDiscordOpenapiMissing,
} from '../../../../integration/openapi/discord-openapi.ts';
import { quickOrFull } from '../../../../fixtures/full-run.ts';
import { toPayload } from '../../../../../src/operations/text-splitter/payloads.ts';
import { splitTexts, type Split } from '../split-with.ts';
import { BOUNDLESS, convert } from './convert.ts';
import { GFM_EXAMPLES } from './gfm-examples.ts';
import { wordsInDiscord, wordsOnGithub } from './github-words.ts';

const MODULES = path.resolve(import.meta.dirname, '../../../../../node_modules');
const DOCUMENT = /^(?:readme|changelog|history|contributing|security).*\.md$/i;
const BYTES_MAX = 9_000;
const DOCUMENTS_MAX = quickOrFull(10, 60);

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
    const { text: converted } = convert(text, { tables: 'code', capacity: BOUNDLESS });
    expect(wordsInDiscord(converted)).toEqual(wordsOnGithub(text));
  });
});

describe('bodies for Discord', () => {
  const glyphs = ['emoji 👩‍👩‍👧 ', '漢字', 'ä b '].map((unit) => ['glyphs', unit.repeat(4_000)] as const);
  const FORMS = ['message', 'embed', 'components'] as const;
  const bodies = new Map<string, readonly (Split & { readonly name: string })[]>();
  beforeAll(async () => {
    for (const form of FORMS) {
      const made = [...TEXTS, ...glyphs].map(async ([name, text]) => ({
        name,
        ...(await splitTexts({ text, dialect: 'github', as: form })),
      }));
      bodies.set(form, await Promise.all(made));
    }
  });

  test.each(FORMS)('as %s fit the budgets, with the same words', async (form) => {
    for (const { name, payloads, chunks, count } of bodies.get(form)!) {
      expect(payloads).toHaveLength(count);
      expect(payloads.map((body) => [name, overBudget(body), body.allowed_mentions])).toEqual(
        payloads.map(() => [name, [], { parse: [] }]),
      );
      expect(payloads.flatMap(textsOf)).toEqual(chunks);
    }
  });

  describe.skipIf(isDiscordOpenapiMissing())("under Discord's own document", () => {
    let isValid: ReturnType<typeof compileDiscordSchema>;
    beforeAll(() => {
      isValid = compileDiscordSchema('MessageCreateRequest');
    });

    test.each(FORMS)('match its description as %s', async (form) => {
      for (const { name, payloads } of bodies.get(form)!) {
        expect(payloads.filter((body) => !isValid(body)).map((body) => [name, body])).toEqual([]);
      }
      const [body] = bodies.get(form)![0]?.payloads ?? [];
      expect(isValid({ ...body, content: 1 })).toBe(false);
      expect(isValid({ ...body, components: [{ type: 10 }] })).toBe(false);
    });
  });

  test('are checked: a body over a budget is noticed', () => {
    expect(overBudget(toPayload(['a'.repeat(2_001)], 'message'))).toEqual(['2001 characters']);
    expect(overBudget(toPayload(['漢'.repeat(3_900)], 'components'))).toEqual(['11712 bytes']);
    expect(overBudget(toPayload(['a'.repeat(4_000), 'a'.repeat(2_001)], 'embed'))).toEqual([
      '6001 characters',
    ]);
    expect(overBudget(toPayload([''], 'message'))).toEqual(['a blank text']);
  });
});

function textsOf(body: Split['payloads'][number]): string[] {
  if (body.content !== undefined) return [body.content];
  return (body.embeds ?? [])
    .map((each) => each.description)
    .concat((body.components ?? []).map((each) => each.content));
}

const BUDGETS = {
  content: { texts: 1, each: 2_000, all: 2_000, bytes: Infinity },
  embeds: { texts: 10, each: 4_096, all: 6_000, bytes: Infinity },
  components: { texts: 40, each: 4_000, all: 4_000, bytes: 10_170 },
};

/** The limits of Discord that a body breaks. */
function overBudget(body: Split['payloads'][number]): string[] {
  const texts = textsOf(body);
  const richForm = body.embeds === undefined ? 'components' : 'embeds';
  const form = body.content === undefined ? richForm : 'content';
  const budget = BUDGETS[form];
  const all = texts.reduce((sum, text) => sum + text.length, 0);
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 12, 0);
  return [
    ...(texts.length > budget.texts ? [`${texts.length} texts`] : []),
    ...(texts.some((text) => text.length > budget.each) || all > budget.all ? [`${all} characters`] : []),
    ...(bytes > budget.bytes ? [`${bytes} bytes`] : []),
    ...(texts.some((text) => text.trim() === '') ? ['a blank text'] : []),
    ...(form === 'components' && body.flags !== 32_768 ? ['no flag of components'] : []),
  ];
}
