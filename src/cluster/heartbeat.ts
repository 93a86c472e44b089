import type { Log } from '../telemetry/log.ts';
import type { Channels } from './channels.ts';
import type { Leases } from './leases.ts';

export interface HeartbeatOptions {
  readonly leases: Leases;
  readonly channels: Channels;
  readonly log: Log;
}

/** By kind of trouble: the log message when it gets worse, and the one when it is over. */
const TROUBLES = {
  away: [
    'Redis is away: this process works for itself until it is back',
    'Redis is back: the processes work together again',
  ],
  noMessages: [
    'this process does not hear the others: it gets no lists of them, and changed keys 5 s later',
    'this process hears the others again',
  ],
  heldTwice: [
    'another process holds these shards, too; give each shard to one process (GATEWAY_SHARDS)',
    'each shard of this process is held by it alone again',
  ],
} as const;

/** Renews the lease, and checks that messages arrive. None of its functions rejects. */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  /** Cases of each kind. 0 means that all is well. */
  readonly trouble = { away: 0, noMessages: 0, heldTwice: 0 };

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  async beat(): Promise<void> {
    await this.renew();
    await this.#listen();
  }

  /** Renews a lease that Redis refused, for example because it was full. No event tells when it takes writes again. */
  async renewIfAway(): Promise<void> {
    if (this.trouble.away > 0) await this.renew();
  }

  /** When Redis takes the lease again, this is published to the other processes. */
  async renew(): Promise<void> {
    const { leases, channels } = this.#options;
    const wasAway = this.trouble.away > 0;
    const failure = await failureOf(leases.renew());
    this.#logChange('away', failure === null ? 0 : 1, { err: failure });
    if (wasAway && failure === null) channels.publish('shards');
    const { heldTwice } = leases;
    this.#logChange('heldTwice', heldTwice.length, { shards: heldTwice });
  }

  async #listen(): Promise<void> {
    const { channels } = this.#options;
    const failure = await failureOf(channels.checkHeard());
    if (failure !== null) channels.reconnect();
    this.#logChange('noMessages', failure === null ? 0 : 1, { err: failure });
  }

  #logChange(name: keyof typeof TROUBLES, now: number, fields: object): void {
    const { log } = this.#options;
    const before = this.trouble[name];
    const [worse, over] = TROUBLES[name];
    this.trouble[name] = now;
    if (now > before) log.warn(fields, worse);
    else if (now === 0 && before > 0) log.info(over);
  }
}

/** The reason why the work failed; null when it succeeded. */
function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  );
}
