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

/** Their texts take 4 MiB at most. */
const ANSWERS_MAX = 1_000;
const TEXT_UNITS_MAX = 4_096;
const URL_UNITS_MAX = 512;
/** User ids must not stay here when the bot has left their server. */
const KEPT_MS = 60_000;

/**
 * Answers that say by themselves whether they have changed. Bots ask the same thing again and again, and the second
 * time nothing has to be parsed, looked up or written as JSON.
 */
export class KeptAnswers {
  readonly #answers = new BoundedMap<KeptAnswer>({ entriesMax: ANSWERS_MAX, ttlMs: KEPT_MS });
  #isDroppingOld = false;

  find(asked: AskedFor): KeptAnswer | null {
    const name = nameOf(asked);
    const kept = this.#answers.get(name);
    if (kept === undefined || kept.isCurrent()) return kept ?? null;
    this.#answers.delete(name);
    return null;
  }

  keep(asked: AskedFor, answer: KeptAnswer): void {
    if (asked.url.length > URL_UNITS_MAX) return;
    const isLong = answer.text !== null && answer.text.length > TEXT_UNITS_MAX;
    this.#answers.set(nameOf(asked), isLong ? { ...answer, text: null } : answer);
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
