export interface Search {
  /** Pixels of the longer side. */
  readonly sideMax: number;
  /** Number of levels of quality; 0 is the best one. */
  readonly levels: number;
  readonly bytesMax: number;
  /** Makes the file; smaller sides and higher levels make smaller ones. */
  encode(side: number, level: number): Promise<Buffer>;
  /** True when there is time for one more file. */
  hasTime(): boolean;
}

/** A file that was made: its side or level, and its bytes. */
interface Attempt {
  readonly at: number;
  readonly bytes: number;
}

interface Outcome {
  /** The best file within the limit, and its side or level. */
  readonly best: { readonly at: number; readonly file: Buffer } | null;
  readonly last: Attempt;
}

/** A file with fewer bytes than this share of the limit leaves space for a larger one. */
const NEARLY_FULL = 0.9;
/** The target of the next file, as a share of the limit: the middle of the range that ends the search. */
const AIM = 0.95;
/** Smaller pictures are unrecognisable. */
const SIDE_MIN = 8;
/**
 * Exponent of the side for the number of bytes, which grows with the area, less the savings of encoders on larger
 * pictures.
 */
const GROWTH = 1.7;
/**
 * Bytes at the worst level, as a share of those at the best. Like GROWTH this is a first guess, and two files show the
 * real value.
 */
const WORST_OF_BEST = 0.2;
/** Beyond this share of the levels, try the worst level instead of a guess. It shows whether any level will do. */
const LEVELS_GUESSED = 0.6;

/**
 * Finds the largest picture within a number of bytes, and the best level for that side. A smaller side is tried only
 * when the worst level of the larger one is too large. A search makes a few files, not one for each combination: each
 * file shows where to look next, and one that nearly fills the limit ends the search.
 * @returns null when no file is small enough, or none was in time
 */
export async function largestThatFits(search: Search): Promise<Buffer | null> {
  const { sideMax, levels } = search;
  const atFullSide = await findLevel(search, sideMax, null);
  if (atFullSide.best !== null) return atFullSide.best.file;

  const { best } = await findSide(search, { at: sideMax, bytes: atFullSide.last.bytes });
  if (best === null || isNearlyFull(best.file, search) || levels === 1) return best?.file ?? null;
  return (await findLevel(search, best.at, best.file)).best?.file ?? null;
}

/** @param worst the file of the worst level, if it is known to fit; otherwise null */
function findLevel(search: Search, side: number, worst: Buffer | null): Promise<Outcome> {
  const last = search.levels - 1;
  const slope = Math.log(WORST_OF_BEST) / Math.max(1, last);
  return closeIn(search, {
    encode: (level) => search.encode(side, level),
    tooLarge: { at: -1, bytes: Infinity },
    fits: worst === null ? { at: last + 1, bytes: 0 } : { at: last, bytes: worst.length },
    best: worst === null ? null : { at: last, file: worst },
    next(before, tried) {
      if (tried === null) return 0;
      const guess = aim(search, before, tried, slope);
      return before === null && guess > LEVELS_GUESSED * last ? last : Math.round(guess);
    },
  });
}

/** @param full the file of the largest side, which is too large */
function findSide(search: Search, full: Attempt): Promise<Outcome> {
  const logOf = ({ at, bytes }: Attempt) => ({ at: Math.log(at), bytes });
  return closeIn(search, {
    encode: (side) => search.encode(side, search.levels - 1),
    tooLarge: full,
    fits: { at: SIDE_MIN - 1, bytes: 0 },
    best: null,
    next: (before, tried) =>
      Math.floor(Math.exp(aim(search, tried && logOf(before ?? full), logOf(tried ?? full), GROWTH))),
  });
}

interface Bounds {
  readonly encode: (at: number) => Promise<Buffer>;
  /** The nearest known files on both sides of the limit. */
  readonly tooLarge: Attempt;
  readonly fits: Attempt;
  readonly best: Outcome['best'];
  /** Returns the next side or level to try, from the last two files. Either may be null. */
  readonly next: (before: Attempt | null, tried: Attempt | null) => number;
}

/** Closes in on the limit from both sides, until a file nearly fills it or no values are left in between. */
async function closeIn(search: Search, { encode, next, ...bounds }: Bounds): Promise<Outcome> {
  let { tooLarge, fits, best } = bounds;
  let before: Attempt | null = null;
  let tried: Attempt | null = null;
  while (Math.abs(tooLarge.at - fits.at) > 1 && (best === null || search.hasTime())) {
    const low = Math.min(tooLarge.at, fits.at) + 1;
    const high = Math.max(tooLarge.at, fits.at) - 1;
    const at = Math.min(high, Math.max(low, next(before, tried)));
    const file = await encode(at);
    before = tried;
    tried = { at, bytes: file.length };
    if (file.length > search.bytesMax) {
      tooLarge = tried;
    } else {
      fits = tried;
      best = { at, file };
      if (isNearlyFull(file, search)) break;
    }
  }
  return { best, last: tried ?? tooLarge };
}

function isNearlyFull(file: Buffer, { bytesMax }: Search): boolean {
  return file.length >= NEARLY_FULL * bytesMax;
}

/**
 * Returns the side or level at which the bytes should reach the target, if their logarithm changes evenly.
 * @param slope of the logarithm, for when two files do not give it
 */
function aim(search: Search, before: Attempt | null, { at, bytes }: Attempt, slope: number): number {
  const measured = before === null ? NaN : Math.log(before.bytes / bytes) / (before.at - at);
  const isUsable = Number.isFinite(measured) && Math.sign(measured) === Math.sign(slope);
  return at + Math.log((AIM * search.bytesMax) / bytes) / (isUsable ? measured : slope);
}
