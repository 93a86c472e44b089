import { ComponentType, MessageFlags, MessageType } from 'discord-api-types/v10';
import type { APIAttachment, APIMessage, APIUser } from 'discord-api-types/v10';
import type { Cdn } from './cdn.ts';
import { walkComponents } from './component-rules.ts';
import type { MessageState } from './message-rules.ts';
import { objectsOf, textOf } from './read-json.ts';
import type { JsonObject } from './read-json.ts';
import type { UploadedFile } from './rest-route.ts';

/** Flags that a bot may set; the others are Discord's. */
const SETTABLE =
  MessageFlags.SuppressEmbeds |
  MessageFlags.Ephemeral |
  MessageFlags.SuppressNotifications |
  MessageFlags.IsComponentsV2;

export interface MessageMeta {
  readonly id: string;
  readonly channelId: string;
  readonly applicationId: string;
  readonly author: APIUser;
}

/** A file of a message, as a user could open it. */
export interface ShownFile {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** A message that an interaction led to, as a user would see it now. */
export class SimulatedMessage implements MessageState {
  readonly id: string;
  content = '';
  embeds: readonly JsonObject[] = [];
  components: readonly JsonObject[] = [];
  attachments: readonly APIAttachment[] = [];
  /** The contents of `attachments`, in the same order. */
  files: readonly ShownFile[] = [];
  flags = 0;
  /** The first text in place of "is thinking ..." counts as an edit. */
  edits = 0;
  isDeleted = false;
  readonly #meta: MessageMeta;
  readonly #cdn: Cdn;

  constructor(meta: MessageMeta, cdn: Cdn) {
    this.id = meta.id;
    this.#meta = meta;
    this.#cdn = cdn;
  }

  get isEphemeral(): boolean {
    return (this.flags & MessageFlags.Ephemeral) !== 0;
  }

  get isComponentsV2(): boolean {
    return (this.flags & MessageFlags.IsComponentsV2) !== 0;
  }

  /** Shows "is thinking ...". */
  get isLoading(): boolean {
    return (this.flags & MessageFlags.Loading) !== 0;
  }

  /** All its readable text: content, embeds and text displays, with a line break between them. */
  get text(): string {
    const parts = [this.content];
    for (const embed of this.embeds) {
      parts.push(textOf(embed['title']), textOf(embed['description']));
      for (const field of objectsOf(embed['fields']))
        parts.push(textOf(field['name']), textOf(field['value']));
    }
    for (const { component } of walkComponents(this.components)) {
      if (component['type'] === ComponentType.TextDisplay) parts.push(textOf(component['content']));
    }
    return parts.filter((part) => part !== '').join('\n');
  }

  /** Buttons and selects that can be used, in the order in which they are shown. */
  get controls(): JsonObject[] {
    return Array.from(walkComponents(this.components), ({ component }) => component).filter(
      (component) => typeof component['custom_id'] === 'string',
    );
  }

  /** A deferred reply: nothing to see yet. */
  startLoading(flags: number): void {
    this.flags = MessageFlags.Loading | (flags & MessageFlags.Ephemeral);
  }

  /** Writes a new message; what it may hold was checked before. */
  write(body: JsonObject, files: readonly UploadedFile[]): void {
    this.flags = Number(body['flags'] ?? 0) & SETTABLE;
    this.#put(body, files);
  }

  /** Changes what the body names and leaves the rest. An edit cannot make a message private or public. */
  edit(body: JsonObject, files: readonly UploadedFile[]): void {
    const added = Number(body['flags'] ?? 0) & (MessageFlags.SuppressEmbeds | MessageFlags.IsComponentsV2);
    this.flags = (this.flags & ~MessageFlags.Loading) | added;
    this.#put(body, files);
    this.edits += 1;
  }

  delete(): void {
    this.isDeleted = true;
  }

  toMessage(): APIMessage {
    return {
      id: this.id,
      type: MessageType.Default,
      channel_id: this.#meta.channelId,
      application_id: this.#meta.applicationId,
      webhook_id: this.#meta.applicationId,
      author: this.#meta.author,
      content: this.content,
      timestamp: '2024-01-01T00:00:00.000000+00:00',
      edited_timestamp: this.edits > 0 ? '2024-01-01T00:00:01.000000+00:00' : null,
      tts: false,
      mention_everyone: false,
      mentions: [],
      mention_roles: [],
      attachments: [...this.attachments],
      embeds: [...this.embeds],
      pinned: false,
      flags: this.flags,
      components: [...this.components],
      // Embeds and components were checked by the rules and are passed on as they came.
    } as unknown as APIMessage;
  }

  #put(body: JsonObject, files: readonly UploadedFile[]): void {
    if (body['content'] !== undefined) this.content = textOf(body['content']);
    if (body['embeds'] !== undefined) this.embeds = objectsOf(body['embeds']);
    if (body['components'] !== undefined) this.components = withIds(objectsOf(body['components']));
    const named = body['attachments'] === undefined ? null : objectsOf(body['attachments']);
    const isKept = ({ id }: APIAttachment): boolean =>
      !named || named.some((each) => String(each['id']) === id);
    const keptFiles = this.files.filter((_, index) => isKept(this.attachments[index] ?? missing()));
    this.attachments = [
      ...this.attachments.filter(isKept),
      ...files.map((file) => this.#cdn.put(file, this.#meta.channelId)),
    ];
    this.files = [...keptFiles, ...files];
  }
}

/** Discord numbers the components that come without an id. */
function withIds(components: readonly JsonObject[]): JsonObject[] {
  const copy = structuredClone([...components]);
  let next = 1;
  for (const { component } of walkComponents(copy)) component['id'] ??= next++;
  return copy;
}

function missing(): never {
  throw new Error('Each file of a message has its attachment.');
}
