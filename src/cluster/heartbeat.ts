import type { Log } from '../telemetry/log.ts';
import type { Leases } from './leases.ts';
import type { Notices } from './notices.ts';
import type { OwnerQuestions } from './owner-questions.ts';

export interface HeartbeatOptions {
  readonly leases: Leases;
  readonly notices: Notices;
  readonly questions: Pick<OwnerQuestions, 'reaches'>;
  readonly log: Log;
}

/** How the processes find each other; each of the three can fail alone. */
export interface Health {
  /** The last renewal of the lease succeeded. */
  renews: boolean;
  /** Messages to all processes arrive here. */
  hears: boolean;
  /** Other processes with shards that this one cannot ask. */
  unreachable: number;
}

/** Renews the lease, and finds out whether this process can hear and reach the others. */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  readonly health: Health = { renews: true, hears: true, unreachable: 0 };

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  /** Never rejects. */
  async beat(): Promise<void> {
    await this.renew();
    await Promise.all([this.#listen(), this.#reach()]);
  }

  /** Never rejects. */
  async renew(): Promise<void> {
    const { leases, log } = this.#options;
    const { health } = this;
    try {
      await leases.renew();
      if (!health.renews) log.info('Redis is back: the processes work together again');
      health.renews = true;
    } catch (err) {
      if (health.renews) log.warn({ err }, 'Redis is away: this process works for itself until it is back');
      health.renews = false;
    }
  }

  async #listen(): Promise<void> {
    const { notices, log } = this.#options;
    const { health } = this;
    let failure: unknown = 'the subscription is gone';
    const hears = await notices.areHeard().catch((error: unknown) => {
      failure = error;
      return false;
    });
    if (!hears) notices.reconnect();
    // While Redis is away as a whole, that is all there is to say.
    if (health.renews && hears !== health.hears) {
      if (hears) log.info('this process hears the others again');
      else
        log.warn({ err: failure }, 'this process does not hear the others: changed keys reach it 5 s later');
    }
    health.hears = hears;
  }

  async #reach(): Promise<void> {
    const { leases, questions, log } = this.#options;
    const { health } = this;
    const owners = leases.others.filter(({ shards }) => shards.size > 0);
    const reached = await Promise.all(owners.map((owner) => questions.reaches(owner)));
    const unreachable = owners.filter((_, index) => reached[index] === false).map(({ origin }) => origin);
    if (unreachable.length > health.unreachable) {
      log.warn({ unreachable }, 'other processes cannot be reached: check CLUSTER_HOST and CLUSTER_PORT');
    } else if (unreachable.length === 0 && health.unreachable > 0) {
      log.info('all other processes can be reached again');
    }
    health.unreachable = unreachable.length;
  }
}
