import { ComponentType, MessageFlags } from 'discord-api-types/v10';
import * as z from 'zod';

import { MESSAGE_LIMITS } from '../message-check/message-fields.ts';
import { LENGTH_PRESETS } from './split-options.ts';

export const PAYLOAD_FORMS = ['message', 'embed', 'components'] as const;
export type PayloadForm = (typeof PAYLOAD_FORMS)[number];

/** Longest text that each form takes in one piece. */
export const FORM_LENGTHS: Readonly<Record<PayloadForm, number>> = {
  message: LENGTH_PRESETS.message,
  embed: LENGTH_PRESETS.embed_description,
  components: LENGTH_PRESETS.text_display,
};

/** Embeds of a message. */
const EMBEDS_MAX = 10;

/** Texts from a model or another user must not ping anyone. */
const allowedMentions = z.object({ parse: z.array(z.string()) });

export const payload = z.object({
  content: z.string().optional(),
  embeds: z.array(z.object({ description: z.string() })).optional(),
  flags: z.int().optional(),
  components: z.array(z.object({ type: z.int(), content: z.string() })).optional(),
  allowed_mentions: allowedMentions,
});
export type Payload = z.output<typeof payload>;

/** Chunks that go into one message, from `first` on. */
export interface MessageGroup {
  readonly first: number;
  readonly count: number;
}

/** Puts as many chunks as Discord allows into each message. */
export function groupChunks(chunks: readonly string[], form: PayloadForm): MessageGroup[] {
  const groups: { first: number; count: number; length: number; bytes: number }[] = [];
  const { countMax, lengthMax, bytesMax } = LIMITS[form];
  for (const [first, chunk] of chunks.entries()) {
    const { length } = chunk;
    const bytes = Buffer.byteLength(chunk) + MESSAGE_LIMITS.displayOverheadBytes;
    const last = groups.at(-1);
    const fits =
      last !== undefined &&
      last.count < countMax &&
      last.length + length <= lengthMax &&
      last.bytes + bytes <= bytesMax;
    if (fits) {
      last.count += 1;
      last.length += length;
      last.bytes += bytes;
    } else groups.push({ first, count: 1, length, bytes });
  }
  return groups;
}

const LIMITS = {
  message: { countMax: 1, lengthMax: Infinity, bytesMax: Infinity },
  embed: { countMax: EMBEDS_MAX, lengthMax: MESSAGE_LIMITS.embedCharactersMax, bytesMax: Infinity },
  components: {
    countMax: MESSAGE_LIMITS.componentsMax,
    lengthMax: MESSAGE_LIMITS.displayCharactersMax,
    bytesMax: MESSAGE_LIMITS.displayBytesMax,
  },
} as const satisfies Record<PayloadForm, unknown>;

/** True when no further chunk can go into the last message. */
export function isWholeMessage({ count }: MessageGroup, form: PayloadForm): boolean {
  return count === LIMITS[form].countMax;
}

/** A body for Discord's API. */
export function toPayload(chunks: readonly string[], form: PayloadForm): Payload {
  const allowed_mentions = { parse: [] };
  if (form === 'embed') return { embeds: chunks.map((description) => ({ description })), allowed_mentions };
  if (form === 'message') return { content: chunks.join('\n'), allowed_mentions };
  return {
    flags: MessageFlags.IsComponentsV2,
    components: chunks.map((content) => ({ type: ComponentType.TextDisplay, content })),
    allowed_mentions,
  };
}

/** Returns a shorter length at which no chunk has too many bytes for a message, or null when all chunks fit. */
export function lengthForBytes(chunks: readonly string[], form: PayloadForm | undefined): number | null {
  if (form !== 'components') return null;
  const bytesMax = MESSAGE_LIMITS.displayBytesMax - MESSAGE_LIMITS.displayOverheadBytes;
  if (chunks.every((chunk) => Buffer.byteLength(chunk) <= bytesMax)) return null;
  // A UTF-16 code unit has at most three bytes.
  return Math.floor(bytesMax / 3);
}
