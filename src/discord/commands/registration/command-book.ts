import { setTimeout as delay } from 'node:timers/promises';

import type { ClientApplication, RESTPostAPIApplicationCommandsJSONBody } from 'discord.js';

import type { Log } from '../../../telemetry/log.ts';
import { registerCommands } from './command-registration.ts';

export interface CommandBookOptions {
  readonly log: Log;
  readonly commands: readonly RESTPostAPIApplicationCommandsJSONBody[];
  /** Waits between attempts: the first, doubled up to the longest. */
  readonly retryMs: number;
  readonly retryMaxMs: number;
}

/** The commands as Discord knows them, with the ids that make mentions of them clickable. */
export class CommandBook {
  readonly #options: CommandBookOptions;
  #ids: ReadonlyMap<string, string> = new Map();

  constructor(options: CommandBookOptions) {
    this.#options = options;
  }

  /** Registers the commands, again and again until Discord takes them or `signal` aborts. Never rejects. */
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
        log.warn({ err: error, retryMs: waitMs }, 'the commands could not be registered; trying again');
        await delay(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  }

  /** `settings key list` as something that can be clicked, or as code until Discord has sent the ids. */
  mention(path: string): string {
    const [name = ''] = path.split(' ');
    const id = this.#ids.get(name);
    return id === undefined ? `\`/${path}\`` : `</${path}:${id}>`;
  }
}
