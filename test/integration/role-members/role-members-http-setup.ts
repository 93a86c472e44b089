import { vi } from 'vitest';

import type { AppOptions } from '../../../src/app/app-options.ts';
import type { Simulator, SimulatorOptions } from '../../simulator/simulator.ts';
import { POLL } from '../../fixtures/poll.ts';
import { startDiscordApp, type Reply } from '../../fixtures/test-app.ts';
import { BLUE, GUILD } from '../rest-members/rest-members-setup.ts';

export interface Service extends AsyncDisposable {
  readonly discord: Simulator;
  /** A question with a key of GUILD about the blue role, but for what is given; undefined leaves a field out. */
  ask(
    query?: Record<string, string | undefined>,
    headers?: Record<string, string>,
    init?: RequestInit,
  ): Promise<Reply>;
  /** Asks for the counts of all roles with the same key. */
  askCounts(query?: Record<string, string>, headers?: Record<string, string>): Promise<Reply>;
  /** Asks until the service's own list is complete. */
  untilComplete(): Promise<void>;
  /** Resolves when the answer of the gateway satisfies a condition. */
  until(query: Record<string, string>, isDone: (reply: Reply) => boolean): Promise<Reply>;
}

/** The whole service, connected to a simulated Discord. */
export async function startService(simulated: SimulatorOptions, options: AppOptions = {}): Promise<Service> {
  const app = await startDiscordApp(simulated, {}, options);
  const key = await app.createKey({ guildId: GUILD });
  const ask: Service['ask'] = (query = {}, headers = {}, init = {}) => {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries({ role_id: BLUE, ...query })) {
      if (value !== undefined) search.set(name, value);
    }
    return app.call(`/api/role-members?${search.toString()}`, {
      ...init,
      headers: { authorization: key, ...headers },
    });
  };
  const until: Service['until'] = (query, isDone) =>
    vi.waitUntil(async () => {
      const reply = await ask(query);
      return isDone(reply) ? reply : undefined;
    }, POLL);
  return {
    discord: app.discord,
    ask,
    askCounts: (query = {}, headers = {}) =>
      app.call(`/api/role-counts?${new URLSearchParams(query).toString()}`, {
        headers: { authorization: key, ...headers },
      }),
    until,
    untilComplete: async () =>
      void (await until({ source: 'gateway', count_only: 'true' }, ({ status }) => status === 200)),
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

/** The bytes of `members`. */
export function membersText({ text }: Reply): string {
  return /"members":(\[[^\]]*\])/.exec(text)?.[1] ?? '';
}
