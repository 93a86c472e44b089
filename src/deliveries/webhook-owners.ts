import { createHmac, randomBytes } from 'node:crypto';

import { BoundedMap } from '../bounded-map.ts';
import { Problem } from '../problem.ts';
import { unknownWebhook } from './call-problem.ts';
import type { DeliveryOrder } from './deliveries.ts';
import type { DeliverySettings } from './delivery-settings.ts';
import type { Webhook } from './webhook.ts';

type Settings = Pick<DeliverySettings, 'knownMs' | 'unknownMs' | 'workedMs' | 'attemptsMax' | 'attemptsMs'>;

/** Webhooks in each memory, about 200 bytes each; and guilds whose attempts are remembered. */
const ENTRIES_MAX = 10_000;

/** Remembers Discord's answers about webhooks. It holds digests, never a token. */
export class WebhookOwners {
  readonly #attemptsMax: number;
  /** It lives as long as the process, so a digest is of no use outside it. */
  readonly #secret = randomBytes(32);
  readonly #guilds: BoundedMap<{ readonly guildId: string | null }>;
  readonly #unknown: BoundedMap<true>;
  readonly #worked: BoundedMap<true>;
  /** By guild: the unknown webhooks that it tried. */
  readonly #attempts: BoundedMap<BoundedMap<true>>;
  readonly #newAttempts: () => BoundedMap<true>;

  constructor({ knownMs, unknownMs, workedMs, attemptsMax, attemptsMs }: Settings, now = Date.now) {
    const memory = <Value>(ttlMs: number, entriesMax = ENTRIES_MAX) =>
      new BoundedMap<Value>({ ttlMs, entriesMax, now });
    this.#attemptsMax = attemptsMax;
    this.#guilds = memory(knownMs);
    this.#unknown = memory(unknownMs);
    this.#worked = memory(workedMs);
    this.#attempts = memory(attemptsMs);
    this.#newAttempts = () => memory(attemptsMs, attemptsMax);
  }

  /** The name under which things about a webhook are remembered. */
  digestOf({ id, token }: Webhook): string {
    return createHmac('sha256', this.#secret).update(`${id}/${token}`).digest('base64url');
  }

  hasWorked(webhook: Webhook): boolean {
    return this.#worked.has(this.digestOf(webhook));
  }

  /**
   * @param askDiscord for the guild of the webhook; null when it has none
   * @throws Problem `guild_mismatch` for a webhook of another guild, `unknown_webhook` and `token_attempts` for what must
   *   cause no call, or what `askDiscord` throws
   */
  async requireOwn(
    { webhook, guildId, ownerId }: DeliveryOrder,
    askDiscord: () => Promise<string | null>,
  ): Promise<void> {
    const digest = this.digestOf(webhook);
    this.#check(digest, ownerId);
    const known = this.#guilds.get(digest) ?? { guildId: await askDiscord() };
    if (!this.#guilds.has(digest)) {
      this.#guilds.set(digest, known);
      this.#worked.set(digest, true);
    }
    if (guildId === null || known.guildId === guildId) return;
    throw new Problem('guild_mismatch', {
      field: 'Webhook',
      error: 'This webhook belongs to another server than your API key.',
      hint: 'Make a webhook in the server of the key: settings of a channel, Integrations, Webhooks.',
    });
  }

  /** Discord does not know the webhook, or did not some time ago: then it is not remembered for longer. */
  noteUnknown({ webhook, ownerId }: DeliveryOrder): void {
    const digest = this.digestOf(webhook);
    this.#guilds.delete(digest);
    this.#worked.delete(digest);
    if (!this.#unknown.has(digest)) this.#unknown.set(digest, true);
    const attempts = this.#attempts.get(ownerId) ?? this.#newAttempts();
    if (!attempts.has(digest)) attempts.set(digest, true);
    this.#attempts.set(ownerId, attempts);
  }

  #check(digest: string, ownerId: string): void {
    const attempts = this.#attempts.get(ownerId);
    const isOver = attempts !== undefined && attempts.size >= this.#attemptsMax;
    if (isOver && !attempts.has(digest) && !this.#worked.has(digest)) {
      throw new Problem('token_attempts', {
        error: 'Too many unknown webhooks from this server.',
        hint: 'Check the address of the webhook before you try again.',
        retryAfterSeconds: attempts.oldestTimeLeftMs() / 1_000,
      });
    }
    if (this.#unknown.has(digest)) throw unknownWebhook();
  }
}
