import { createHmac, randomBytes } from 'node:crypto';

import { Problem, type ProblemCode } from '../../problem.ts';
import { BoundedMap } from '../../bounded-map.ts';

/** Turns a token into a name under which we remember facts about it. */
export type TokenDigest = (token: string) => string;

/** The secret is lost with the process, so a digest is of no use outside it. */
export function createTokenDigest(): TokenDigest {
  const secret = randomBytes(32);
  return (token) => createHmac('sha256', secret).update(token).digest('base64url');
}

/** A token that got 401 causes no further call for this long. */
const DEAD_MS = 24 * 3_600_000;
/** A 403 or 404 is remembered this long for a token and guild, and a 401 of our own bot. */
const REFUSED_MS = 60_000;
/** A token counts as one that worked for this long. */
const WORKED_MS = 3_600_000;
/** Most tokens in each of the memories, which take about 1 MB each. */
const ENTRIES_MAX = 10_000;

/** Remembers Discord's answers about tokens. Holds digests, never a token. */
export class TokenMemory {
  readonly #dead: BoundedMap<true>;
  readonly #refused: BoundedMap<ProblemCode>;
  readonly #worked: BoundedMap<true>;

  constructor({ now }: { readonly now: () => number }) {
    this.#dead = new BoundedMap({ ttlMs: DEAD_MS, entriesMax: ENTRIES_MAX, now });
    this.#refused = new BoundedMap({ ttlMs: REFUSED_MS, entriesMax: ENTRIES_MAX, now });
    this.#worked = new BoundedMap({ ttlMs: WORKED_MS, entriesMax: ENTRIES_MAX, now });
  }

  isDead(digest: string): boolean {
    return this.#dead.has(digest);
  }

  hasWorked(digest: string): boolean {
    return this.#worked.has(digest);
  }

  /** @throws Problem that Discord's last answer about this token, or this token and guild, led to */
  check(digest: string, guildId: string): void {
    if (this.#dead.has(digest)) throw new Problem('discord_token_rejected');
    const refused = this.#refused.get(`${digest} ${guildId}`) ?? this.#refused.get(digest);
    if (refused !== undefined) throw new Problem(refused);
  }

  noteWorked(digest: string): void {
    this.#worked.set(digest, true);
  }

  noteDead(digest: string): void {
    this.#worked.delete(digest);
    this.#dead.set(digest, true);
  }

  /** @param guildId null for all guilds */
  noteRefused(digest: string, guildId: string | null, code: ProblemCode): void {
    this.#refused.set(guildId === null ? digest : `${digest} ${guildId}`, code);
  }
}
