import { ComponentType, MessageFlags } from 'discord-api-types/v10';
import { checkComponents, checkText, walkComponents } from './component-rules.ts';
import { isObject, objectsOf } from './read-json.ts';
import type { JsonObject } from './read-json.ts';
import { DiscordError, invalidForm } from './rest-route.ts';
import type { UploadedFile } from './rest-route.ts';

/** A message before an edit. */
export interface MessageState {
  readonly content: string;
  readonly embeds: readonly unknown[];
  readonly components: readonly unknown[];
  readonly attachments: readonly { readonly id: string; readonly filename: string }[];
  readonly flags: number;
}

/**
 * Refuses a message that Discord refuses. `before` is the message that is edited, null for a new one;
 * `fileBytesMax` is the `attachment_size_limit` of the interaction.
 */
export function checkMessage(
  body: JsonObject,
  files: readonly UploadedFile[],
  before: MessageState | null,
  fileBytesMax: number,
): void {
  const flags = Number(body['flags'] ?? 0) | (before?.flags ?? 0);
  const isV2 = (flags & MessageFlags.IsComponentsV2) !== 0;
  if (typeof body['content'] === 'string') checkText(body['content'], 'content', 0, 2000);
  else if (body['content'] !== undefined && body['content'] !== null) {
    throw invalidForm('content', 'STRING_TYPE_CONVERT', 'Could not interpret as a string.');
  }
  checkFiles(body, files, before, fileBytesMax);
  checkEmbeds(body['embeds']);
  if (isV2) checkNoLegacyFields(body, before);
  checkComponents(body['components'], isV2);
  checkReferences(body, files, before);
  checkMentions(body['allowed_mentions']);
  if (isEmpty(body, files, before)) throw new DiscordError(400, 50006, 'Cannot send an empty message');
}

function checkNoLegacyFields(body: JsonObject, before: MessageState | null): void {
  const after = {
    content: body['content'] === undefined ? before?.content : body['content'],
    embeds: body['embeds'] === undefined ? before?.embeds : body['embeds'],
    poll: body['poll'],
    sticker_ids: body['sticker_ids'],
  };
  for (const [field, value] of Object.entries(after)) {
    if (!value || (Array.isArray(value) && value.length === 0)) continue;
    const text = `The '${field}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2`;
    throw invalidForm(field, 'MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2', text);
  }
}

function checkFiles(
  body: JsonObject,
  files: readonly UploadedFile[],
  before: MessageState | null,
  fileBytesMax: number,
): void {
  if (files.length > 10) throw invalidForm('files', 'BASE_TYPE_BAD_LENGTH', 'Must be 10 or fewer in length.');
  if (files.some(({ bytes }) => bytes.length > fileBytesMax)) {
    throw new DiscordError(413, 40005, 'Request entity too large');
  }
  for (const [index, attachment] of objectsOf(body['attachments']).entries()) {
    const id = String(attachment['id']);
    const isUploaded = files.some(({ field }) => field === `files[${id}]`);
    const isKept = before?.attachments.some((kept) => kept.id === id) ?? false;
    if (!isUploaded && !isKept) {
      throw invalidForm(`attachments.${index}.id`, 'ATTACHMENT_NOT_FOUND', 'Attachment data not found');
    }
    checkText(attachment['description'] ?? undefined, `attachments.${index}.description`, 0, 1024);
  }
}

/** Each `attachment://name` must be a file that comes along or is already there. */
function checkReferences(
  body: JsonObject,
  files: readonly UploadedFile[],
  before: MessageState | null,
): void {
  const names = new Set([
    ...files.map(({ name }) => name),
    ...(before?.attachments ?? []).map((old) => old.filename),
  ]);
  const check = (media: unknown, path: string): void => {
    const url = isObject(media) ? String(media['url']) : '';
    if (!url.startsWith('attachment://') || names.has(url.slice('attachment://'.length))) return;
    const code = 'UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND';
    throw invalidForm(`${path}.url`, code, 'The referenced attachment was not found');
  };
  for (const { component, path } of walkComponents(body['components'])) {
    if (component['type'] === ComponentType.File) {
      const file = component['file'];
      if (!isObject(file) || !String(file['url']).startsWith('attachment://')) {
        const code = 'UNFURLED_MEDIA_ITEM_ONLY_ATTACHMENTS_ALLOWED';
        throw invalidForm(`${path}.file.url`, code, 'Only attachments are allowed here');
      }
      check(file, `${path}.file`);
    }
    if (component['type'] === ComponentType.Thumbnail) check(component['media'], `${path}.media`);
    for (const [index, item] of objectsOf(component['items']).entries()) {
      check(item['media'], `${path}.items.${index}.media`);
    }
  }
}

function checkEmbeds(value: unknown): void {
  const embeds = objectsOf(value);
  if (embeds.length > 10)
    throw invalidForm('embeds', 'BASE_TYPE_BAD_LENGTH', 'Must be 10 or fewer in length.');
  let characters = 0;
  const check = (text: unknown, path: string, min: number, max: number): void => {
    if (text === null && min === 0) return;
    checkText(text, path, min, max);
    if (typeof text === 'string') characters += text.length;
  };
  for (const [index, embed] of embeds.entries()) {
    const path = `embeds.${index}`;
    check(embed['title'], `${path}.title`, 0, 256);
    check(embed['description'], `${path}.description`, 0, 4096);
    if (isObject(embed['footer'])) check(embed['footer']['text'], `${path}.footer.text`, 1, 2048);
    if (isObject(embed['author'])) check(embed['author']['name'], `${path}.author.name`, 1, 256);
    const fields = objectsOf(embed['fields']);
    if (fields.length > 25)
      throw invalidForm(`${path}.fields`, 'BASE_TYPE_BAD_LENGTH', 'Must be 25 or fewer in length.');
    for (const [number, field] of fields.entries()) {
      check(field['name'], `${path}.fields.${number}.name`, 1, 256);
      check(field['value'], `${path}.fields.${number}.value`, 1, 1024);
    }
  }
  if (characters > 6000) {
    throw invalidForm('embeds', 'MAX_EMBED_SIZE_EXCEEDED', 'Embed size exceeds maximum size of 6000');
  }
}

function checkMentions(value: unknown): void {
  if (!isObject(value) || !Array.isArray(value['parse'])) return;
  for (const field of ['users', 'roles']) {
    const list = value[field];
    if (!value['parse'].includes(field) || !Array.isArray(list) || list.length === 0) continue;
    const text = `parse:["${field}"] and ${field}: [ids...] are mutually exclusive.`;
    throw invalidForm('allowed_mentions', 'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE', text);
  }
}

function isEmpty(body: JsonObject, files: readonly UploadedFile[], before: MessageState | null): boolean {
  const kept = (field: 'content' | 'embeds' | 'components' | 'attachments'): unknown =>
    body[field] === undefined ? before?.[field] : body[field];
  const hasPoll = isObject(body['poll']);
  return (
    files.length === 0 &&
    !hasPoll &&
    !hasAny(kept('content')) &&
    !hasAny(kept('embeds')) &&
    !hasAny(kept('components')) &&
    !hasAny(kept('attachments'))
  );
}

function hasAny(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}
