import { reasonOf } from '../../src/kernel/explained-failure.ts';
import { toUtcMinute } from '../../src/kernel/utc.ts';
import { keyBuilderOf, readKeyBuilder } from '../../src/recipes/builders.ts';
import { GuildKeyStore } from '../../src/guild-keys/guild-key-store.ts';
import { findKeys, findOlderSecrets, toShownKey } from '../../src/guild-keys/find-keys.ts';
import type { GuildKeys, IssuedKey, KeyEntry } from '../../src/guild-keys/guild-keys.ts';
import { CLI } from '../../src/guild-keys/guild-record.ts';
import { Problem } from '../../src/kernel/problem.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { parseCommand, USAGE, UsageError, type Command } from './arguments.ts';

export interface KeyCommandIo {
  /** Throws when the settings of the service are wrong. */
  readonly readStorageUrl: () => string;
  /** Receives the key and nothing else. */
  readonly writeOut: (text: string) => void;
  /** Receives all other text. */
  readonly writeError: (text: string) => void;
}

/** Returns the exit code: 2 when the command is not understood, 1 when it fails. */
export async function runKeyCommand(args: readonly string[], io: KeyCommandIo): Promise<number> {
  const tell = (text: string) => io.writeError(`${text}\n`);
  const [first] = args;
  if (first === undefined) {
    tell(USAGE);
    return 2;
  }
  if (first === 'help' || args.includes('--help') || args.includes('-h')) {
    tell(USAGE);
    return 0;
  }
  try {
    const command = parseCommand(args);
    const storageUrl = io.readStorageUrl();
    if (storageUrl === 'memory:') {
      throw new Error('STORAGE_URL is memory:, which only the process of the service itself can see.');
    }
    await using storage = await openStorage(storageUrl);
    await run(command, new GuildKeyStore(storage), io);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      tell(`${error.message}\nnpm run --silent key -- --help says how it is used.`);
      return 2;
    }
    tell(reasonOf(error));
    if (error instanceof Problem && error.hint !== null) tell(error.hint);
    if (error instanceof Problem && error.cause instanceof Error) tell(error.cause.message);
    return 1;
  }
}

async function run(command: Command, keys: GuildKeys, io: KeyCommandIo): Promise<void> {
  const tell = (text: string) => io.writeError(`${text}\n`);
  const show = ({ key, entry }: IssuedKey) => {
    tell(describe(entry));
    io.writeOut(`${key}\n`);
  };
  const { guildId } = command;
  const entries = await keys.list(guildId);
  switch (command.name) {
    case 'create': {
      const { keyName, expiresInDays, builder, operations } = command;
      const { flat, always200 } = keyBuilderOf(builder ?? 'code');
      const name = keyName ?? findFreeName(entries);
      const answers = { flat, always200, builder, operations };
      show(await keys.create({ guildId, name, createdBy: CLI, expiresInDays, ...answers }));
      return;
    }
    case 'list':
      tell(entries.length === 0 ? 'This server has no keys.' : entries.map(describe).join('\n'));
      return;
    case 'rotate': {
      const entry = findKey(entries, command.key);
      const { keyId } = entry;
      const { overlapSeconds } = command;
      const older = findOlderSecrets(entries, entry);
      if (!command.endsOlder) refuseToEnd(older);
      const endsOlder = older.map((each) => each.keyId);
      const issued = await keys.rotate({ guildId, keyId, overlapSeconds, createdBy: CLI, endsOlder });
      for (const each of endsOlder) tell(`The older key ${each} has ended.`);
      const old = (await keys.list(guildId)).find((entry) => entry.keyId === keyId);
      tell(`The key ${keyId} ${describeEnd(old)}.`);
      show(issued);
      return;
    }
    case 'revoke': {
      const { keyId } = findKey(entries, command.key);
      const working = entries.filter(({ state }) => state === 'current' || state === 'replaced');
      await keys.revoke(guildId, keyId);
      const ended = (await keys.list(guildId)).filter(
        (entry) =>
          entry.keyId === keyId ||
          (entry.state === 'revoked' && working.some((before) => before.keyId === entry.keyId)),
      );
      tell(`${ended.map(describe).join('\n')}\nA running service refuses them within 5 seconds.`);
    }
  }
}

function describeEnd(old: KeyEntry | undefined): string {
  if (old?.state !== 'replaced' || old.expiresAt === null) return 'has ended';
  return `works until ${toUtcMinute(old.expiresAt)} (UTC)`;
}

function findKey(entries: readonly KeyEntry[], given: string): KeyEntry {
  const [found, ...others] = findKeys(entries, given);
  const shown = toShownKey(given);
  if (found === undefined) {
    throw new Error(`This server has no key "${shown}". The command "list" shows the ones that exist.`);
  }
  if (others.length > 0) throw new Error(`Several keys are called "${shown}". Give the id of one of them.`);
  return found;
}

function refuseToEnd([first]: readonly KeyEntry[]): void {
  if (first === undefined) return;
  const until = toUtcMinute(first.expiresAt ?? 0);
  throw new Error(
    `This would end the older key ${first.publicPart}, which still works until ${until} (UTC).\nAdd --end-older to do it.`,
  );
}

function findFreeName(entries: readonly KeyEntry[]): string {
  const taken = new Set(entries.filter((entry) => entry.state === 'current').map((entry) => entry.name));
  let name = CLI;
  for (let n = 2; taken.has(name); n += 1) name = `${CLI} ${n}`;
  return name;
}

function describe(entry: KeyEntry): string {
  const builder = readKeyBuilder(entry.builder);
  return [
    `${entry.keyId}  ${entry.publicPart}  ${entry.state.padEnd(8)}  "${entry.name}"`,
    `  by ${entry.createdBy}, created ${toUtcMinute(entry.createdAt)}`,
    entry.revokedAt === null ? '' : `, revoked ${toUtcMinute(entry.revokedAt)}`,
    entry.expiresAt === null ? ', does not expire' : `, expires ${toUtcMinute(entry.expiresAt)}`,
    entry.flat ? ', flat' : '',
    entry.always200 ? ', always_200' : '',
    builder === null ? '' : `, for ${keyBuilderOf(builder).label}`,
    entry.operations === null ? '' : `, only ${entry.operations.join(', ')}`,
  ].join('');
}
