import { Problem } from '../../problem.ts';
import type { Sliced } from './turns.ts';
import { endOfSequence, SLICE_BYTES } from './utf8.ts';

/** Up to this size `JSON.parse` takes no time, whatever the text holds. */
const WHOLE_BYTES_MAX = 16 * 1024;
/** No request of ours needs more; 4 MiB of small values would hold the memory of a hundred bodies. */
const VALUES_MAX = 10_000;
const DEPTH_MAX = 64;
/** A token costs as much as this number of bytes of a string. */
const TOKEN_COST = 64;
/**
 * Members with longer names are checked and left out, as no field of ours has such a name: the hashes of long strings
 * collide, and an object of them would cost quadratic time.
 */
export const NAME_BYTES_MAX = 256;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

interface Container {
  readonly close: 0x5d | 0x7d;
  readonly items: unknown[];
  readonly names: (string | null)[];
}

/**
 * What `JSON.parse` makes of these bytes, in slices when they are many.
 * @param bytes valid UTF-8
 * @throws SyntaxError, or Problem `invalid_json` for a large text with more values or levels than a request needs
 */
export function* readJson(bytes: Buffer): Sliced<unknown> {
  const start = startsWithMark(bytes) ? 3 : 0;
  if (bytes.length > WHOLE_BYTES_MAX) return yield* new JsonReader(bytes, start).read();
  return JSON.parse(bytes.toString('utf8', start));
}

/** Some editors put a byte order mark before a text. */
export function startsWithMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** Finds the tokens; what is in them is read by `JSON.parse`, piece by piece. */
class JsonReader {
  readonly #bytes: Buffer;
  readonly #open: Container[] = [];
  #at: number;
  #values = 0;
  #costLeft = SLICE_BYTES;

  constructor(bytes: Buffer, start: number) {
    this.#bytes = bytes;
    this.#at = start;
  }

  *read(): Sliced<unknown> {
    for (;;) {
      let value = yield* this.#readValue();
      // Everything that ends here is the value of what it is in.
      for (;;) {
        const container = this.#open.at(-1);
        yield* this.#skipSpace();
        if (container === undefined) {
          if (this.#at < this.#bytes.length) throw new SyntaxError('More after the value');
          return value;
        }
        if (value !== OPENED) container.items.push(value);
        const next = this.#bytes[this.#at];
        if (next === container.close) {
          this.#at += 1;
          this.#open.pop();
          value = toValue(container);
          continue;
        }
        if (value !== OPENED) this.#expect(COMMA);
        if (container.close === 0x7d) container.names.push(yield* this.#readName());
        break;
      }
    }
  }

  /** @returns OPENED at the start of an array or object */
  *#readValue(): Sliced<unknown> {
    yield* this.#skipSpace();
    this.#values += 1;
    const first = this.#bytes[this.#at];
    if (first === 0x5b || first === 0x7b) {
      this.#at += 1;
      this.#open.push({ close: first === 0x5b ? 0x5d : 0x7d, items: [], names: [] });
    }
    if (this.#values > VALUES_MAX || this.#open.length > DEPTH_MAX) {
      throw new Problem('invalid_json', { error: 'The body has too many values or levels.' });
    }
    if (first === 0x5b || first === 0x7b) return OPENED;
    if (first === QUOTE) return (yield* this.#readString(Infinity)) ?? '';
    return yield* this.#readWord();
  }

  *#readName(): Sliced<string | null> {
    yield* this.#skipSpace();
    if (this.#bytes[this.#at] !== QUOTE) throw new SyntaxError('No name');
    const name = yield* this.#readString(NAME_BYTES_MAX);
    yield* this.#skipSpace();
    this.#expect(COLON);
    return name;
  }

  /** @returns null for a string of more than `bytesMax` */
  *#readString(bytesMax: number): Sliced<string | null> {
    const bytes = this.#bytes;
    const start = this.#at + 1;
    const pieces: string[] = [];
    let from = start;
    let at = start;
    for (;;) {
      at = endOfPiece(bytes, from, Math.min(bytes.length, from + this.#costLeft));
      if (at >= bytes.length) throw new SyntaxError('No end of a string');
      pieces.push(JSON.parse(`"${bytes.toString('utf8', from, at)}"`) as string);
      yield* this.#spend(at - from);
      from = at;
      if (bytes[at] === QUOTE) break;
    }
    this.#at = at + 1;
    yield* this.#spend(TOKEN_COST);
    if (at - start > bytesMax) return null;
    return pieces.length === 1 ? (pieces[0] ?? '') : pieces.join('');
  }

  /** A number, true, false or null. */
  *#readWord(): Sliced<unknown> {
    const start = this.#at;
    // Letters, digits and + - . are all that they are made of.
    while (isWordByte(this.#bytes[this.#at])) {
      const from = this.#at;
      this.#at = endOfWord(this.#bytes, from, from + SLICE_BYTES);
      yield* this.#spend(this.#at - from);
    }
    yield* this.#spend(TOKEN_COST);
    return JSON.parse(this.#bytes.toString('latin1', start, this.#at));
  }

  *#skipSpace(): Sliced<void> {
    const bytes = this.#bytes;
    while (isJsonSpace(bytes[this.#at])) {
      const from = this.#at;
      this.#at = endOfSpace(bytes, from, from + SLICE_BYTES);
      yield* this.#spend(this.#at - from);
    }
  }

  #expect(byte: number): void {
    if (this.#bytes[this.#at] !== byte) throw new SyntaxError('Another sign');
    this.#at += 1;
  }

  *#spend(cost: number): Sliced<void> {
    this.#costLeft -= cost;
    if (this.#costLeft > 0) return;
    yield;
    this.#costLeft = SLICE_BYTES;
  }
}

const OPENED = Symbol('opened');

function toValue({ close, items, names }: Container): unknown {
  if (close === 0x5d) return items;
  // As JSON.parse does it: `__proto__` is a name like others, and of two the last wins.
  return Object.fromEntries(
    items.flatMap((item, index) => {
      const name = names[index] ?? null;
      return name === null ? [] : [[name, item]];
    }),
  );
}

function isJsonSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Where white space ends, or `to`. Tight loops are functions: within generators they take many times as long. */
export function endOfSpace(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && isJsonSpace(bytes[at])) at += 1;
  return at;
}

function endOfWord(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && isWordByte(bytes[at])) at += 1;
  return at;
}

/** Where a string ends, or the first place from `to` on at which it can be cut: not within an escape or a sign. */
function endOfPiece(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && bytes[at] !== QUOTE) {
    if (bytes[at] !== BACKSLASH) at += 1;
    // One that is broken is found when its piece is parsed.
    else at += bytes[at + 1] === 0x75 ? 6 : 2;
  }
  return endOfSequence(bytes, at);
}

function isWordByte(byte = 0): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    byte === 0x2b ||
    byte === 0x2d ||
    byte === 0x2e
  );
}
