import { BoundedMap } from '../../bounded-map.ts';
import { Problem, type ProblemCode } from '../../problem.ts';

/** A 403 or 404 is remembered this long for a token and guild, and a 401 of our own bot. */
const REFUSED_MS = 60_000;
const ENTRIES_MAX = 10_000;

/** What Discord has refused a token that it knows. */
export class Refusals {
  readonly #codes: BoundedMap<ProblemCode>;

  constructor(now: () => number) {
    this.#codes = new BoundedMap({ ttlMs: REFUSED_MS, entriesMax: ENTRIES_MAX, now });
  }

  /** @throws Problem that Discord's last answer about this token, or this token and guild, led to */
  check(digest: string, guildId: string): void {
    const code = this.#codes.get(`${digest} ${guildId}`) ?? this.#codes.get(digest);
    if (code !== undefined) throw new Problem(code);
  }

  /** @param guildId null for all guilds */
  note(digest: string, guildId: string | null, code: ProblemCode): void {
    this.#codes.set(guildId === null ? digest : `${digest} ${guildId}`, code);
  }
}
