import { readBounded, type StyleMap } from './discord-reader.ts';

/** Everything that can be wrong with a split text, from the worst to the least. */
export const DEFECTS = [
  'over the limit',
  'lost or repeated',
  'blank',
  'grapheme split',
  'token split',
  'fence broken',
  'style changed',
  'word cut',
] as const;
export type Defect = (typeof DEFECTS)[number];

/** A chunk and the part of the text that it shows. */
export interface CheckedPiece {
  readonly chunk: string;
  readonly start: number;
  readonly end: number;
  /** Units that were added before the part. */
  readonly prefixLength: number;
  /** True when what is longer than a chunk had to be cut. */
  readonly isForced?: boolean;
}

export interface Found {
  readonly defect: Defect;
  readonly piece: number;
  readonly note: string;
}

const TOKEN =
  /<(?:@[!&]?\d+|#\d+|\/[^\n:<>]+:\d+|a?:\w+:\d+|t:-?\d+(?::\w)?|id:\w+)>|https?:\/\/[^\s<]+[^<.,:;"')\]\s*|~_]|(?<!\[[^\]\n]*)\[[^\]\n]+\]\([^)\s]+\)/g;

const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Everything that is wrong with these pieces of the text, found without the splitter's help. */
export function findDefects(text: string, pieces: readonly CheckedPiece[], limit: number): Found[] {
  const found: Found[] = [];
  const add = (defect: Defect, piece: number, note = '') => found.push({ defect, piece, note });
  const boundaries = clusterStarts(text);
  const tokens = [...text.matchAll(TOKEN)].map(
    (match) => [match.index, match.index + match[0].length] as const,
  );
  const readStyles = (shown: string) => readBounded(shown, limit);
  const tail = tailOfOpenFence(text, readStyles);
  const whole = readStyles(text + tail);

  let last = 0;
  for (const [index, piece] of pieces.entries()) {
    const { chunk, start, end, prefixLength } = piece;
    const { length } = chunk;
    if (length > limit) add('over the limit', index, `${length}`);
    if (chunk.trim() === '') add('blank', index);
    if (start < last || text.slice(last, start).trim() !== '') add('lost or repeated', index);
    if (chunk.slice(prefixLength, prefixLength + end - start) !== text.slice(start, end)) {
      add('lost or repeated', index, 'not verbatim');
    }
    last = end;
    const isLast = index === pieces.length - 1;
    if (index > 0 && !boundaries.has(start)) add('grapheme split', index);
    if (!isLast && !boundaries.has(end)) add('grapheme split', index);
    if (!isLast && isWordCut(text, end, pieces[index + 1]?.start ?? end))
      add('word cut', index, around(text, end));
    for (const [from, to] of tokens) {
      if (end > from && end < to && to - from <= limit / 2) add('token split', index, text.slice(from, to));
    }
    compareStyles(text, whole, piece, readStyles(chunk + (isLast ? tail : '')), (defect, note) =>
      add(defect, index, note),
    );
  }
  if (text.slice(last).trim() !== '') add('lost or repeated', pieces.length - 1, 'end');
  return found;
}

function compareStyles(
  text: string,
  whole: StyleMap,
  { start, end, prefixLength, isForced }: CheckedPiece,
  own: StyleMap,
  add: (defect: Defect, note: string) => void,
): void {
  for (let at = start; at < end; at += 1) {
    if (/\s/.test(text[at] ?? '')) continue;
    const before = plain(whole[at] ?? '');
    const after = plain(own[prefixLength + at - start] ?? '');
    if (before === after || (isForced === true && (whole[at] ?? '').includes('token'))) continue;
    const isFence = before.includes('fence') || after.includes('fence');
    const note = `${around(text, at)}: ${before} became ${after}`;
    add(isFence ? 'fence broken' : 'style changed', note);
    return;
  }
}

function plain(style: string): string {
  return style
    .split(' ')
    .filter((name) => name !== 'token')
    .join(' ');
}

/** An open fence at the end of the text counts as a fence where it begins its line: it is left as it came. */
export function tailOfOpenFence(text: string, readStyles: (text: string) => StyleMap): string {
  const map = readStyles(`${text}\n\`\`\``);
  const isOpen =
    map.at(-1) === 'mark' && !readStyles(text).at(-1)?.includes('fence') && !text.trimEnd().endsWith('```');
  if (!isOpen) return '';
  const codeStart = map.slice(0, text.length).findLastIndex((style) => !style.includes('fence')) + 1;
  const opening = text.lastIndexOf('```', codeStart);
  const before = text.slice(text.lastIndexOf('\n', opening) + 1, opening);
  return /^[ \t>*_~|-]*$/.test(before) ? '\n```' : '';
}

function clusterStarts(text: string): Set<number> {
  const starts = new Set<number>([text.length]);
  // Line by line: a line break is always a part of its own.
  let offset = 0;
  for (const line of text.split(/(?<=\n)/)) {
    for (const { index } of clusters.segment(line)) starts.add(offset + index);
    offset += line.length;
  }
  return starts;
}

/** Scripts that are written without spaces have no words that a reader would see cut. */
function isWordCut(text: string, end: number, next: number): boolean {
  if (next > end) return false;
  const letter = /[\p{L}\p{N}]/u;
  const unspaced =
    /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
  const before = text[end - 1] ?? '';
  const after = text[end] ?? '';
  return letter.test(before) && letter.test(after) && !unspaced.test(before) && !unspaced.test(after);
}

function around(text: string, at: number): string {
  return JSON.stringify(`${text.slice(Math.max(0, at - 15), at)}¦${text.slice(at, at + 15)}`);
}
