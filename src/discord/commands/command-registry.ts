import { setTimeout as delay } from 'node:timers/promises';

import type {
  APIApplicationCommand,
  ApplicationCommandManager,
  ClientApplication,
  JSONEncodable,
  RESTPostAPIApplicationCommandsJSONBody,
} from 'discord.js';

import type { Log } from '../../telemetry/log.ts';

type CommandData = RESTPostAPIApplicationCommandsJSONBody;

interface CommandRegistryOptions {
  readonly log: Log;
  readonly commands: readonly CommandData[];
  /** The first and the longest pause between attempts. Each is twice the one before. */
  readonly retryMs: number;
  readonly retryMaxMs: number;
}

/** The commands as Discord registered them, with the ids that make mentions of them clickable. */
export class CommandRegistry {
  readonly #options: CommandRegistryOptions;
  #ids: ReadonlyMap<string, string> = new Map();

  constructor(options: CommandRegistryOptions) {
    this.#options = options;
  }

  /** Registers the commands, and tries again until Discord accepts them or `signal` aborts. Never rejects. */
  async register(application: ClientApplication, signal: AbortSignal): Promise<void> {
    const { log, commands, retryMs, retryMaxMs } = this.#options;
    for (let waitMs = retryMs; !signal.aborted; waitMs = Math.min(waitMs * 2, retryMaxMs)) {
      try {
        const { changed, ids } = await registerCommands(application.commands, commands);
        this.#ids = ids;
        log.info(
          { commands: ids.size },
          changed ? 'the commands were registered' : 'the commands are up to date',
        );
        return;
      } catch (error) {
        if (signal.aborted) return;
        log.warn({ cause: error, retryMs: waitMs }, 'the commands could not be registered; trying again');
        await delay(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  }

  /** `settings key list` as a clickable link, or as code until Discord has sent the ids. */
  mention(path: string): string {
    const [name = ''] = path.split(' ');
    const id = this.#ids.get(name);
    return id === undefined ? `\`/${path}\`` : `</${path}:${id}>`;
  }
}

/**
 * Makes the global commands of the application exactly these. Reads them, and replaces all of them in one request when
 * any differs.
 * @returns whether any differed, and ids by name, for clickable mentions
 * @throws DiscordAPIError and others of REST
 * @see https://discord.com/developers/docs/interactions/application-commands#bulk-overwrite-global-application-commands
 */
export async function registerCommands(
  manager: Pick<ApplicationCommandManager, 'fetch' | 'set'>,
  commands: readonly CommandData[],
) {
  const current = await manager.fetch({ withLocalizations: true });
  for (const command of current.values()) {
    // Contexts have no order.
    command.contexts?.sort();
    command.integrationTypes?.sort();
  }
  const changed =
    current.size !== commands.length ||
    // `equals` takes Discord's own form of a command, and compares the fields that both have.
    commands.some((data) => !current.some((command) => command.equals(data as APIApplicationCommand, true)));
  const registered = changed ? await manager.set(commands.map((data) => toEncodable(data))) : current;
  return { changed, ids: new Map(registered.map(({ name, id }) => [name, id])) };
}

/**
 * Discord documents these permissions as a string in answers and as an integer in requests. discord.js writes a string,
 * and its types allow only that.
 */
function toEncodable(data: CommandData): JSONEncodable<CommandData> {
  return { toJSON: () => toRequest(data) as unknown as CommandData };
}

export function toRequest(data: CommandData): Record<string, unknown> {
  const permissions = data.default_member_permissions;
  return typeof permissions === 'string'
    ? { ...data, default_member_permissions: Number(permissions) }
    : { ...data };
}
