export interface Search {
  /** Pixels of the longer side. */
  readonly sideMax: number;
  /** Number of levels of quality; 0 is the best one. */
  readonly levels: number;
  readonly bytesMax: number;
  /** Makes the file; smaller sides and higher levels make smaller ones. */
  encode(side: number, level: number): Promise<Buffer>;
  /** Whether there is time for one more file. */
  hasTime(): boolean;
}

/** A file with fewer bytes than this share of the limit leaves room for a larger one. */
const CLOSE = 0.9;
/** Below nothing can be made out any more. */
const SIDE_MIN = 8;
/** How bytes grow with the side: with the area, less what encoders save on larger pictures. */
const GROWTH = 1.7;

/**
 * The largest picture within a number of bytes, and of that side the best level: a smaller side is tried only when
 * the worst level of the larger one is too large. A search makes a few files, not one for each combination.
 * @returns null when there is none, or none in time
 */
export async function largestThatFits(search: Search): Promise<Buffer | null> {
  const { sideMax, levels, bytesMax } = search;
  const best = await search.encode(sideMax, 0);
  if (best.length <= bytesMax) return best;

  const worst = levels === 1 ? best : await search.encode(sideMax, levels - 1);
  if (worst.length <= bytesMax) return bestLevel(search, sideMax, worst, 0, levels - 1);

  let fits: { side: number; file: Buffer } | null = null;
  let low = SIDE_MIN - 1;
  let high = sideMax;
  let next = sideAfter(sideMax, worst.length, bytesMax);
  while (high - low > 1 && (fits === null || search.hasTime())) {
    const side = Math.min(high - 1, Math.max(low + 1, next));
    const file = await search.encode(side, levels - 1);
    if (file.length <= bytesMax) {
      fits = { side, file };
      low = side;
      if (file.length >= CLOSE * bytesMax) break;
    } else {
      high = side;
    }
    next = sideAfter(side, file.length, bytesMax);
  }
  if (fits === null || fits.file.length >= CLOSE * bytesMax || levels === 1) return fits?.file ?? null;
  return bestLevel(search, fits.side, fits.file, 0, levels - 1);
}

function sideAfter(side: number, bytes: number, bytesMax: number): number {
  return Math.floor(side * ((0.97 * bytesMax) / bytes) ** (1 / GROWTH));
}

/**
 * @param fits made with the level `high`
 * @param low a level, or one before the first, that makes too large a file
 */
async function bestLevel(
  search: Search,
  side: number,
  fits: Buffer,
  low: number,
  high: number,
): Promise<Buffer> {
  let found = fits;
  while (high - low > 1 && search.hasTime()) {
    const level = (low + high) >> 1;
    const file = await search.encode(side, level);
    if (file.length <= search.bytesMax) {
      found = file;
      high = level;
    } else {
      low = level;
    }
  }
  return found;
}
