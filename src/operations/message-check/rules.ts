import { COMPONENT_TYPES, FLAGS, fieldsOf, type Sender, MESSAGE_LIMITS } from './message-fields.ts';
import {
  countPoints,
  cut,
  type Fields,
  isList,
  isObject,
  isSet,
  nameOf,
  shown,
  type CheckContext,
} from './check-context.ts';

// Rules that involve several fields. Each field has been checked on its own by now.

type Rule = (value: Fields, context: CheckContext) => void;

const RULES: Readonly<Record<string, Rule>> = {
  embed: judgeEmbed,
  embed_author: ({ name }, context) => reportUnshown(name, 'name', context),
  embed_footer: ({ text }, context) => reportUnshown(text, 'text', context),
  emoji: judgeEmoji,
  allowed_mentions: judgeMentions,
  button({ style, label, emoji }, context) {
    if (style !== 6 && !isSet(label) && !isSet(emoji))
      context.child('label').missing('a button without emoji');
  },
  action_row({ components }, context) {
    const isShared =
      isList(components) && components.length > 1 && components.length <= MESSAGE_LIMITS.rowsMax;
    if (isShared && components.some((each) => isSelect(partOf(each, 'type')))) {
      context.child('components').tooMany(components.length, 1, ', and one is a select menu');
    }
  },
  select_option({ value }, context) {
    const menu = context.path.replace(/\[\d+\]$/, '');
    if (isSet(value)) context.child('value').once(value, menu);
  },
  text_display({ content }, { found }) {
    if (typeof content !== 'string') return;
    found.displays += 1;
    found.displayBytes += Buffer.byteLength(content) + MESSAGE_LIMITS.displayOverheadBytes;
    found.totals.text_display_characters += countPoints(content);
  },
};

export function judgeObject(shape: string, value: Fields, context: CheckContext): void {
  if (Object.hasOwn(RULES, shape)) RULES[shape]?.(value, context);
  if (Object.hasOwn(COMPONENT_TYPES, shape)) judgeComponent(value, context);
}

function isSelect(type: unknown): boolean {
  return typeof type === 'number' && type > COMPONENT_TYPES.button;
}

function judgeComponent(
  { id, custom_id: customId, min_values: min = 1, max_values: max = 1, options }: Fields,
  context: CheckContext,
): void {
  if (typeof id === 'number' && id !== 0) context.child('id').once(id, 'id');
  if (typeof customId === 'string') context.child('custom_id').once(customId, 'custom_id');
  if (typeof min !== 'number') return;
  const at = context.child('min_values');
  if (typeof max === 'number' && min > max) at.outside('too_large', min, max, ', as max_values says');
  else if (isList(options) && options.length > 0 && min > options.length) {
    at.outside('too_large', min, options.length, ', the number of options');
  }
}

function partOf(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined;
}

const MENTION = /<@[!&]?\d{1,20}>|@everyone|@here/;

function judgeEmbed(embed: Fields, context: CheckContext): void {
  const { notices, totals } = context.found;
  const { title, description, author, footer, fields, image, thumbnail } = embed;
  const pairs = isList(fields) ? fields.slice(0, 25) : [];
  const parts = [
    title,
    description,
    partOf(author, 'name'),
    partOf(footer, 'text'),
    ...pairs.flatMap((field) => [partOf(field, 'name'), partOf(field, 'value')]),
  ];
  const texts = parts.filter((part) => typeof part === 'string');
  totals.embeds += 1;
  for (const text of texts) totals.embed_characters += countPoints(text.trim());
  if (Object.keys(embed).length === 0) context.empty();
  else if ([...texts, partOf(image, 'url'), partOf(thumbnail, 'url'), fields].every(isBlank)) {
    context.notice('empty', `${nameOf(context.path)} has nothing that Discord shows.`);
  }
  const isFirst = !notices.some(({ kind }) => kind === 'no_ping');
  if (isFirst && texts.some((text) => MENTION.test(text))) {
    const where = nameOf(context.path).toLowerCase();
    context.notice('no_ping', `Mentions in ${where} notify nobody. Put them into content.`);
  }
}

