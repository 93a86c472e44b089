import fc from 'fast-check';

import { COST, CUT_KINDS, type CutKind } from '../../../../src/operations/text-splitter/cuts/costs.ts';
import type { SplitOptions } from '../../../../src/operations/text-splitter/split-options.ts';

/** A place where a text can be cut, what is written there, and what it costs. */
interface Place {
  readonly end: number;
  readonly start: number;
  readonly kind: CutKind;
  readonly cost: number;
  readonly suffix: string;
  readonly prefix: string;
}

/** A text whose places are known because it was put together from parts. */
export interface KnownText {
  readonly text: string;
  readonly places: readonly Place[];
}

/** Words with a blank between any two; those from `from` to `to` are within a pair of marks. */
interface Line {
  readonly marker: string;
  readonly words: readonly string[];
  readonly mark: string;
  readonly from: number;
  readonly to: number;
}

interface Code {
  readonly lines: readonly string[];
}

type Block = Line | Code;

const WORDS = [
  'and',
  'a',
  'The',
  'Straße',
  '🙂',
  'done.',
  'e.g.',
  'Why?',
  'wait…',
  '(No!)',
  'first,',
  'these:',
];
const WHOLE = ['`a b c`', '[a link](https://x.org/a)', '<@123456789012345678>'];
const MARKERS = ['', '', '', '', '', '- ', '  - ', '12. ', '> ', '# ', '## ', '-# '];
const MARKS = ['**', '__', '~~', '||', '*'];
const BREAKS = ['\n', '\n', '\n', '\n\n', ' \n \n\n'];
/** Bytes that marks can pair round, at all limits here. */
const PAIR_MAX = 50;
const CODE_LINES = ['', '', 'let a = 1;', '  b();', '    c(d, e);', '\treturn;', '}'];

function line(
  words: readonly string[],
  markers: readonly string[],
  marks: readonly string[],
): fc.Arbitrary<Line> {
  return fc
    .record({
      marker: fc.constantFrom(...markers),
      words: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 12, size: 'max' }),
      mark: fc.constantFrom(...marks),
      from: fc.nat(8),
      length: fc.nat(5),
    })
    .map(({ length, ...rest }) => {
      let to = Math.min(rest.from + length, rest.words.length - 1);
      while (to > rest.from && Buffer.byteLength(rest.words.slice(rest.from, to + 1).join(' ')) > PAIR_MAX)
        to -= 1;
      return { ...rest, to, mark: to < rest.from ? '' : rest.mark };
    });
}

const row = fc
  .constantFrom('| a | b |', '| one | two |')
  .map((text): Line => ({ marker: '', words: [text], mark: '', from: 0, to: 0 }));

const code = fc
  .array(fc.constantFrom(...CODE_LINES), { maxLength: 12, size: 'max' })
  .map((lines): Code => ({ lines: ['let x;', ...lines.filter(isNoThirdBlank), 'done();'] }));

function isNoThirdBlank(line: string, at: number, lines: readonly string[]): boolean {
  return line !== '' || lines[at - 1] !== '' || lines[at - 2] !== '';
}

function documentOf(block: fc.Arbitrary<Block>): fc.Arbitrary<KnownText> {
  return fc
    .array(fc.tuple(block, fc.constantFrom(...BREAKS)), { minLength: 2, maxLength: 14, size: 'max' })
    .map(write);
}

export const markdownText = documentOf(
  fc.oneof(
    { weight: 6, arbitrary: line([...WORDS, ...WORDS, ...WHOLE], MARKERS, ['', '', ...MARKS]) },
    { weight: 1, arbitrary: row },
    { weight: 1, arbitrary: code },
  ),
);

/** Where no marker means anything. */
export const plainText = documentOf(line([...WORDS, '-', '#', '**', '>'], ['', '', '    '], ['']));

