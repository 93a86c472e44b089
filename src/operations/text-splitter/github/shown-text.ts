import type { Inline } from './inline.ts';
import { imageName } from './link-target.ts';

/** A code span that shows `body`. */
export function codeOf(body: string): string {
  let run = '`';
  while (body.includes(run)) run += '`';
  const pad = body.startsWith('`') || body.endsWith('`') ? ' ' : '';
  return run + pad + body + pad + run;
}

export function escapeMarks(text: string): string {
  return text.replaceAll(/[\\*_~`|]/g, String.raw`\$&`);
}

const DIGITS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** The sign of a footnote, where it is used and where it is written. */
export function noteMark(label: string): string {
  return /^\d{1,3}$/.test(label)
    ? label.replaceAll(/\d/g, (digit) => DIGITS.charAt(Number(digit)))
    : `[${label}]`;
}

/** What is shown, without styles. */
export function plainText(parts: readonly Inline[]): string {
  const [first] = parts;
  if (first === undefined) return '';
  return parts.length === 1 ? plainPart(first) : parts.map(plainPart).join('');
}

function plainPart(part: Inline): string {
  switch (part.kind) {
    case 'text':
    case 'token':
    case 'sign':
    case 'code':
      return part.text;
    case 'break':
      return '\n';
    case 'image':
      return imageName(part.alt, part.url);
    case 'run':
      return part.sign.repeat(part.rest);
    default:
      return '';
  }
}
