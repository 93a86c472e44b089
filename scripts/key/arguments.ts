import { parseArgs } from 'node:util';

import { reasonOf } from '../../src/kernel/explained-failure.ts';
import { isKeyBuilderId, KEY_BUILDERS, type KeyBuilderId } from '../../src/recipes/builders.ts';
import { canHaveKeys } from '../../src/guild-keys/guild-key.ts';
import type { ExpiresInDays, OverlapSeconds } from '../../src/guild-keys/guild-keys.ts';
import { OPERATIONS } from '../../src/operations/index.ts';
import { ALL_BUT_MEMBERS, ALL_OPERATIONS, readOperations } from '../../src/operations/operation-choice.ts';
import { Problem } from '../../src/kernel/problem.ts';

export const USAGE = `Usage: npm run --silent key -- <command>

  create <guild_id> [--name <name>] [--expires 30|90|365] [--builder <builder>] [--operations <operations>]
  list   <guild_id>
  rotate <guild_id> <key> [--overlap now|1h|24h|7d] [--end-older]
  revoke <guild_id> <key>

<guild_id>    id of the Discord server; 0 for keys of no server
<key>         id, public part (qm_...) or name of a key, as "list" shows them
--builder     ${KEY_BUILDERS.join(', ')}
--operations  what the key may call: ${ALL_OPERATIONS}, ${ALL_BUT_MEMBERS}, or names separated by commas:
              ${OPERATIONS.map(({ name }) => name).join(', ')}
--end-older   an older secret of the same name ends now, although it was promised more time

Only the key is written to stdout, everything else to stderr.
STORAGE_URL says where keys are kept, as for the service. The service may be running.`;

export class UsageError extends Error {}

export type Command =
  | {
      readonly name: 'create';
      readonly guildId: string;
      readonly keyName: string | null;
      readonly expiresInDays: ExpiresInDays;
      readonly builder: KeyBuilderId | null;
      readonly operations: readonly string[] | null;
    }
  | { readonly name: 'list'; readonly guildId: string }
  | {
      readonly name: 'rotate';
      readonly guildId: string;
      readonly key: string;
      readonly overlapSeconds: OverlapSeconds;
      readonly endsOlder: boolean;
    }
  | { readonly name: 'revoke'; readonly guildId: string; readonly key: string };

const EXPIRIES: Readonly<Record<string, ExpiresInDays>> = { 30: 30, 90: 90, 365: 365 };
const OVERLAPS: Readonly<Record<string, OverlapSeconds>> = {
  now: 0,
  '1h': 3_600,
  '24h': 86_400,
  '7d': 604_800,
};

/** The options that each command takes. */
const OPTIONS: Readonly<Record<Command['name'], readonly string[]>> = {
  create: ['name', 'expires', 'builder', 'operations'],
  list: [],
  rotate: ['overlap', 'end-older'],
  revoke: [],
};

/** @throws UsageError */
export function parseCommand(args: readonly string[]): Command {
  const { values, positionals } = parseOptions(args);
  const [name, guildId, key, ...more] = positionals;
  if (name === undefined) throw new UsageError('The command is missing.');
  if (!isCommandName(name)) throw new UsageError(`There is no command "${name}".`);
  const foreign = Object.keys(values).find((option) => !OPTIONS[name].includes(option));
  if (foreign !== undefined) throw new UsageError(`"${name}" takes no --${foreign}.`);
  if (guildId === undefined) throw new UsageError('The guild_id is missing.');
  if (!canHaveKeys(guildId)) {
    throw new UsageError(`"${guildId}" is not the id of a server, which has 17 to 20 digits, nor 0.`);
  }

  if (name === 'create' || name === 'list') {
    if (key !== undefined) throw new UsageError('There are too many arguments.');
    if (name === 'list') return { name, guildId };
    const { builder = null } = values;
    if (builder !== null && !isKeyBuilderId(builder)) {
      throw new UsageError(`--builder is one of ${KEY_BUILDERS.join(', ')}.`);
    }
    const expiresInDays = values.expires === undefined ? null : choose('expires', values.expires, EXPIRIES);
    const operations = chooseOperations(values.operations ?? ALL_OPERATIONS);
    return { name, guildId, keyName: values.name ?? null, expiresInDays, builder, operations };
  }
  if (key === undefined) throw new UsageError('The key is missing.');
  if (more.length > 0) throw new UsageError('There are too many arguments.');
  if (name === 'revoke') return { name, guildId, key };
  const overlapSeconds = choose('overlap', values.overlap ?? '24h', OVERLAPS);
  return { name, guildId, key, overlapSeconds, endsOlder: values['end-older'] ?? false };
}

function isCommandName(name: string): name is Command['name'] {
  return Object.hasOwn(OPTIONS, name);
}

function parseOptions(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        name: text,
        expires: text,
        builder: text,
        operations: text,
        overlap: text,
        'end-older': { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new UsageError(reasonOf(error));
  }
}

function chooseOperations(given: string): readonly string[] | null {
  try {
    return readOperations(given, OPERATIONS);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new UsageError(`--operations: ${error.message}`);
  }
}

function choose<Value>(option: string, given: string, choices: Readonly<Record<string, Value>>): Value {
  const value = Object.hasOwn(choices, given) ? choices[given] : undefined;
  if (value === undefined) throw new UsageError(`--${option} is one of ${Object.keys(choices).join(', ')}.`);
  return value;
}