function write(blocks: readonly (readonly [Block, string])[]): KnownText {
  const places: Place[] = [];
  let text = '';
  for (const [index, [block, breaks]] of blocks.entries()) {
    text = 'lines' in block ? writeCode(text, block, places) : writeLine(text, block, places);
    const next = blocks[index + 1]?.[0];
    if (next === undefined) break;
    const start = text.length + breaks.length;
    places.push({ ...breakBetween(block, next, breaks), end: text.length, start });
    text += breaks;
  }
  return { text, places };
}

function writeLine(before: string, { marker, words, mark, from, to }: Line, places: Place[]): string {
  const heading = marker.includes('#') ? marker : '';
  const opening = marker === '> ' ? marker : heading;
  let text = before + marker;
  for (const [at, word] of words.entries()) {
    const shown = at === from ? mark + word : word;
    if (at > 0) {
      const open = at > from && at <= to ? mark : '';
      const kind = kindOfBlank(text, shown);
      const cost = COST[kind] + (open === '' ? 0 : COST.inStyle) + (heading === '' ? 0 : COST.inHeading);
      places.push({
        end: text.length,
        start: text.length + 1,
        kind,
        cost,
        suffix: open,
        prefix: opening + open,
      });
      text += ' ';
    }
    text += at === to ? shown + mark : shown;
  }
  return text;
}

function kindOfBlank(before: string, after: string): CutKind {
  if (/[.!?…][)*_~|]*$/.test(before)) return /^[a-z]/.test(after) ? 'clause' : 'sentence';
  return /[,:]$/.test(before) ? 'clause' : 'space';
}

function writeCode(before: string, { lines }: Code, places: Place[]): string {
  let text = `${before}\`\`\`js`;
  for (const [at, line] of lines.entries()) {
    // A place is before blank lines and after them, not between them.
    if (at > 0 && !(line === '' && lines[at - 1] === '')) {
      const cost = COST.line + costInCode(lines[at - 1] ?? '', line);
      places.push({
        end: text.length,
        start: text.length + 1,
        kind: 'line',
        cost,
        suffix: '\n```',
        prefix: '```js\n',
      });
    }
    text += `\n${line}`;
  }
  return `${text}\n\`\`\``;
}

function costInCode(before: string, after: string): number {
  if (before === '') return COST.inFenceAfterBlankLine;
  return COST.inFence + (after === '' ? 8 : after.length - after.trimStart().length);
}

function breakBetween(block: Block, next: Block, breaks: string) {
  const kind: CutKind = breaks.split('\n').length > 2 ? 'paragraph' : 'line';
  let cost: number = COST[kind];
  if ('lines' in block)
    return { kind, cost: cost + ('lines' in next ? 0 : costBefore(next)), suffix: '', prefix: '' };
  const { marker, words, mark, to } = block;
  if (marker.startsWith('#')) cost += COST.headingAtEnd;
  const leadsIn = words.at(-1)?.endsWith(':') === true && !(mark !== '' && to === words.length - 1);
  if ('lines' in next)
    return { kind, cost: cost + (leadsIn ? COST.afterIntroLine : 0), suffix: '', prefix: '' };
  cost += costBefore(next);
  if (leadsIn && (isItem(next) || isRow(next) || next.marker === '> ')) cost += COST.afterIntroLine;
  if (marker === '> ' && next.marker === '> ') cost += COST.inQuote;
  if (isRow(block) && isRow(next)) cost += COST.inTable;
  return { kind, cost, suffix: '', prefix: '' };
}

function costBefore(next: Line): number {
  if (!isItem(next)) return 0;
  return next.marker.startsWith(' ') ? COST.nestedItem : COST.inList;
}

function isItem({ marker }: Line): boolean {
  return /^ *(?:-|\d+\.) $/.test(marker);
}

function isRow({ words }: Line): boolean {
  return words[0]?.startsWith('|') === true;
}

export type Limits = Pick<SplitOptions, 'maxLength' | 'prefer' | 'prepend' | 'append'>;