function reportUnshown(text: unknown, key: string, context: CheckContext): void {
  if (!isBlank(text)) return;
  context.notice('ignored', `${context.path} has no ${key}, so Discord does not show it.`);
}

/** True for an absent value, a text of white space or an empty list. */
function isBlank(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  return !isSet(value) || (isList(value) && value.length === 0);
}

/** True for the emoji itself, not for its name. */
export function isEmoji(text: string): boolean {
  return text.length <= 32 && /[^\x00-\x7f]/.test(text);
}

function judgeEmoji({ id, name }: Fields, context: CheckContext): void {
  if (isSet(id)) return;
  const at = context.child('name');
  if (!isSet(name)) at.missing('an emoji without id');
  else if (name === '') at.empty();
  else if (typeof name === 'string' && !isEmoji(name))
    at.reportAndRepair('format', name, 'an emoji such as "👋", or an id');
}

function judgeMentions(value: Fields, context: CheckContext): void {
  const { parse } = value;
  for (const name of ['users', 'roles']) {
    if (!isList(parse) || !parse.includes(name) || !isList(value[name]) || isBlank(value[name])) continue;
    const at = context.child(name);
    at.problem(
      'conflict',
      `${at.path} lists ids, and parse allows all ${name}. Discord takes one of the two.`,
    );
  }
}

/**
 * Applies the rules about the whole message.
 * @param checked the same message, with its fields repaired
 * @returns the message, repaired by these rules too
 */
export function judgeMessage(sent: Fields, checked: Fields, context: CheckContext): Fields {
  const { sender, found } = context;
  const message = moveEphemeral(checked, context);
  const { content, username } = message;
  if (typeof content === 'string') found.totals.content = countPoints(content.trim());
  if (!showsSomething(sent, sender)) {
    context.emptyMessage(sayEmpty(message, sender), showsSomething(message, sender));
  }
  const { embed_characters: characters } = found.totals;
  if (characters > MESSAGE_LIMITS.embedCharactersMax) {
    const at = context.child('embeds');
    at.tooLong(characters, MESSAGE_LIMITS.embedCharactersMax, 'The sum of all embeds', { listPath: at.path });
  }
  if (sender === 'webhook') {
    if (typeof username === 'string') judgeUsername(username, context.child('username'));
    if (!isBlank(message['components'])) context.child('components').notice('ignored', OF_WEBHOOK);
  }
  return judgeComponents(message, context);
}

const OF_WEBHOOK =
  'Discord shows components of a webhook only with ?with_components=true, and those that act only on a webhook of an application.';

const SHOWN_PARTS = ['content', 'embeds', 'components', 'poll', 'attachments'];
const SHOWN_PARTS_OF_BOTS = [...SHOWN_PARTS, 'sticker_ids', 'shared_client_theme'];

function showsSomething(message: Fields, sender: Sender): boolean {
  if (sender !== 'bot') return SHOWN_PARTS.some((name) => !isBlank(message[name]));
  const isForward = partOf(message['message_reference'], 'type') === 1;
  return isForward || SHOWN_PARTS_OF_BOTS.some((name) => !isBlank(message[name]));
}

function sayEmpty(message: Fields, sender: Sender): string {
  const text = 'The message has nothing that Discord would post.';
  if (typeof message['code'] === 'number' && typeof message['message'] === 'string') {
    return `${text} It is a response of Discord's: send it as error.`;
  }
  if (sender !== 'interaction' && isObject(message['data']) && typeof message['type'] === 'number') {
    return `${text} A response to an interaction needs sent_by=interaction.`;
  }
  const unknown = Object.keys(message).filter((name) => !Object.hasOwn(fieldsOf('message'), name));
  const quoted = unknown.slice(0, 3).map((name) => cut(name, 60));
  return unknown.length === 0 ? text : `${text} It does not know ${quoted.join(', ')}.`;
}

