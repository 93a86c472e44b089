/* oxlint-disable typescript/no-non-null-assertion -- typed arrays, read within their length */
import { EVERYONE_SLOT, SLOTS_OF_SHORT_SUMS } from './role-table.ts';
import { countDigits } from './id-digits.ts';
import type { RoleLists } from './role-lists.ts';
import { SEGMENT_MEMBERS_MAX, sortOrdinals } from './sort-ordinals.ts';

/** From one mark to the next. */
const MARK_SHIFT = 7;
const MARK_STEP = 1 << MARK_SHIFT;
/** First step from a guess to where an id is. */
const GUESS_STEP = 6;

// Shared by all segments: nothing is kept here between two calls.
const tailPlaces = new Uint16Array(SEGMENT_MEMBERS_MAX);
const tailHolders = new Uint16Array(SEGMENT_MEMBERS_MAX);

type Sums = Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

export interface SegmentOptions {
  /** Ids of the segment are at or above it. */
  readonly minHi: number;
  readonly minLo: number;
  /** Ordinals, those free for members to come included; at most SEGMENT_MEMBERS_MAX. */
  readonly capacity: number;
  /** Ordinals that will be filled in id order at once. */
  readonly size: number;
  /** Role slots of the guild. */
  readonly slots: number;
  readonly lists: RoleLists;
  /** It has more room than it needs once a reload is over. */
  readonly loose: boolean;
}

/**
 * The members of one range of ids. A member is an ordinal: its position in `ids`. Ordinals below `sorted`
 * are in id order; later ones, members who came since the last rebuild, are in order of arrival. A member
 * who left keeps the ordinal, is in no list, and is dropped by the next rebuild.
 */
export class Segment {
  minHi: number;
  minLo: number;
  /** For each ordinal the low and the high half of the id, side by side: who reads one needs the other. */
  readonly ids: Uint32Array<ArrayBuffer>;
  /** The same memory, an id at a time: to copy one this way takes half of the time. */
  readonly wholeIds: BigUint64Array<ArrayBuffer>;
  /**
   * For each member the sum of its role slots. After subtraction of the roles that an update still lists, zero says
   * that none was removed, and a single removed role is what remains: no list of roles by member is needed.
   */
  sums: Sums;
  lists: RoleLists;
  readonly loose: boolean;
  /** Someone still reads it as it is now: whoever wants to change it changes a clone. */
  shared = false;
  #sorted: number;
  #size: number;
  /** Ordinals from `sorted` on, by id. */
  #tail: Uint16Array<ArrayBuffer>;
  /** The upper 31 bits of every 128th id: they stay in the caches of a processor, where ids of a large guild do not. */
  readonly #marks: Int32Array<ArrayBuffer>;

  constructor(options: SegmentOptions) {
    const { capacity, size } = options;
    this.minHi = options.minHi;
    this.minLo = options.minLo;
    this.wholeIds = new BigUint64Array(capacity);
    this.ids = new Uint32Array(this.wholeIds.buffer);
    this.sums = newSums(capacity, options.slots);
    this.lists = options.lists;
    this.loose = options.loose;
    this.#sorted = size;
    this.#size = size;
    this.#tail = new Uint16Array(capacity - size);
    this.#marks = new Int32Array((capacity + MARK_STEP - 1) >>> MARK_SHIFT);
  }

  get sorted(): number {
    return this.#sorted;
  }

  /** Whether ordinals are in id order without exception. */
  get inOrder(): boolean {
    return this.#size === this.#sorted;
  }

  get full(): boolean {
    return this.#size === this.#capacity;
  }

  /** Members, without those who left. */
  get live(): number {
    return this.lists.count(EVERYONE_SLOT);
  }

  /** Ordinals of members who left. */
  get dead(): number {
    return this.#size - this.live;
  }

  /** Whether what `find` returned is a member who has not left. */
  isLive(found: number): boolean {
    return found >= 0 && (this.dead === 0 || this.lists.has(EVERYONE_SLOT, found));
  }

  get byteLength(): number {
    const own = this.ids.byteLength + this.sums.byteLength + this.#tail.byteLength + this.#marks.byteLength;
    return own + this.lists.byteLength;
  }

  /** Writes the id and the sum of an ordinal that is new. */
  set(ordinal: number, hi: number, lo: number, sum: number): void {
    this.ids[ordinal * 2] = lo;
    this.ids[ordinal * 2 + 1] = hi;
    this.sums[ordinal] = sum;
    if (ordinal % MARK_STEP === 0) this.#marks[ordinal >>> MARK_SHIFT] = hi >>> 1;
  }

  /** Whether the id of an ordinal is below another id. */
  isBelow(ordinal: number, hi: number, lo: number): boolean {
    const ownHi = this.ids[ordinal * 2 + 1]!;
    return ownHi < hi || (ownHi === hi && this.ids[ordinal * 2]! < lo);
  }

  /** Whether the id of an ordinal is above another id. */
  isAbove(ordinal: number, hi: number, lo: number): boolean {
    const ownHi = this.ids[ordinal * 2 + 1]!;
    return ownHi > hi || (ownHi === hi && this.ids[ordinal * 2]! > lo);
  }

