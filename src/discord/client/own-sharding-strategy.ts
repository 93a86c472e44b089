import {
  ApplicationCommandType,
  ComponentType,
  InteractionType,
  Locale,
  type GatewayInteractionCreateDispatch,
  type GatewayReadyDispatch,
  type IShardingStrategy,
  type WebSocketOptions,
  type APIInteraction,
} from 'discord.js';

import type { ShardManager } from '../connection/shard-manager.ts';

type Manager = Parameters<NonNullable<WebSocketOptions['buildStrategy']>>[0];

/** discord.js sees the whole connection as one shard, which is ready from the first READY of any of our shards on. */
const SHARD_ID = 0;

/** Discord's limit, for interactions that do not state one. */
const ATTACHMENT_BYTES = 10 * 1024 * 1024;

/** Stands for the command name or custom id of an interaction that came without its data. */
export const MISSING_NAME = '';

const EMPTY_COMMAND = { id: '0', name: MISSING_NAME, type: ApplicationCommandType.ChatInput };
const EMPTY_DATA = {
  [InteractionType.ApplicationCommand]: EMPTY_COMMAND,
  [InteractionType.ApplicationCommandAutocomplete]: EMPTY_COMMAND,
  [InteractionType.MessageComponent]: { custom_id: MISSING_NAME, component_type: ComponentType.Button },
  [InteractionType.ModalSubmit]: { custom_id: MISSING_NAME, components: [] },
  [InteractionType.Ping]: {},
} as const;

/** The strategy that gives discord.js our own connection. */
export class OwnShardingStrategy implements IShardingStrategy {
  readonly #manager: Manager;
  readonly #connection: Pick<ShardManager, 'open' | 'close'>;
  #isOpen = false;
  #isReady = false;

  constructor(manager: Manager, connection: Pick<ShardManager, 'open' | 'close'>) {
    this.#manager = manager;
    this.#connection = connection;
    // The connection fetches the gateway's URL itself and tries again. `login()` would give up after one try.
    manager.fetchGatewayInformation = async () => ({
      url: '',
      shards: 1,
      session_start_limit: { total: 1, remaining: 1, reset_after: 0, max_concurrency: 1 },
    });
  }

  spawn(): void {}

  async connect(): Promise<void> {
    this.#isOpen = true;
    await this.#connection.open();
  }

  /** discord.js also calls it before `connect`, when there is no connection to end. */
  async destroy(): Promise<void> {
    if (this.#isOpen) await this.#connection.close();
  }

  send(): never {
    throw new Error('discord.js sends nothing: we set no presence, and request members ourselves.');
  }

  fetchStatus(): never {
    throw new Error('The state of the shards is in ShardStates.');
  }

  /** The first READY makes the client ready. Its guilds are omitted, because each would become an object of 4 KiB. */
  ready(packet: GatewayReadyDispatch): void {
    if (this.#isReady) return;
    this.#isReady = true;
    const data = { ...packet, d: { ...packet.d, guilds: [] } };
    this.#manager.emit('ready', { data: data.d, shardId: SHARD_ID });
    this.#manager.emit('dispatch', { data, shardId: SHARD_ID });
  }

  interaction(packet: GatewayInteractionCreateDispatch): void {
    const data = { ...packet, d: fillIn(packet.d) };
    this.#manager.emit('dispatch', { data, shardId: SHARD_ID });
  }
}

/** Fills in fields that discord.js reads without checking. Servers other than Discord leave some of them out. */
function fillIn(interaction: APIInteraction): APIInteraction {
  const sent: Omit<Partial<APIInteraction>, 'type'> = interaction;
  const filled = {
    ...interaction,
    data: sent.data ?? EMPTY_DATA[interaction.type],
    entitlements: sent.entitlements ?? [],
    authorizing_integration_owners: sent.authorizing_integration_owners ?? {},
    attachment_size_limit: sent.attachment_size_limit || ATTACHMENT_BYTES,
    locale: ('locale' in sent ? sent.locale : undefined) ?? Locale.EnglishUS,
    ...(interaction.type === InteractionType.MessageComponent
      ? { message: sent.message ?? { id: '0', channel_id: '0' } }
      : {}),
  };
  return filled as APIInteraction;
}
