import { ApplicationFlags, GatewayIntentBits } from 'discord-api-types/v10';
import type { APIApplicationCommand, APIUser } from 'discord-api-types/v10';
import { bitField } from './bit-field.ts';
import { toUser } from './member-store.ts';

export type PrivilegedIntent = 'GuildMembers' | 'GuildPresences' | 'MessageContent';

export interface BotOptions {
  /** Made up when left out, in the shape of Discord's. */
  readonly token?: string;
  /** Id of the application and of its user. */
  readonly id?: string;
  readonly name?: string;
  /** As switched on in the developer portal; GuildMembers when left out. */
  readonly privilegedIntents?: readonly PrivilegedIntent[];
  /** Ids of the guilds it is in; all when left out. */
  readonly guilds?: readonly string[];
}

/** An application with its bot user. */
export class SimulatedBot {
  readonly id: string;
  readonly name: string;
  /** The only token that is accepted; assign another to reset it. */
  token: string;
  /** As switched on in the developer portal; may be changed while running. */
  readonly privilegedIntents: Set<PrivilegedIntent>;
  /** Global commands, as the last bulk overwrite left them. */
  commands: APIApplicationCommand[] = [];
  /** Commands by guild. */
  readonly guildCommands = new Map<string, APIApplicationCommand[]>();

  constructor(id: string, options: BotOptions) {
    this.id = id;
    this.name = options.name ?? `bot${id.slice(-4)}`;
    this.token = options.token ?? makeToken(id);
    this.privilegedIntents = new Set(options.privilegedIntents ?? ['GuildMembers']);
  }

  get user(): APIUser {
    return toUser({ id: this.id, username: this.name, bot: true });
  }

  get enabledIntents(): number {
    let bits = 0;
    for (const intent of this.privilegedIntents) bits |= GatewayIntentBits[intent];
    return bits;
  }

  /** As the API tells them; the "limited" flags are those of bots in fewer than 100 guilds. */
  get flags(): ApplicationFlags {
    return bitField(...Array.from(this.privilegedIntents, (intent) => LIMITED_FLAGS[intent]));
  }
}

const LIMITED_FLAGS: Readonly<Record<PrivilegedIntent, ApplicationFlags>> = {
  GuildMembers: ApplicationFlags.GatewayGuildMembersLimited,
  GuildPresences: ApplicationFlags.GatewayPresenceLimited,
  MessageContent: ApplicationFlags.GatewayMessageContentLimited,
};

function makeToken(id: string): string {
  return `${Buffer.from(id).toString('base64url')}.Simula.${'not-a-secret-'.repeat(3).slice(0, 38)}`;
}
