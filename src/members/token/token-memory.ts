import { createHmac, randomBytes } from 'node:crypto';

import { Problem, type ProblemCode } from '../../problem.ts';
import { BoundedMap } from '../../bounded-map.ts';

/** Turns a token into a name under which we remember facts about it. */
export type TokenDigest = (token: string) => string;

/** The secret is lost with the process, so a digest is of no use outside it. */
export function createTokenDigest(secret: Uint8Array = randomBytes(32)): TokenDigest {
  return (token) => createHmac('sha256', secret).update(token).digest('base64url');
}

export interface TokenMemoryOptions {
  /** A token that got 401 causes no further call for this long, in milliseconds. Default 24 hours. */
  readonly deadMs?: number;
  /** A 403 or 404 is remembered this long for a token and guild, in milliseconds. Default 60 s. */
  readonly refusedMs?: number;
  /** A token counts as one that worked for this long, in milliseconds. Default 1 hour. */
  readonly workedMs?: number;
  readonly now?: () => number;
}

/** Most tokens in each of the memories, which take about 1 MB each. */
const ENTRIES_MAX = 10_000;

/** Remembers Discord's answers about tokens. Holds digests, never a token. */
export class TokenMemory {
  readonly #dead: BoundedMap<true>;
  readonly #refused: BoundedMap<ProblemCode>;
  readonly #worked: BoundedMap<true>;

  constructor({
    deadMs = 86_400_000,
    refusedMs = 60_000,
    workedMs = 3_600_000,
    now = Date.now,
  }: TokenMemoryOptions = {}) {
    this.#dead = new BoundedMap({ ttlMs: deadMs, entriesMax: ENTRIES_MAX, now });
    this.#refused = new BoundedMap({ ttlMs: refusedMs, entriesMax: ENTRIES_MAX, now });
    this.#worked = new BoundedMap({ ttlMs: workedMs, entriesMax: ENTRIES_MAX, now });
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
    const refused = this.#refused.get(`${digest} ${guildId}`);
    if (refused !== undefined) throw new Problem(refused);
  }

  noteWorked(digest: string): void {
    this.#worked.set(digest, true);
  }

  noteDead(digest: string): void {
    this.#worked.delete(digest);
    this.#dead.set(digest, true);
  }

  noteRefused(digest: string, guildId: string, code: ProblemCode): void {
    this.#refused.set(`${digest} ${guildId}`, code);
  }
}
