import { MessageFlags } from 'discord-api-types/v10';

import { Problem } from '../../kernel/problem.ts';
import { splitMessages, type SplitMessages } from '../text-splitter/answer-request.ts';
import { positionInOriginalCode } from '../text-splitter/chars/code-ticks.ts';
import type { ChunkPosition } from '../text-splitter/chunks/emit-chunks.ts';
import { toPayload, type Payload } from '../text-splitter/payloads.ts';
import { TEXT_LENGTH_MAX } from '../text-splitter/split-options.ts';
import type { NormalisedRequest } from './normalise-request.ts';
import type { SendRequest } from './request.ts';

/** One call posts at most this many. */
export const MESSAGES_MAX = 10;

/** The kinds of mentions in the text that Discord may ping. */
const PINGED: Readonly<Record<SendRequest['mentions'], readonly string[]>> = {
  none: [],
  users: ['users'],
  roles: ['users', 'roles'],
};

interface PreparedText {
  /** Each message that this call posts, as JSON: at least one. */
  readonly bodies: readonly string[];
  /** The number of messages that the whole text makes. */
  readonly total: number;
  /** The text from a message on. It begins with the marks that are open there. */
  readonly restFrom: (message: number) => string;
}

/** @throws Problem `missing_field`, `text_too_long`, `too_many_chunks`, `limit_too_small`; the signal's reason */
export async function prepareMessages(
  request: NormalisedRequest,
  tenantId: string,
  signal: AbortSignal,
): Promise<PreparedText> {
  const { chunks, pieces, groups, converted } = await split(request, tenantId, signal);
  // The text was not blank, but the conversion left no text.
  if (groups.length === 0) throw new Problem('missing_field/nothing_to_show', { field: 'text' });
  const shown = converted?.text ?? request.text;
  // The rest of code is returned unchanged.
  if (request.mode !== 'code' && shown.length > TEXT_LENGTH_MAX) {
    const values = { count: shown.length, max: TEXT_LENGTH_MAX };
    throw new Problem('text_too_long/sent', { field: 'text', values });
  }
  if (request.counter && groups.length > MESSAGES_MAX) {
    throw new Problem('too_many_chunks/counter', { field: 'counter', values: { max: MESSAGES_MAX } });
  }
  return {
    bodies: groups.slice(0, MESSAGES_MAX).map(({ first, count }, index) => {
      const payload = toPayload(chunks.slice(first, first + count), request.as);
      return JSON.stringify(toBody(payload, request, index === 0));
    }),
    total: groups.length,
    restFrom(message) {
      const first = pieces[groups[message]?.first ?? 0];
      return openingOf(first, request) + partOf(request, shown, first?.start ?? 0, pieces.at(-1)?.end);
    },
  };
}

async function split(
  request: NormalisedRequest,
  tenantId: string,
  signal: AbortSignal,
): Promise<SplitMessages> {
  try {
    return await splitMessages({ ...request, overflow: 'error', final: true }, tenantId, signal);
  } catch (error) {
    // The hints of this problem are for callers who get the chunks, so make another one.
    if (error instanceof Problem && error.code === 'too_many_chunks') {
      throw new Problem('too_many_chunks/sent', { field: 'max_chunks', values: error.values });
    }
    throw error;
  }
}

function toBody(payload: Payload, request: SendRequest, isFirst: boolean): object {
  const { username, avatar_url, thread_name, applied_tags, silent, previews, mentions } = request;
  const flags =
    (payload.flags ?? 0) |
    (silent ? MessageFlags.SuppressNotifications : 0) |
    // For embeds and components, the flag would remove the content itself.
    (previews || request.as !== 'message' ? 0 : MessageFlags.SuppressEmbeds);
  return {
    ...payload,
    allowed_mentions: { parse: PINGED[mentions] },
    ...(flags === 0 ? {} : { flags }),
    ...(username === undefined ? {} : { username }),
    ...(avatar_url === undefined ? {} : { avatar_url }),
    // The first message makes the thread.
    ...(isFirst && thread_name !== undefined ? { thread_name } : {}),
    ...(isFirst && applied_tags !== undefined ? { applied_tags } : {}),
  };
}

/** The marks that were opened again: all of the added prefix, except `prepend` and the line break after it. */
function openingOf(position: ChunkPosition | undefined, { mode, prepend }: SendRequest): string {
  // A text that is all code gets its fence again anyway.
  if (position === undefined || mode === 'code') return '';
  const { addedPrefix: added } = position;
  return prepend !== '' && added.startsWith(prepend) ? added.slice(prepend.length).replace(/^\n/, '') : added;
}

/** @param shown the text to which the positions refer; code is returned unchanged */
function partOf({ mode, text }: SendRequest, shown: string, start: number, end = shown.length): string {
  if (mode !== 'code') return shown.slice(start, end);
  return text.slice(positionInOriginalCode(text, start), positionInOriginalCode(text, end));
}
