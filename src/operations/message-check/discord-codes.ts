export const INVALID_FORM = 50_035;
export const EMPTY_MESSAGE = 50_006;
export const INVALID_JSON = 50_109;

/** Advice for Discord's codes, with the sentence that people paste instead of the code. */
export const CODES: Readonly<Record<number, { readonly message: string; readonly advice: string }>> = {
  10_003: { message: 'Unknown Channel', advice: 'The channel does not exist, or the bot cannot see it.' },
  10_015: {
    message: 'Unknown Webhook',
    advice: 'The webhook was deleted, or its URL is not whole: copy it again.',
  },
  30_015: {
    message: 'Maximum number of attachments in a message reached (10)',
    advice: 'A message takes 10 files: send the others in another one.',
  },
  40_005: {
    message: 'Request entity too large',
    advice: 'The files are too large for this server: make them smaller.',
  },
  40_067: {
    message: 'A tag is required to create a forum post in this channel',
    advice: 'This forum wants a tag: send applied_tags.',
  },
  50_001: {
    message: 'Missing Access',
    advice: 'The bot cannot see the channel or is not in the server. permission-check says why.',
  },
  50_006: {
    message: 'Cannot send an empty message',
    advice:
      'The message was empty when it came to Discord. Either its content, embeds and components were empty, or it was not sent as JSON with the header Content-Type: application/json.',
  },
  50_008: {
    message: 'Cannot send messages in a non-text channel',
    advice: 'This channel takes no messages: use the id of a text channel or of a thread.',
  },
  50_013: {
    message: 'Missing Permissions',
    advice: 'The bot lacks a permission there, or its role is too low. permission-check says which.',
  },
  50_027: {
    message: 'Invalid Webhook Token',
    advice: 'The token of the webhook is wrong, or the interaction is older than 15 minutes.',
  },
  50_035: {
    message: 'Invalid Form Body',
    advice: 'It names no place here: paste the lines after it, or the whole response.',
  },
  50_081: {
    message: 'Invalid stickers sent',
    advice: 'The bot may use only stickers of the server that it posts in.',
  },
  50_109: {
    message: 'The request body contains invalid JSON',
    advice: 'The body was no JSON when it came to Discord.',
  },
  160_002: {
    message: 'Cannot reply without permission to read message history',
    advice: 'The bot needs the permission Read Message History to reply.',
  },
  200_000: {
    message: 'Message was blocked by automatic moderation',
    advice: "The server's AutoMod refuses a word: change the text, or exempt the channel.",
  },
  220_001: {
    message: 'Webhooks posted to forum channels must have a thread_name or thread_id',
    advice: 'In a forum, send thread_name for a new post, or thread_id.',
  },
  220_002: {
    message: 'Webhooks posted to forum channels cannot have both a thread_name and thread_id',
    advice: 'Send one of thread_name and thread_id.',
  },
  220_003: {
    message: 'Webhooks can only create threads in forum channels',
    advice: 'This channel is no forum: leave thread_name out.',
  },
  240_000: {
    message: 'Message blocked by harmful links filter',
    advice: "Discord's filter refuses a link in it: take it out.",
  },
};
