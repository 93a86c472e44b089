import type { DiscordState, Readiness } from './health.ts';

/** A part of the service, for people. */
interface PartState {
  readonly name: string;
  readonly works: boolean;
  /** One sentence, without a capital letter or a full stop. */
  readonly sentence: string;
}

export interface StatusPart extends PartState {
  /** When it began to work, or to fail, in milliseconds since 1970. */
  readonly since: number;
}

/** A period in which a part did not work. */
export interface Outage {
  readonly part: string;
  readonly sentence: string;
  /** Milliseconds since 1970. */
  readonly from: number;
  /** null while it lasts. */
  readonly to: number | null;
}

export interface Status {
  readonly readiness: Readiness;
  readonly startedAt: number;
  readonly checkedAt: number;
  readonly parts: readonly StatusPart[];
  /** True when Discord is connected, but the member lists of some servers are still being read. */
  readonly isReadingLists: boolean;
  /** The last outage since the start, or null. */
  readonly lastOutage: Outage | null;
}

const NO_LISTS = { complete: 0, loading: 0, stale: 0 };

/** Remembers what has changed since the start. Each call checks the service. HttpService calls it at intervals. */
export class StatusHistory {
  readonly #check: () => Promise<Readiness>;
  readonly #now: () => number;
  readonly #startedAt: number;
  readonly #parts = new Map<string, StatusPart>();
  #lastOutage: Outage | null = null;

  /** @param now milliseconds since 1970 */
  constructor(check: () => Promise<Readiness>, now: () => number) {
    this.#check = check;
    this.#now = now;
    this.#startedAt = now();
  }

  async readStatus(): Promise<Status> {
    const readiness = await this.#check();
    const checkedAt = this.#now();
    for (const part of partsOf(readiness)) this.#record(part, checkedAt);
    return {
      readiness,
      startedAt: this.#startedAt,
      checkedAt,
      parts: [...this.#parts.values()],
      isReadingLists: isReadingLists(readiness),
      lastOutage: this.#lastOutage,
    };
  }

  #record(part: PartState, at: number): void {
    const before = this.#parts.get(part.name);
    const isSame = before?.works === part.works;
    this.#parts.set(part.name, { ...part, since: isSame ? before.since : at });
    if (before === undefined || isSame) return;
    // A part that has never worked is still starting, so this is no outage.
    if (!part.works) {
      // While one part fails, others may fail because of it.
      if (this.#lastOutage?.to !== null)
        this.#lastOutage = { part: part.name, sentence: part.sentence, from: at, to: null };
    } else if (this.#lastOutage?.part === part.name) this.#lastOutage = { ...this.#lastOutage, to: at };
  }
}

function partsOf({ problem, parts }: Readiness): PartState[] {
  const keysWork = problem?.code !== 'storage_unavailable';
  return [
    { name: 'API', works: problem === null, sentence: problem?.message ?? 'takes calls' },
    {
      name: 'Keys',
      works: keysWork,
      sentence: keysWork ? 'can be checked and changed' : 'cannot be checked',
    },
    ...(parts === null ? [] : discordParts(parts.discord)),
  ];
}

function discordParts(discord: DiscordState | null): PartState[] {
  if (discord === null)
    return [{ name: 'Discord', works: true, sentence: 'switched off: no slash commands here' }];
  const { connected, reason, guilds = 0, member_lists: lists = NO_LISTS } = discord;
  const all = lists.complete + lists.loading + lists.stale;
  return [
    {
      name: 'Discord',
      works: connected,
      sentence: connected
        ? `connected; in ${serversInWords(guilds)}, commands answer`
        : (reason ?? 'not connected'),
    },
    {
      name: 'Member lists',
      // After a session that could not be resumed, each list is read again as it was at the start.
      works: connected || lists.stale === 0,
      sentence: `complete for ${lists.complete} of ${serversInWords(all)}`,
    },
  ];
}

function isReadingLists({ parts }: Readiness): boolean {
  const { connected = false, member_lists: lists = NO_LISTS } = parts?.discord ?? {};
  return connected && lists.loading + lists.stale > 0;
}

function serversInWords(servers: number): string {
  return servers === 1 ? '1 server' : `${servers.toLocaleString('en')} servers`;
}