/** True for `ephemeral: true`, discord.js's way to set the flag. */
export function isEphemeral(name: string, value: unknown, sender: Sender): boolean {
  return name === 'ephemeral' && value === true && sender === 'interaction';
}

function moveEphemeral(message: Fields, context: CheckContext): Fields {
  const { ephemeral, ...rest } = message;
  if (!isEphemeral('ephemeral', ephemeral, context.sender)) return message;
  const { path } = context.child('ephemeral');
  const flags = withFlag(rest, FLAGS.Ephemeral);
  const text = `Discord does not know ${path}; it is the flag ${FLAGS.Ephemeral}.`;
  context.child('ephemeral').notice('renamed', text, { fixed: flags !== undefined });
  return flags === undefined ? message : { ...rest, flags };
}

/** @returns undefined if the message's flags are not a whole number */
function withFlag({ flags }: Fields, bit: number): number | undefined {
  if (!isSet(flags)) return bit;
  return typeof flags === 'number' && Number.isInteger(flags) ? flags | bit : undefined;
}

/** @see https://docs.discord.com/developers/resources/user#usernames-and-nicknames */
function judgeUsername(username: string, context: CheckContext): void {
  const name = username.trim().toLowerCase();
  const refused =
    ['clyde', 'discord'].find((word) => name.includes(word)) ??
    ['everyone', 'here'].find((word) => name === word);
  if (refused !== undefined) context.reportAndRepair('name', username, `a name without "${refused}"`);
}

/** Applies the rules about components, which depend on the flag IsComponentsV2. */
function judgeComponents(message: Fields, context: CheckContext): Fields {
  const { components, flags } = message;
  const { displays, displayBytes, totals } = context.found;
  const bit = FLAGS.IsComponentsV2;
  const isFlagged = typeof flags === 'number' && (flags & bit) !== 0;
  const beside = ['content', 'embeds', 'poll', 'sticker_ids'].filter((name) => !isBlank(message[name]));
  for (const name of isFlagged ? beside : []) {
    const at = context.child(name);
    at.problem('conflict', `${at.path} may not stand beside the flag ${bit}. Put it into components.`);
  }
  if (!isList(components)) return message;
  const at = context.child('components');
  const isNew = components.some((each) => isOfSecondVersion(partOf(each, 'type')));
  if (isFlagged || isNew) {
    if (totals.components > MESSAGE_LIMITS.componentsMax) {
      at.tooMany(totals.components, MESSAGE_LIMITS.componentsMax, ', with those inside others');
    }
  } else if (components.length > MESSAGE_LIMITS.rowsMax)
    at.tooMany(components.length, MESSAGE_LIMITS.rowsMax);
  if (displays > 1 && totals.text_display_characters > MESSAGE_LIMITS.displayCharactersMax) {
    at.tooLong(
      totals.text_display_characters,
      MESSAGE_LIMITS.displayCharactersMax,
      'The sum of all text displays',
    );
  }
  if (displayBytes > MESSAGE_LIMITS.displayBytesMax) {
    const text = `The text displays have ${shown(displayBytes)} bytes, with ${MESSAGE_LIMITS.displayOverheadBytes} for each; beyond ${shown(MESSAGE_LIMITS.displayBytesMax)} Discord has answered 500.`;
    at.notice('too_long', text, { limit: MESSAGE_LIMITS.displayBytesMax, value: displayBytes });
  }
  if (isFlagged || !isNew) return message;
  const repaired = beside.length === 0 ? withFlag(message, bit) : undefined;
  const why =
    beside.length === 0
      ? `Set it to ${bit}`
      : `They may not stand beside ${beside.join(' and ')}, and need the flag ${bit}`;
  const where = context.child('flags');
  where.problem('missing', `The types 9 to 17 of components need a flag in ${where.path}. ${why}.`, {
    fixed: repaired !== undefined,
    listPath: at.path,
  });
  return repaired === undefined ? message : { ...message, flags: repaired };
}

function isOfSecondVersion(type: unknown): boolean {
  return typeof type === 'number' && type >= COMPONENT_TYPES.section && type <= COMPONENT_TYPES.container;
}
