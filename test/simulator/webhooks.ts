import { ChannelType } from 'discord-api-types/v10';
import type { APIUser } from 'discord-api-types/v10';
import type { Cdn } from './cdn.ts';
import { checkText } from './component-rules.ts';
import { checkMessage } from './message-rules.ts';
import type { Progress } from './progress.ts';
import { isObject, textOf } from './read-json.ts';
import type { JsonObject } from './read-json.ts';
import { DiscordError } from './rest-route.ts';
import type { RestAnswer, RestRequest } from './rest-route.ts';
import { SimulatedMessage } from './simulated-message.ts';
import type { SnowflakeSource } from './snowflakes.ts';

const FILE_BYTES_MAX = 10 * 1024 * 1024;
const TOKEN_LENGTH = 68;

export interface WebhookOptions {
  /** Null for one that belongs to an application. */
  readonly guildId: string | null;
  /** Text when left out; a forum takes only threads. */
  readonly channelType?: ChannelType;
  /** Threads that are there already. */
  readonly threads?: readonly string[];
}

interface WebhookWorld {
  readonly ids: SnowflakeSource;
  readonly cdn: Cdn;
  readonly progress: Progress;
  /** With the version. */
  readonly apiUrl: string;
}

/** A webhook and what was posted through it. */
export class SimulatedWebhook {
  readonly id: string;
  readonly token: string;
  readonly channelId: string;
  /** In the order in which they were posted, with the names under which they were. */
  readonly messages: SimulatedMessage[] = [];
  readonly authors: (string | null)[] = [];
  /** Names of the threads that were made, by their id. */
  readonly threads = new Map<string, string>();
  isDeleted = false;
  readonly #options: WebhookOptions;
  readonly #world: WebhookWorld;

  constructor(options: WebhookOptions, world: WebhookWorld) {
    this.#options = options;
    this.#world = world;
    this.id = world.ids.next();
    this.channelId = world.ids.next();
    this.token = `wh-${this.id}_`.padEnd(TOKEN_LENGTH, 'Secret');
    for (const thread of options.threads ?? []) this.threads.set(thread, 'thread');
  }

  /** As it is copied from Discord's settings. */
  get url(): string {
    return `https://discord.com/api/webhooks/${this.id}/${this.token}`;
  }

  /** The texts of all messages, as readers see them. */
  get texts(): string[] {
    return this.messages.map(({ text }) => text);
  }

  delete(): void {
    this.isDeleted = true;
  }

  /** GET /webhooks/:application/:token */
  describe(): RestAnswer {
    const body = {
      id: this.id,
      type: this.#options.guildId === null ? 3 : 1,
      guild_id: this.#options.guildId,
      channel_id: this.channelId,
      name: 'Simulated',
      avatar: null,
      application_id: null,
      token: this.token,
      url: `${this.#world.apiUrl}/webhooks/${this.id}/${this.token}`,
    };
    return { status: 200, body };
  }

  /** POST /webhooks/:application/:token */
  execute(request: RestRequest): RestAnswer {
    const body = isObject(request.body) ? request.body : {};
    const components = request.query.get('with_components') === 'true' ? body['components'] : undefined;
    const taken = withoutAbsent({ ...body, components });
    if (body['username'] !== undefined) checkText(body['username'], 'username', 1, 80);
    checkText(body['avatar_url'] ?? undefined, 'avatar_url', 0, 2048);
    checkMessage(taken, request.files, null, FILE_BYTES_MAX);
    const channelId = this.#channelOf(request.query.get('thread_id'), body);
    const author: APIUser = {
      id: this.id,
      username: textOf(body['username']) || 'Simulated',
      discriminator: '0000',
      avatar: null,
      global_name: null,
    };
    const meta = { id: this.#world.ids.next(), channelId, applicationId: this.id, author };
    const message = new SimulatedMessage(meta, this.#world.cdn);
    message.write(taken, request.files);
    this.messages.push(message);
    this.authors.push(textOf(body['username']) || null);
    this.#world.progress.notify();
    return request.query.get('wait') === 'true'
      ? { status: 200, body: message.toMessage() }
      : { status: 204 };
  }

  #channelOf(threadId: string | null, body: JsonObject): string {
    const isForum = this.#options.channelType === ChannelType.GuildForum;
    const threadName = textOf(body['thread_name']);
    if (threadId !== null) {
      if (!this.threads.has(threadId)) throw new DiscordError(404, 10003, 'Unknown Channel');
      return threadId;
    }
    if (isForum && threadName === '') {
      const text = 'Webhooks posted to forum channels must have a thread_name or thread_id';
      throw new DiscordError(400, 220001, text);
    }
    if (!isForum && threadName !== '') {
      throw new DiscordError(400, 220003, 'Webhooks can only create threads in forum channels');
    }
    if (!isForum) return this.channelId;
    const thread = this.#world.ids.next();
    this.threads.set(thread, threadName);
    return thread;
  }
}

function withoutAbsent(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}
