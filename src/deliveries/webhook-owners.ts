import { BoundedMap } from '../kernel/bounded-map.ts';
import { Problem } from '../kernel/problem.ts';
import { KnownSecrets } from '../upstream/known-secrets.ts';
import { SecretAttempts } from '../upstream/secret-attempts.ts';
import { unknownWebhook } from './call-problem.ts';
import type { DeliveryOrder } from './deliveries.ts';
import type { Webhook } from './webhook.ts';

/** Webhooks whose guild is remembered, about 200 bytes each. */
const ENTRIES_MAX = 10_000;

/** Remembers Discord's answers about webhooks. It holds digests, never a token. */
export class WebhookOwners {
  readonly #guilds: BoundedMap<{ readonly guildId: string | null }>;
  readonly #secrets: KnownSecrets;
  readonly #attempts: SecretAttempts;

  /** @param knownMs the guild of a webhook is remembered for this long */
  constructor(knownMs: number, now = Date.now) {
    this.#guilds = new BoundedMap({ ttlMs: knownMs, entriesMax: ENTRIES_MAX, now });
    this.#secrets = new KnownSecrets(now);
    this.#attempts = new SecretAttempts({ tooMany: 'token_attempts/webhooks', now });
  }

  /** The name under which a webhook is remembered. */
  digestOf({ id, token }: Webhook): string {
    return this.#secrets.digestOf(`${id}/${token}`);
  }

  /**
   * Afterwards the webhook counts as one that worked recently.
   * @param askDiscord resolves with the guild of the webhook; null when it has none
   * @throws Problem `guild_mismatch` for a webhook of another guild, `unknown_webhook` and `token_attempts` for what
   * must cause no call, or what `askDiscord` throws
   */
  async requireOwn(
    { webhook, guildId, ownerId }: DeliveryOrder,
    askDiscord: (worked: boolean) => Promise<string | null>,
  ): Promise<void> {
    const digest = this.digestOf(webhook);
    const known = this.#guilds.get(digest) ?? (await this.#ask(ownerId, digest, askDiscord));
    if (guildId === null || known.guildId === guildId) return;
    throw new Problem('guild_mismatch/webhook', { field: 'Webhook' });
  }

  async #ask(ownerId: string, digest: string, askDiscord: (worked: boolean) => Promise<string | null>) {
    const worked = this.#secrets.hasWorked(digest);
    this.#attempts.check(ownerId, digest, worked);
    if (this.#secrets.isUnknown(digest)) throw unknownWebhook();
    const known = { guildId: await askDiscord(worked) };
    this.#guilds.set(digest, known);
    this.#secrets.noteWorked(digest);
    return known;
  }

  /** Discord does not know the webhook, now or on an earlier try. */
  noteUnknown({ webhook, ownerId }: DeliveryOrder): void {
    const digest = this.digestOf(webhook);
    this.#guilds.delete(digest);
    this.#secrets.noteUnknown(digest);
    this.#attempts.noteUnknown(ownerId, digest);
  }
}
