import type { Log } from '../telemetry/log.ts';
import type { Leases } from './leases.ts';
import type { Notices } from './notices.ts';
import type { OwnerQuestions } from './owner-questions.ts';

export interface HeartbeatOptions {
  readonly leases: Leases;
  readonly notices: Notices;
  readonly questions: OwnerQuestions;
  readonly log: Log;
}

/** Log lines by kind of trouble: one for when there is more of it, and one for when it is over. */
const TROUBLES = {
  away: [
    'Redis is away: this process works for itself until it is back',
    'Redis is back: the processes work together again',
  ],
  deaf: [
    'this process does not hear the others: changed keys reach it 5 s later',
    'this process hears the others again',
  ],
  unreachable: [
    'other processes cannot be reached: check CLUSTER_HOST and CLUSTER_PORT',
    'all other processes can be reached again',
  ],
  heldTwice: [
    'another process holds these shards, too; give each shard to one process (GATEWAY_SHARDS)',
    'each shard of this process is held by it alone again',
  ],
} as const;

/** Renews the lease, and checks that the processes reach each other. None of its functions rejects. */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  /** Cases of each kind. 0 means that all is well. */
  readonly trouble = { away: 0, deaf: 0, unreachable: 0, heldTwice: 0 };

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  async beat(): Promise<void> {
    await this.renew();
    await Promise.all([this.#listen(), this.#reach()]);
  }

  async renew(): Promise<void> {
    const { leases } = this.#options;
    const failure = await failureOf(leases.renew());
    this.#note('away', failure === null ? 0 : 1, { err: failure });
    const { heldTwice } = leases;
    this.#note('heldTwice', heldTwice.length, { shards: heldTwice });
  }

  async #listen(): Promise<void> {
    const { notices } = this.#options;
    const failure = await failureOf(notices.checkHeard());
    if (failure !== null) notices.reconnect();
    this.#note('deaf', failure === null ? 0 : 1, { err: failure });
  }

  async #reach(): Promise<void> {
    const { leases, questions } = this.#options;
    const owners = leases.others.filter(({ shards }) => shards.size > 0);
    const reached = await Promise.all(owners.map((owner) => questions.reaches(owner)));
    const unreachable = owners.filter((_, index) => reached[index] === false).map(({ origin }) => origin);
    this.#note('unreachable', unreachable.length, { unreachable });
  }

  #note(name: keyof typeof TROUBLES, now: number, facts: object): void {
    const { log } = this.#options;
    const before = this.trouble[name];
    const [worse, over] = TROUBLES[name];
    this.trouble[name] = now;
    if (now > before) log.warn(facts, worse);
    else if (now === 0 && before > 0) log.info(over);
  }
}

/** The reason why it failed; null when it succeeded. */
function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  );
}
