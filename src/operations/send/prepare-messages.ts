import { MessageFlags } from 'discord-api-types/v10';

import type { DeliveryMessage } from '../../deliveries/deliveries.ts';
import { Problem } from '../../kernel/problem.ts';
import { answerRequest } from '../text-splitter/answer-request.ts';
import { FORM_LENGTHS, type Payload } from '../text-splitter/payloads.ts';
import type { SplitAnswer } from '../text-splitter/request.ts';
import { CHUNKS_MAX, type EffectiveRequest } from './effective-request.ts';
import type { SendRequest } from './request.ts';

const MESSAGES_MAX = 50;
/** The kinds of mentions in the text that Discord may ping. */
const PINGED: Readonly<Record<SendRequest['mentions'], readonly string[]>> = {
  none: [],
  users: ['users'],
  roles: ['users', 'roles'],
};

/** At most this much white space between two messages is kept in the rest: nobody sees more of it. */
const GAP_LENGTH_MAX = 100;

/**
 * @returns at least one message
 * @throws Problem `missing_field`, `too_many_chunks`, `limit_too_small`; the signal's reason
 */
export async function prepareMessages(
  request: EffectiveRequest,
  ownerId: string,
  signal: AbortSignal,
): Promise<DeliveryMessage[]> {
  const { payloads = [], pieces = [], converted } = await split(request, ownerId, signal);
  if (payloads.length === 0) throw nothingToShow();
  if (payloads.length > MESSAGES_MAX) throw tooManyMessages(request);
  const whole = converted ?? request.text;
  let first = 0;
  return payloads.map((payload, index) => {
    const next = first + countChunks(payload);
    const message = {
      json: JSON.stringify(toBody(payload, request, index === 0)),
      opening: openingOf(pieces[first], request),
      text: copyOf(textOf(whole, pieces[first], pieces[next - 1], pieces[next])),
    };
    first = next;
    return message;
  });
}

async function split(request: EffectiveRequest, ownerId: string, signal: AbortSignal): Promise<SplitAnswer> {
  const wanted = {
    ...request,
    overflow: 'error' as const,
    index: undefined,
    details: true,
    final: true,
  };
  try {
    return await answerRequest(wanted, ownerId, signal);
  } catch (error) {
    // The hints of this problem are for callers who get the chunks.
    if (error instanceof Problem && error.code === 'too_many_chunks') {
      throw request.max_chunks === CHUNKS_MAX[request.as]
        ? tooManyMessages(request)
        : new Problem('too_many_chunks/sent', { field: 'max_chunks', values: error.values });
    }
    throw error;
  }
}

/** The text was not blank, but nothing was left after the conversion. */
function nothingToShow(): Problem {
  return new Problem('missing_field/nothing_to_show', { field: 'text' });
}

function tooManyMessages({ as, max_length: length }: EffectiveRequest): Problem {
  const lengthMax = FORM_LENGTHS[as];
  const way = length < lengthMax ? 'longer' : as === 'message' ? 'embeds' : 'messages';
  return new Problem(`too_many_chunks/${way}`, {
    field: 'text',
    values: { max: MESSAGES_MAX, length: lengthMax },
  });
}

function countChunks({ embeds, components }: Payload): number {
  return (embeds ?? components ?? [null]).length;
}

function toBody(payload: Payload, request: SendRequest, isFirst: boolean): object {
  const { username, avatar_url, thread_name, silent, previews, mentions } = request;
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
    ...(isFirst && thread_name !== undefined ? { thread_name } : {}),
  };
}

type Piece = NonNullable<SplitAnswer['pieces']>[number];

/** The marks that were opened again: everything that was added, except `prepend` and the line break after it. */
function openingOf(piece: Piece | undefined, { mode, prepend }: SendRequest): string {
  // A text that is all code gets its fence again anyway.
  if (piece === undefined || mode === 'code') return '';
  const { added_prefix: added } = piece;
  return prepend !== '' && added.startsWith(prepend) ? added.slice(prepend.length).replace(/^\n/, '') : added;
}

/** The text from the first piece of a message up to the first piece of the next. */
function textOf(
  whole: string,
  first: Piece | undefined,
  last: Piece | undefined,
  next: Piece | undefined,
): string {
  const end = last?.end ?? whole.length;
  return whole.slice(
    first?.start ?? 0,
    next === undefined ? end : Math.min(next.start, end + GAP_LENGTH_MAX),
  );
}

/** A copy, because a slice would keep the whole text in memory, including the white space between messages. */
function copyOf(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
