import { Raster } from './raster.ts';
import { shortCount } from './usage-table.ts';

/** From the bottom of a bar to its top, with the coloured squares that explain them in the text. */
export const OUTCOMES = ['ok', 'refused', 'limited', 'failed'] as const;
export const OUTCOME_SQUARES = { ok: '🟩', refused: '🟨', limited: '🟥', failed: '⬜' } as const;

/** Requests of one UTC day, such as `2026-01-31`, by outcome. */
export type DayCounts = Readonly<Record<(typeof OUTCOMES)[number], number>> & { readonly day: string };

/** It has a background of its own, so it is readable on Discord's dark and light themes. */
const COLOURS = [0x2b2d31, 0x3f4147, 0xdbdee1, 0x77b255, 0xfdcb58, 0xdd2e44, 0xe6e7e8];
const LINE = 1;
const TEXT = 2;
const FIRST_OUTCOME = 3;

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
