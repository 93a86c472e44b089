import { setTimeout as delay } from 'node:timers/promises';

import { Problem, type ProblemCode } from '../../kernel/problem.ts';
import type { ListedMember } from '../discord-answers.ts';
import type { DiscordCalls } from './discord-calls.ts';
import type { Lookup } from './token-access.ts';

export interface MemberPagesOptions {
  readonly calls: Pick<DiscordCalls, 'readMembers'>;
  /** Milliseconds to wait before a failed page is read again. */
  readonly retryDelaysMs: readonly number[];
  /** Ends these waits. */
  readonly signal: AbortSignal;
}

/**
 * Reads the members of a guild page by page. Pages are ordered by id, so a member who stays is found exactly once, even
 * when others join or leave between two pages.
 */
export class MemberPages {
  readonly #options: MemberPagesOptions;
  /** All members up to this id have been read. */
  #after = '0';

  constructor(options: MemberPagesOptions) {
    this.#options = options;
  }

  /**
   * Returns the next page, which is empty at the end.
   * @throws Problem of the call, or when the page holds no higher id, because the listing would never end
   */
  async next(lookup: Lookup): Promise<readonly ListedMember[]> {
    const page = await this.#read(lookup);
    let last = BigInt(this.#after);
    for (const { userId } of page) {
      const id = BigInt(userId);
      if (id > last) last = id;
    }
    if (page.length > 0 && String(last) === this.#after) {
      throw new Problem('discord_unavailable', {
        cause: new Error('A page of members holds no higher id'),
      });
    }
    this.#after = String(last);
    return page;
  }

  /** Does not repeat the first page, because its caller is still waiting and can repeat the request. */
  async #read(lookup: Lookup): Promise<ListedMember[]> {
    const { calls, retryDelaysMs, signal } = this.#options;
    for (const delayMs of retryDelaysMs) {
      try {
        return await calls.readMembers(lookup, this.#after);
      } catch (error) {
        if (this.#after === '0' || !isTransient(error)) throw error;
      }
      await delay(delayMs, undefined, { signal });
    }
    return calls.readMembers(lookup, this.#after);
  }
}

/** `busy` means that other tokens took all slots while the listing waited. */
const TRANSIENT: ReadonlySet<ProblemCode> = new Set(['discord_unavailable', 'discord_timeout', 'busy']);

function isTransient(error: unknown): boolean {
  return error instanceof Problem && TRANSIENT.has(error.code);
}
