import { crc32, deflateSync } from 'node:zlib';

/** From the bottom of a bar to its top. The coloured squares explain them in the text. */
export const OUTCOMES = ['ok', 'refused', 'limited', 'failed'] as const;
export const OUTCOME_SQUARES = { ok: '🟩', refused: '🟨', limited: '🟥', failed: '⬜' } as const;

/** Requests of one UTC day, such as `2026-01-31`, by outcome. */
export type DayCounts = Readonly<Record<(typeof OUTCOMES)[number], number>> & { readonly day: string };

/** It has its own background, so it is readable on Discord's dark and light themes. */
const COLOURS = [0x2b2d31, 0x3f4147, 0xdbdee1, 0x77b255, 0xfdcb58, 0xdd2e44, 0xe6e7e8];
const LINE = 1;
const TEXT = 2;
const FIRST_OUTCOME = 3;

/** All in pixels, but `SCALE`: by it the digits below are enlarged. */
const WIDTH = 680;
const HEIGHT = 220;
const MARGIN = 16;
const SCALE = 3;
const BAR_TOP = MARGIN + 24;
const BAR_BOTTOM = HEIGHT - MARGIN - 24;
const GAP = 4;

/** @param days in order, at least one and at most 60; the highest bar fills the height */
export function drawUsage(days: readonly DayCounts[]): Buffer {
  const raster = new Raster(WIDTH, HEIGHT, COLOURS);
  const most = Math.max(1, ...days.map((day) => totalOf(day)));
  const step = Math.floor((WIDTH - 2 * MARGIN) / days.length);
  raster.write(shortCount(most), MARGIN, MARGIN, SCALE, TEXT);
  raster.fill(MARGIN, BAR_TOP, WIDTH - 2 * MARGIN, 1, LINE);
  raster.fill(MARGIN, BAR_BOTTOM, WIDTH - 2 * MARGIN, 1, LINE);
  for (const [index, day] of days.entries()) {
    let bottom = BAR_BOTTOM;
    let below = 0;
    for (const [place, outcome] of OUTCOMES.entries()) {
      below += day[outcome];
      const top = BAR_BOTTOM - Math.round((below / most) * (BAR_BOTTOM - BAR_TOP));
      // Every count above zero is at least one pixel high.
      const edge = day[outcome] > 0 ? Math.min(top, bottom - 1) : bottom;
      raster.fill(MARGIN + index * step, edge, step - GAP, bottom - edge, FIRST_OUTCOME + place);
      bottom = edge;
    }
  }
  const first = days.at(0)?.day.slice(5) ?? '';
  const last = days.at(-1)?.day.slice(5) ?? '';
  raster.write(first, MARGIN, BAR_BOTTOM + 9, SCALE, TEXT);
  const right = MARGIN + days.length * step - GAP;
  raster.write(last, right - Raster.widthOf(last, SCALE), BAR_BOTTOM + 9, SCALE, TEXT);
  return raster.toPng();
}

export function totalOf({ ok, refused, limited, failed }: DayCounts): number {
  return ok + refused + limited + failed;
}

/** At most four characters: 999, 1.2k, 12k, 3.4M. */
export function shortCount(count: number): string {
  for (const [unit, size] of [
    ['G', 1e9],
    ['M', 1e6],
    ['k', 1e3],
  ] as const) {
    if (count < size) continue;
    const value = count / size;
    const rounded = value < 10 ? Math.floor(value * 10) / 10 : Math.floor(value);
    return `${rounded}${unit}`;
  }
  return String(count);
}

/** Each glyph has three by five dots, one octal digit per row. */
const GLYPHS: Readonly<Record<string, string>> = {
  0: '75557',
  1: '26227',
  2: '71747',
  3: '71717',
  4: '55711',
  5: '74717',
  6: '74757',
  7: '71222',
  8: '75757',
  9: '75717',
  '-': '00700',
  '.': '00002',
  k: '45655',
  M: '57755',
  G: '74557',
};
const GLYPH_WIDTH = 3;

/** A picture of rectangles and digits in at most 256 colours, as a PNG without any library. */
class Raster {
  readonly #width: number;
  readonly #height: number;
  readonly #colours: readonly number[];
  readonly #dots: Uint8Array;

  /**
   * @param width in pixels, as `height`
   * @param colours as 0xRRGGBB, at most 256; the first is the background
   */
  constructor(width: number, height: number, colours: readonly number[]) {
    this.#width = width;
    this.#height = height;
    this.#colours = colours;
    this.#dots = new Uint8Array(width * height);
  }

  /** @param colour index into the list of colours */
  fill(left: number, top: number, width: number, height: number, colour: number): void {
    for (let y = top; y < top + height; y += 1) {
      const start = y * this.#width + left;
      this.#dots.fill(colour, start, start + width);
    }
  }

  /**
   * Writes digits and the few other characters in numbers and days.
   * @param scale pixels per dot
   */
  write(text: string, left: number, top: number, scale: number, colour: number): void {
    let x = left;
    for (const char of text) {
      const rows = GLYPHS[char] ?? '';
      for (let row = 0; row < rows.length; row += 1) {
        const bits = Number(rows[row]);
        for (let column = 0; column < GLYPH_WIDTH; column += 1) {
          const isSet = ((bits >> (GLYPH_WIDTH - 1 - column)) & 1) === 1;
          if (isSet) this.fill(x + column * scale, top + row * scale, scale, scale, colour);
        }
      }
      x += (GLYPH_WIDTH + 1) * scale;
    }
  }

  /** The width in pixels of a text that `write` writes. */
  static widthOf(text: string, scale: number): number {
    return ((GLYPH_WIDTH + 1) * text.length - 1) * scale;
  }

  /** @see https://www.w3.org/TR/png-3/ (colour type 3, eight bits a pixel) */
  toPng(): Buffer {
    const header = Buffer.alloc(13);
    header.writeUInt32BE(this.#width, 0);
    header.writeUInt32BE(this.#height, 4);
    header.set([8, 3, 0, 0, 0], 8);
    const palette = Buffer.from(this.#colours.flatMap((rgb) => [rgb >> 16, (rgb >> 8) & 255, rgb & 255]));
    // Each line begins with its filter: 0 for none.
    const lines = Buffer.alloc(this.#height * (this.#width + 1));
    for (let y = 0; y < this.#height; y += 1) {
      lines.set(this.#dots.subarray(y * this.#width, (y + 1) * this.#width), y * (this.#width + 1) + 1);
    }
    return Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      chunk('IHDR', header),
      chunk('PLTE', palette),
      chunk('IDAT', deflateSync(lines)),
      chunk('IEND', Buffer.alloc(0)),
    ]);
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
