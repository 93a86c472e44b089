import type {
  APIApplicationCommandOptionChoice,
  APIMessage,
  RESTPostAPIApplicationCommandsJSONBody,
} from 'discord-api-types/v10';

import type { Operation } from '../../operations/operation.ts';
import type { Invocation, Options } from '../interactions/invocation.ts';
import type { Reply } from '../messages/reply.ts';
import type { Deferral } from '../interactions/responder.ts';
import type { Services } from './services.ts';

/** A command as somebody uses it. */
export interface CommandCall extends Invocation {
  readonly options: Options;
  /** The message of a context-menu command, null elsewhere. */
  readonly target: APIMessage | null;
  /** Aborts when an answer would come too late or the process ends. */
  readonly signal: AbortSignal;
}

/** A click on a button, a choice in a select, or a form that was sent. */
interface ComponentCall extends Invocation {
  /** The argument of the custom id. */
  readonly argument: string;
  /** What was chosen in a select. */
  readonly values: readonly string[];
  /** What was typed into a form, by the id of the field. */
  readonly fields: ReadonlyMap<string, string>;
  /** The message with the component; null for a form that a command opened. */
  readonly message: APIMessage | null;
  readonly signal: AbortSignal;
}

interface Guarded {
  /** The permission that the user needs, checked whatever Discord let through. Implies use in a server. */
  readonly permission?: bigint;
}

export interface Command extends Guarded {
  readonly data: RESTPostAPIApplicationCommandsJSONBody;
  /**
   * Whether Discord is told at once that the answer takes a moment: for work that waits for a network, and for
   * work that must not be done twice, because a doubled or expired interaction fails here.
   */
  defers(options: Options): boolean;
  /** The operations that it makes usable in Discord. */
  readonly operations: readonly Operation[];
  /** Whose requests count together: images have a smaller budget. */
  readonly bucket: 'command' | 'image';
  /** @throws Problem */
  run(call: CommandCall, services: Services): Promise<Reply>;
  /** Choices while an option is being typed. */
  complete?(call: CommandCall, services: Services): Promise<readonly APIApplicationCommandOptionChoice[]>;
}

/** What a button, a select or a form does. */
export interface ComponentAction extends Guarded {
  /** First part of the custom id. */
  readonly action: string;
  /** Announced at once, as with commands; null when the answer takes no time or is a form. */
  readonly defer: Deferral | null;
  /** As with commands; null for what only opens the next step, or must always work. */
  readonly bucket: Command['bucket'] | null;
  /** @throws Problem */
  run(call: ComponentCall, services: Services): Promise<Reply>;
}