const WORST: Partial<Record<SplitOptions['prefer'], CutKind>> = {
  paragraph: 'paragraph',
  line: 'line',
  sentence: 'sentence',
  word: 'space',
};

/** The cost of a way through a text, from what weighs most to what weighs least. */
export interface WayCost {
  /** Cuts that are worse than what is preferred. */
  readonly against: number;
  readonly chunks: number;
  readonly cost: number;
}

/** The start or the end of a text. */
function edge(at: number): Place {
  return { end: at, start: at, kind: 'end', cost: 0, suffix: '', prefix: '' };
}

const NO_COST: WayCost = { against: 0, chunks: 0, cost: 0 };

/** All ways to cut a text, each of which can be asked what it costs. */
export class Ways {
  /** With the start and the end of the text. */
  readonly #places: readonly Place[];
  readonly #limits: Limits;
  readonly #capacity: number;

  constructor({ text, places }: KnownText, limits: Limits) {
    this.#places = [edge(0), ...places, edge(text.length)];
    this.#limits = limits;
    const added = [limits.prepend, limits.append].filter((addition) => addition !== '');
    this.#capacity = added.reduce((capacity, addition) => capacity - addition.length - 1, limits.maxLength);
  }

  /** Tries each place before each other one; null where no chunks fit. */
  cheapest(): WayCost | null {
    const best: (WayCost | null)[] = [NO_COST];
    for (let to = 1; to < this.#places.length; to += 1) {
      const ways = best.map((way, from) => (way === null ? null : this.#addChunk(way, from, to)));
      best[to] = ways.reduce((least, way) => (isCheaper(way, least) ? way : least), null);
    }
    return best.at(-1) ?? null;
  }

  /** @param pieces between which it was cut @throws where it cannot be cut, or a chunk does not fit */
  costOf(pieces: readonly { readonly start: number; readonly end: number }[]): WayCost {
    let way = NO_COST;
    let from = 0;
    for (const [index, { end }] of pieces.entries()) {
      const next = pieces[index + 1]?.start ?? end;
      const to = this.#places.findIndex(
        (place, at) => at > from && place.end === end && place.start === next,
      );
      const longer = to < 0 ? null : this.#addChunk(way, from, to);
      if (longer === null) throw new Error(`The text cannot be cut at ${end}.`);
      way = longer;
      from = to;
    }
    return way;
  }

  #addChunk(way: WayCost, fromIndex: number, toIndex: number): WayCost | null {
    const [from, to] = [this.#places[fromIndex], this.#places[toIndex]];
    if (from === undefined || to === undefined) return null;
    const isLast = toIndex === this.#places.length - 1;
    const { prepend, append } = this.#limits;
    const own = to.end - from.start;
    const added = from.prefix.length + to.suffix.length;
    let capacity = this.#capacity;
    // Nothing is written before the first chunk or after the last one.
    if (fromIndex === 0 && prepend !== '') capacity += prepend.length + 1;
    if (isLast && append !== '') capacity += append.length + 1;
    if (own <= 0 || own + added > capacity) return null;
    const short = this.#capacity / 8;
    const shortCost = isLast && fromIndex > 0 && own < short ? COST.shortLastChunk * (1 - own / short) : 0;
    return {
      against: way.against + (isLast || this.#isPreferred(to.kind) ? 0 : 1),
      chunks: way.chunks + 1,
      cost: way.cost + to.cost + shortCost,
    };
  }

  #isPreferred(kind: CutKind): boolean {
    return CUT_KINDS.indexOf(kind) <= CUT_KINDS.indexOf(WORST[this.#limits.prefer] ?? 'forced');
  }
}

function isCheaper(way: WayCost | null, than: WayCost | null): boolean {
  if (way === null || than === null) return way !== null;
  if (way.against !== than.against) return way.against < than.against;
  return way.chunks === than.chunks ? way.cost < than.cost : way.chunks < than.chunks;
}
