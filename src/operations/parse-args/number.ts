import type { Line } from './line.ts';

/** A number and where it ends. */
export interface Count {
  readonly end: number;
  readonly thousandths: number;
}

/** Digits before the point: their thousandths are below 2^53. */
const WHOLE_DIGITS_MAX = 12;
const DECIMALS_MAX = 3;

/**
 * Up to 12 digits with up to 3 decimals or a fraction, or one of these alone. A comma before three digits groups
 * thousands (`1,000`).
 */
export function readNumber(line: Line, start: number): Count | null {
  const fraction = readFraction(line.text, start);
  if (fraction !== null) return fraction;
  const token = line.tokenAt(start);
  const whole = token.kind === 'digits' ? token.value : '';
  if (whole.length > WHOLE_DIGITS_MAX) return null;
  const pointAt = start + whole.length;
  const point = line.text.charAt(pointAt);
  if (point !== '.' && (point !== ',' || whole === '')) {
    if (whole === '') return null;
    const more = readFraction(line.text, skipHyphen(line, pointAt));
    return { end: more?.end ?? pointAt, thousandths: Number(whole) * 1000 + (more?.thousandths ?? 0) };
  }
  const decimals = line.tokenAt(pointAt + 1);
  if (decimals.kind !== 'digits' || decimals.value.length > DECIMALS_MAX) return null;
  // A group of thousands cannot follow a leading zero: `0,500` is a half.
  const isGroup = point === ',' && decimals.value.length === 3 && !whole.startsWith('0');
  const thousandths = Number(`${whole}${decimals.value.padEnd(3, '0')}`) * (isGroup ? 1000 : 1);
  return { end: decimals.end, thousandths };
}

const FRACTION = /(?:(½|1\/2)|(¼|1\/4)|¾|3\/4)(?![\d/])/y;

/** "½", "1/2" and the like. */
export function readFraction(text: string, at: number): Count | null {
  FRACTION.lastIndex = at;
  const match = FRACTION.exec(text);
  if (match === null) return null;
  const [, half, quarter] = match;
  const { lastIndex: end } = FRACTION;
  if (half !== undefined) return { end, thousandths: 500 };
  return { end, thousandths: quarter === undefined ? 750 : 250 };
}

/** After spaces, or after one hyphen as in "7-day". */
export function skipHyphen(line: Line, at: number): number {
  return line.text.charAt(at) === '-' ? at + 1 : line.skipSpaces(at);
}
