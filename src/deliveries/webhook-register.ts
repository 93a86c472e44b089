import { createHmac, randomBytes } from 'node:crypto';

import { BoundedMap } from '../bounded-map.ts';
import { Problem } from '../problem.ts';
import { unknownWebhook } from './call-problem.ts';
import type { DeliverySettings } from './delivery-settings.ts';
import type { Webhook } from './webhook.ts';

type Settings = Pick<
  DeliverySettings,
  'knownMs' | 'unknownMs' | 'workedMs' | 'attemptsMax' | 'attemptsMs'
> & { readonly now: () => number };

/** Webhooks in each memory, about 200 bytes each; and guilds whose attempts are remembered. */
const ENTRIES_MAX = 10_000;

/** What Discord has said about webhooks. It holds digests, never a token. */
export class WebhookRegister {
  readonly #settings: Settings;
  /** It lives as long as the process, so a digest is of no use outside it. */
  readonly #secret = randomBytes(32);
  readonly #guilds: BoundedMap<{ readonly guildId: string | null }>;
  readonly #unknown: BoundedMap<true>;
  readonly #worked: BoundedMap<true>;
  readonly #attempts: BoundedMap<BoundedMap<true>>;

  constructor(settings: Settings) {
    const { knownMs, unknownMs, workedMs, attemptsMs, now } = settings;
    this.#settings = settings;
    this.#guilds = new BoundedMap({ ttlMs: knownMs, entriesMax: ENTRIES_MAX, now });
    this.#unknown = new BoundedMap({ ttlMs: unknownMs, entriesMax: ENTRIES_MAX, now });
    this.#worked = new BoundedMap({ ttlMs: workedMs, entriesMax: ENTRIES_MAX, now });
    this.#attempts = new BoundedMap({ ttlMs: attemptsMs, entriesMax: ENTRIES_MAX, now });
  }

  /** The name under which things about a webhook are remembered. */
  digestOf({ id, token }: Webhook): string {
    return createHmac('sha256', this.#secret).update(`${id}/${token}`).digest('base64url');
  }

  /** Whose it is; undefined when Discord has to be asked. */
  guildOf(digest: string): { readonly guildId: string | null } | undefined {
    return this.#guilds.get(digest);
  }

  hasWorked(digest: string): boolean {
    return this.#worked.has(digest);
  }

  /** @throws Problem `unknown_webhook` `token_attempts` for what must cause no call */
  check(digest: string, ownerId: string): void {
    const attempts = this.#attempts.get(ownerId);
    const { attemptsMax } = this.#settings;
    const isOver = attempts !== undefined && attempts.size >= attemptsMax;
    if (isOver && !attempts.has(digest) && !this.hasWorked(digest)) {
      throw new Problem('token_attempts', {
        error: 'Too many unknown webhooks from this server.',
        hint: 'Check the address of the webhook before you try again.',
        retryAfterSeconds: attempts.oldestTimeLeftMs() / 1_000,
      });
    }
    if (!this.#unknown.has(digest)) return;
    this.#countAttempt(digest, ownerId);
    throw unknownWebhook();
  }

  noteKnown(digest: string, guildId: string | null): void {
    this.#guilds.set(digest, { guildId });
    this.#worked.set(digest, true);
  }

  noteUnknown(digest: string, ownerId: string): void {
    this.#guilds.delete(digest);
    this.#worked.delete(digest);
    this.#unknown.set(digest, true);
    this.#countAttempt(digest, ownerId);
  }

  #countAttempt(digest: string, ownerId: string): void {
    const { attemptsMax, attemptsMs, now } = this.#settings;
    const attempts =
      this.#attempts.get(ownerId) ??
      new BoundedMap<true>({ ttlMs: attemptsMs, entriesMax: attemptsMax, now });
    if (!attempts.has(digest)) attempts.set(digest, true);
    this.#attempts.set(ownerId, attempts);
  }
}
