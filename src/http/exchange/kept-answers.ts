import { BoundedMap } from '../../bounded-map.ts';

/** The last answer to a question, for as long as it is still the answer. */
export interface KeptAnswer {
  readonly tag: string;
  /** null where the answer is too long to keep. Then only callers who have it already are answered from here. */
  readonly text: string | null;
  /** Whether the question would get the same answer now. */
  readonly isCurrent: () => boolean;
}

/** What an answer depends on, beside the lists. */
export interface AskedFor {
  readonly ownerId: string;
  /** As the key has it; the URL may say something else. */
  readonly flat: boolean;
  readonly url: string;
}

/** Their texts, which are of one byte a unit, take 8 MiB at most. */
const ANSWERS_MAX = 250;
const TEXT_UNITS_MAX = 32 * 1024;
const URL_UNITS_MAX = 512;
/** Questions that are remembered, each in the place that its hash says. */
const ASKED_MAX = 4_096;
/** User ids must not stay here when the bot has left their server. */
const KEPT_MS = 60_000;

/**
 * Answers that say by themselves whether they have changed. Bots ask the same thing again and again, and from the third
 * time on nothing has to be parsed, looked up or written as JSON. To keep an answer that nobody asks for again would
 * cost more than to make it, so the first time only the question is remembered.
 */
export class KeptAnswers {
  readonly #answers = new BoundedMap<KeptAnswer>({ entriesMax: ANSWERS_MAX, ttlMs: KEPT_MS });
  readonly #asked = new Uint32Array(ASKED_MAX);
  #isDroppingOld = false;

  find(asked: AskedFor): KeptAnswer | null {
    const name = nameOf(asked);
    const kept = this.#answers.get(name);
    if (kept === undefined || kept.isCurrent()) return kept ?? null;
    this.#answers.delete(name);
    return null;
  }

  /** Keeps the answer if the question was asked before. */
  keep(asked: AskedFor, answer: KeptAnswer): void {
    if (asked.url.length > URL_UNITS_MAX) return;
    const name = nameOf(asked);
    const hash = hashOf(name);
    if (this.#asked[hash % ASKED_MAX] !== hash) {
      this.#asked[hash % ASKED_MAX] = hash;
      return;
    }
    const isLong = answer.text !== null && answer.text.length > TEXT_UNITS_MAX;
    this.#answers.set(name, isLong ? { ...answer, text: null } : answer);
    if (!this.#isDroppingOld) this.#dropOld(KEPT_MS);
  }

  #dropOld(afterMs: number): void {
    this.#isDroppingOld = afterMs > 0;
    if (afterMs > 0) setTimeout(() => this.#dropOld(this.#answers.oldestTimeLeftMs()), afterMs).unref();
  }
}

function nameOf({ ownerId, flat, url }: AskedFor): string {
  return `${ownerId} ${flat} ${url}`;
}

/** FNV-1a, 32 bits. Two questions of one hash only mean that an answer is kept the first time. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
