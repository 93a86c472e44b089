import { describe, expect, test } from 'vitest';

import { FORM_LENGTHS, PAYLOAD_FORMS } from '../../../../src/operations/text-splitter/payloads.ts';
import { type Split, splitTexts } from './split-with.ts';
import { difference } from './stream-law.ts';

const LINE = 'Some **words of prose** that go on for a while, and ||a secret||.\n';
const CODE = `\`\`\`js\n${'let a = 1; // ~~~\n'.repeat(60)}\`\`\`\n`;
const TEXT = `# Title\n${LINE.repeat(30)}\n${CODE}\n> ${LINE}\n${CODE}${LINE.repeat(90)}`;

/** The texts that the payloads show, in their order. */
function textsOf({ payloads }: Split): string[] {
  return payloads.flatMap(({ content, embeds = [], components = [] }) => [
    ...(content === undefined ? [] : [content]),
    ...embeds.map(({ description }) => description),
    ...components.map(({ content: shown }) => shown),
  ]);
}

describe.each(PAYLOAD_FORMS)('a text that arrives in parts and is sent as %s', (form) => {
  test.each([300, undefined])('shows the same as its whole, with max_length %s', async (length) => {
    const options = { as: form, ...(length === undefined ? {} : { max_length: length }) };
    const maxLength = length ?? FORM_LENGTHS[form];
    const shown: string[] = [];
    let rest = '';
    for (const part of TEXT.match(/[^]{1,700}/g) ?? []) {
      const answer = await splitTexts({ text: rest + part, ...options, final: false });
      expect(textsOf(answer)).toEqual(answer.chunks);
      shown.push(...textsOf(answer));
      rest = answer.rest ?? '';
    }
    shown.push(...textsOf(await splitTexts({ text: rest, ...options })));
    expect(shown.length).toBeGreaterThan(1);
    expect(shown.filter((text) => text.length > maxLength)).toEqual([]);
    expect(difference(TEXT, shown, { maxLength })).toBe(null);
  });
});
