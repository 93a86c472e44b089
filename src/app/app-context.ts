import type { Config } from '../config/config.ts';
import type { Log } from '../telemetry/log.ts';
import type { AppOptions } from './app-options.ts';
import type { OpenParts } from './open-parts.ts';

/** Passed to every step of the start. */
export interface AppContext {
  readonly config: Config;
  readonly log: Log;
  readonly options: AppOptions;
  readonly parts: OpenParts;
}