  /** The number of digits of all its ids; null when they differ. */
  get digits(): number | null {
    const lastPlace = this.#size - this.#sorted - 1;
    const ends = this.#sorted === 0 ? [] : [0, this.#sorted - 1];
    if (lastPlace >= 0) ends.push(this.#tail[0]!, this.#tail[lastPlace]!);
    const digits = new Set(
      ends.map((ordinal) => countDigits(this.ids[ordinal * 2 + 1]!, this.ids[ordinal * 2]!)),
    );
    const [only = null] = digits;
    return digits.size === 1 ? only : null;
  }

  /**
   * The ordinal of an id, also of a member who left. Where there is none, a negative number that `append` takes, as
   * long as nothing else is appended.
   */
  find(hi: number, lo: number, guess = this.guess(hi)): number {
    const sorted = this.#sorted;
    const ordinal = this.#searchSorted(hi, lo, guess);
    if (ordinal < sorted && this.ids[ordinal * 2 + 1] === hi && this.ids[ordinal * 2] === lo) return ordinal;
    const tail = this.#size - sorted;
    if (tail === 0) return -1;
    const place = this.#searchTail(hi, lo);
    if (place === tail) return -1 - place;
    const late = this.#tail[place]!;
    return this.ids[late * 2 + 1] === hi && this.ids[late * 2] === lo ? late : -1 - place;
  }

  /**
   * Gives an id that is not there yet its ordinal. There must be room.
   * @param found what `find` returned
   */
  append(hi: number, lo: number, found: number): number {
    const ordinal = this.#size;
    this.set(ordinal, hi, lo, 0);
    if (this.#sorted === ordinal && (ordinal === 0 || this.isBelow(ordinal - 1, hi, lo))) {
      this.#sorted += 1;
    } else {
      const place = -1 - found;
      const length = ordinal - this.#sorted;
      if (place < length) this.#tail.copyWithin(place + 1, place, length);
      this.#tail[place] = ordinal;
    }
    this.#size += 1;
    return ordinal;
  }

  /** Puts ordinals that are ascending into the order of their ids. */
  orderById(out: Uint16Array, count: number): void {
    const sorted = this.#sorted;
    let head = count;
    while (head > 0 && out[head - 1]! >= sorted) head -= 1;
    const late = count - head;
    if (late === 0) return;

    for (let place = 0; place < this.#size - sorted; place += 1) {
      tailPlaces[this.#tail[place]! - sorted] = place;
    }
    for (let at = 0; at < late; at += 1) tailHolders[at] = tailPlaces[out[head + at]! - sorted]!;
    sortOrdinals(tailHolders, 0, late);

    // Merged from the end, so that it happens in place.
    let before = head - 1;
    let to = count - 1;
    for (let at = late - 1; at >= 0;) {
      const ordinal = this.#tail[tailHolders[at]!]!;
      const other = before < 0 ? ordinal : out[before]!;
      if (before >= 0 && this.isBelow(ordinal, this.ids[other * 2 + 1]!, this.ids[other * 2]!)) {
        out[to] = other;
        before -= 1;
      } else {
        out[to] = ordinal;
        at -= 1;
      }
      to -= 1;
    }
  }

  /** Makes the sums wide enough for this number of slots. */
  widenSums(slots: number): void {
    const sums = newSums(this.#capacity, slots);
    sums.set(this.sums);
    this.sums = sums;
  }

  clone(slots: number): Segment {
    const copy = new Segment({
      minHi: this.minHi,
      minLo: this.minLo,
      capacity: this.#capacity,
      size: this.#sorted,
      slots,
      lists: this.lists.clone(),
      loose: this.loose,
    });
    copy.ids.set(this.ids);
    copy.sums.set(this.sums);
    copy.#marks.set(this.#marks);
    copy.#tail = this.#tail.slice();
    copy.#size = this.#size;
    return copy;
  }

  /** About where in the sorted part an id is or would be: between two marks ids are spread evenly enough for that. */
  guess(hi: number): number {
    const last = this.#sorted - 1;
    if (last < 0) return 0;
    const marks = this.#marks;
    const half = hi >>> 1;
    let at = 0;
    // Without a jump to be guessed, see RoleLists.
    for (let length = last >>> MARK_SHIFT; length > 0;) {
      const step = (length + 1) >>> 1;
      at += ((marks[at + step]! - half - 1) >> 31) & step;
      length -= step;
    }
    const first = at << MARK_SHIFT;
    const isLast = first + MARK_STEP > last;
    const places = isLast ? last - first : MARK_STEP;
    const next = isLast ? this.ids[last * 2 + 1]! >>> 1 : marks[at + 1]!;
    const share = (half - marks[at]!) / (next - marks[at]! + 1);
    return first + Math.min(places, Math.max(0, Math.floor(share * places)));
  }

  /** The first ordinal of the sorted part whose id is not below. */
  #searchSorted(hi: number, lo: number, guess: number): number {
    const length = this.#sorted;
    if (length === 0) return 0;
    let low = 0;
    let high: number;
    // The guess is a few places off; to search from the middle would read far more memory.
    let step = GUESS_STEP;
    if (this.isBelow(guess, hi, lo)) {
      low = guess + 1;
      for (; low + step < length && this.isBelow(low + step, hi, lo); step *= 4) low += step + 1;
      high = Math.min(length, low + step);
    } else {
      high = guess;
      for (; high - step >= 0 && !this.isBelow(high - step, hi, lo); step *= 4) high -= step;
      low = Math.max(0, high - step);
    }
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.isBelow(middle, hi, lo)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The first place of the tail whose id is not below. */
  #searchTail(hi: number, lo: number): number {
    let low = 0;
    let high = this.#size - this.#sorted;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.isBelow(this.#tail[middle]!, hi, lo)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  get #capacity(): number {
    return this.ids.length >>> 1;
  }
}

function newSums(capacity: number, slots: number): Sums {
  return slots <= SLOTS_OF_SHORT_SUMS ? new Uint16Array(capacity) : new Uint32Array(capacity);
}
