import { fold } from './check-value.ts';
import { FLAGS, placesOf, type Sender, SHAPE_OF_TYPE, WHOLE } from './places.ts';
import {
  childPath,
  countPoints,
  type Fields,
  isList,
  isObject,
  nameOf,
  quote,
  shown,
  type Walk,
} from './walk.ts';

// Rules about several places at once. The places themselves are right or reported by now.

type Rule = (value: Fields, path: string, walk: Walk) => Fields | void;

const RULES: Readonly<Record<string, Rule>> = {
  embed: judgeEmbed,
  emoji: judgeEmoji,
  allowed_mentions: judgeMentions,
  message_reference: judgeReference,
  button: judgeButton,
  action_row: judgeRow,
  string_select: judgeSelect,
  user_select: judgeSelect,
  role_select: judgeSelect,
  mentionable_select: judgeSelect,
  channel_select: judgeSelect,
  text_display: countDisplay,
};

/** @returns the same object when nothing was put right */
export function judgeObject(shape: string, value: Fields, path: string, walk: Walk): Fields {
  if (SHAPES_OF_COMPONENTS.has(shape)) judgeComponentId(value, path, walk);
  return (Object.hasOwn(RULES, shape) ? RULES[shape]?.(value, path, walk) : undefined) ?? value;
}

const SHAPES_OF_COMPONENTS = new Set(SHAPE_OF_TYPE.values());

function judgeComponentId({ id, custom_id: customId }: Fields, path: string, walk: Walk): void {
  const ids = [
    ['id', typeof id === 'number' && id !== 0 ? id : null, walk.componentIds],
    ['custom_id', typeof customId === 'string' ? customId : null, walk.customIds],
  ] as const;
  for (const [name, value, seen] of ids) {
    if (value === null) continue;
    const at = childPath(path, name);
    if (seen.has(value))
      walk.problem(at, 'duplicate', `${at} is ${quote(value)}, which another component has.`);
    seen.add(value);
  }
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function partOf(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined;
}

const MENTION = /<@[!&]?\d{1,20}>|@everyone|@here/;

function judgeEmbed(embed: Fields, path: string, walk: Walk): void {
  walk.embeds += 1;
  const { title, description, author, footer, fields, image, thumbnail } = embed;
  const pairs = isList(fields) ? fields.slice(0, 25) : [];
  const texts = [
    title,
    description,
    partOf(author, 'name'),
    partOf(footer, 'text'),
    ...pairs.flatMap((field) => [partOf(field, 'name'), partOf(field, 'value')]),
  ].filter((text) => typeof text === 'string');
  for (const text of texts) walk.embedCharacters += countPoints(text.trim());
  if (Object.keys(embed).length === 0) {
    walk.problem(path, 'empty', `${nameOf(path)} is empty.`, { limit: 1, value: 0 });
  } else if (
    texts.every((text) => text.trim() === '') &&
    !isSet(partOf(image, 'url')) &&
    !isSet(partOf(thumbnail, 'url')) &&
    (!isList(fields) || fields.length === 0)
  ) {
    walk.notice(path, 'empty', `${nameOf(path)} has nothing that Discord shows.`);
  }
  for (const [name, key] of [
    ['author', 'name'],
    ['footer', 'text'],
  ] as const) {
    const part = embed[name];
    const at = childPath(path, name);
    const text = partOf(part, key);
    if (isObject(part) && (!isSet(text) || (typeof text === 'string' && text.trim() === ''))) {
      walk.notice(at, 'ignored', `${at} has no ${key}, so Discord does not show it.`);
    }
  }
  if (!walk.hasMention && texts.some((text) => MENTION.test(text))) {
    walk.hasMention = true;
    walk.notice(
      path,
      'no_ping',
      `Mentions in ${nameOf(path).toLowerCase()} notify nobody. Put them into content.`,
    );
  }
}

/** An emoji has an id, or a name that is an emoji. */
function judgeEmoji({ id, name }: Fields, path: string, walk: Walk): void {
  if (id !== undefined && id !== null) return;
  const at = childPath(path, 'name');
  if (name === undefined || name === null)
    walk.problem(at, 'missing', `${at} is missing: an emoji, or set an id.`);
  else if (name === '') walk.problem(at, 'empty', `${nameOf(at)} is empty.`, { limit: 1, value: 0 });
  else if (typeof name === 'string' && !/[^\x00-\x7f]/.test(name)) {
    walk.problem(at, 'format', `${at} is ${quote(name)}; Discord wants an emoji such as "👋", or an id.`);
  }
}

function judgeMentions(value: Fields, path: string, walk: Walk): void {
  const { parse } = value;
  for (const name of ['users', 'roles']) {
    const ids = value[name];
    if (!isList(parse) || !parse.includes(name) || !isList(ids) || ids.length === 0) continue;
    const at = childPath(path, name);
    walk.problem(
      at,
      'conflict',
      `${at} lists ids, and parse allows all ${name}. Discord takes one of the two.`,
    );
  }
}

function judgeReference({ type, channel_id: channelId }: Fields, path: string, walk: Walk): void {
  if (type !== 1 || (channelId !== undefined && channelId !== null)) return;
  const at = childPath(path, 'channel_id');
  walk.problem(at, 'missing', `${at} is missing: a forward needs it.`);
}

/** What each style of button needs, and what it may not have. */
const BUTTON_PARTS = [
  { styles: [1, 2, 3, 4], needs: 'custom_id', excludes: ['url', 'sku_id'] },
  { styles: [5], needs: 'url', excludes: ['custom_id', 'sku_id'] },
  { styles: [6], needs: 'sku_id', excludes: ['custom_id', 'url', 'label', 'emoji'] },
] as const;

/** True when Discord demands the field of such an object. */
export function isDemanded(shape: string, { style, type }: Fields, name: string): boolean {
  if (shape === 'message_reference') return name === 'channel_id' && type === 1;
  return (
    shape === 'button' &&
    BUTTON_PARTS.some(({ styles, needs }) => needs === name && styles.some((each) => each === style))
  );
}

function judgeButton(button: Fields, path: string, walk: Walk): void {
  const { style } = button;
  const has = (name: string) => isSet(button[name]);
  const parts = BUTTON_PARTS.find(({ styles }) => styles.some((each) => each === style));
  if (parts === undefined) return;
  const needed = childPath(path, parts.needs);
  if (!has(parts.needs))
    walk.problem(needed, 'missing', `${needed} is missing: a button of style ${String(style)} needs it.`);
  for (const name of parts.excludes.filter(has)) {
    const at = childPath(path, name);
    walk.problem(at, 'conflict', `A button of style ${String(style)} may not have ${at}.`);
  }
  if (style !== 6 && !has('label') && !has('emoji')) {
    const at = childPath(path, 'label');
    walk.problem(at, 'missing', `${at} is missing: a button needs a label or an emoji.`);
  }
}

function judgeRow({ components }: Fields, path: string, walk: Walk): void {
  if (!isList(components) || components.length < 2 || components.length > WHOLE.rowsMax) return;
  if (!components.some((each) => isObject(each) && typeof each['type'] === 'number' && each['type'] > 2))
    return;
  const at = childPath(path, 'components');
  walk.problem(at, 'too_many', `${at} has a select menu, which takes the whole row.`, {
    limit: 1,
    value: components.length,
  });
}

function judgeSelect(select: Fields, path: string, walk: Walk): void {
  const { min_values: min = 1, max_values: max = 1, options } = select;
  const at = childPath(path, 'min_values');
  if (typeof min === 'number' && typeof max === 'number' && min > max) {
    walk.problem(at, 'too_large', `${at} is ${min}, more than max_values.`, { limit: max, value: min });
  } else if (typeof min === 'number' && isList(options) && options.length > 0 && min > options.length) {
    walk.problem(at, 'too_large', `${at} is ${min}, more than there are options.`, {
      limit: options.length,
      value: min,
    });
  }
  if (!isList(options)) return;
  const values = new Set<unknown>();
  for (const [index, option] of options.slice(0, 25).entries()) {
    const value = isObject(option) ? option['value'] : undefined;
    if (typeof value !== 'string') continue;
    const place = childPath(childPath(childPath(path, 'options'), index), 'value');
    if (values.has(value))
      walk.problem(place, 'duplicate', `${place} is ${quote(value)}, which another option has.`);
    values.add(value);
  }
}

function countDisplay({ content }: Fields, _path: string, walk: Walk): void {
  if (typeof content !== 'string') return;
  walk.displays += 1;
  walk.displayCharacters += countPoints(content);
  walk.displayBytes += Buffer.byteLength(content) + WHOLE.displayOverheadBytes;
}

interface Judged {
  readonly repaired: Fields;
  /** Code points of the content that Discord counts. */
  readonly content: number;
}

/** What Discord would show of a message, as it reads the names. */
const SHOWN_PARTS = ['content', 'embeds', 'components', 'poll', 'attachments'];
const SHOWN_PARTS_OF_BOTS = ['sticker_ids', 'shared_client_theme'];

function showsSomething(message: Fields, walk: Walk): boolean {
  const reference = message['message_reference'];
  const isForward = walk.sender === 'bot' && isObject(reference) && reference['type'] === 1;
  const parts = walk.sender === 'bot' ? [...SHOWN_PARTS, ...SHOWN_PARTS_OF_BOTS] : SHOWN_PARTS;
  return isForward || parts.some((name) => !isNothing(message[name]));
}

function sayEmpty(message: Fields, sender: Sender): string {
  const text = 'The message has nothing that Discord would post.';
  if (typeof message['code'] === 'number' && typeof message['message'] === 'string') {
    return `${text} It is a response of Discord's: send it as error.`;
  }
  if (sender !== 'interaction' && isObject(message['data']) && typeof message['type'] === 'number') {
    return `${text} A response to an interaction needs sent_by=interaction.`;
  }
  const unknown = Object.keys(message)
    .filter((name) => !Object.hasOwn(placesOf('message'), name) && !isEphemeral(name, message[name], sender))
    .slice(0, 3)
    .map((name) => childPath('', name));
  return unknown.length === 0 ? text : `${text} It does not know ${unknown.join(', ')}.`;
}

function isNothing(part: unknown): boolean {
  if (part === undefined || part === null) return true;
  return typeof part === 'string' ? part.trim() === '' : isList(part) && part.length === 0;
}

/**
 * Rules about the message as a whole.
 * @param sent as it came
 * @param message the same, put right
 */
export function judgeMessage(sent: Fields, message: Fields, path: string, walk: Walk): Judged {
  const at = (name: string) => childPath(path, name);
  const { content, username } = message;
  if (!showsSomething(sent, walk)) {
    walk.problem(null, 'empty_message', sayEmpty(message, walk.sender), {
      fixed: showsSomething(message, walk),
    });
  }
  if (walk.embedCharacters > WHOLE.embedCharactersMax) {
    const text = `All embeds have ${shown(walk.embedCharacters)} characters; Discord takes ${shown(WHOLE.embedCharactersMax)} in their sum.`;
    walk.problem(at('embeds'), 'too_long', text, {
      limit: WHOLE.embedCharactersMax,
      value: walk.embedCharacters,
      alsoAt: Array.from({ length: walk.embeds }, (_, index) => childPath(at('embeds'), index)),
    });
  }
  if (walk.sender === 'webhook' && typeof username === 'string')
    judgeUsername(username, at('username'), walk);
  if (walk.sender === 'webhook' && !isNothing(message['components'])) {
    const text =
      'Discord shows components of a webhook only with ?with_components=true, and those that act only on a webhook of an application.';
    walk.notice(at('components'), 'ignored', text);
  }
  return {
    repaired: judgeComponents(moveEphemeral(message, at, walk), at, walk),
    content: typeof content === 'string' ? countPoints(content.trim()) : 0,
  };
}

/** True for `ephemeral: true`, as discord.js writes the flag. */
export function isEphemeral(name: string, value: unknown, sender: Sender): boolean {
  return (
    fold(name) === 'ephemeral' && value === true && FLAGS.Ephemeral.senders.some((each) => each === sender)
  );
}

function moveEphemeral(message: Fields, at: (name: string) => string, walk: Walk): Fields {
  const name = Object.keys(message).find((each) => isEphemeral(each, message[each], walk.sender));
  if (name === undefined) return message;
  const { [name]: _, ...rest } = message;
  const flags = message['flags'] ?? 0;
  const { bit } = FLAGS.Ephemeral;
  const fixed = typeof flags === 'number' && Number.isInteger(flags);
  walk.notice(at(name), 'renamed', `Discord does not know ${at(name)}; it is the flag ${bit}.`, { fixed });
  return fixed ? { ...rest, flags: flags | bit } : message;
}

/** @see https://docs.discord.com/developers/resources/user#usernames-and-nicknames */
function judgeUsername(username: string, at: string, walk: Walk): void {
  const name = username.trim().toLowerCase();
  const refused =
    ['clyde', 'discord'].find((word) => name.includes(word)) ??
    ['everyone', 'here'].find((word) => name === word);
  if (refused !== undefined)
    walk.problem(at, 'name', `${at} is ${quote(username)}; Discord refuses "${refused}" in it.`);
}

/** Everything that the flag for components of the second version changes. */
function judgeComponents(message: Fields, at: (name: string) => string, walk: Walk): Fields {
  const { components, flags } = message;
  const { bit } = FLAGS.IsComponentsV2;
  const isFlagged = typeof flags === 'number' && (flags & bit) !== 0;
  const beside = ['content', 'embeds', 'poll', 'sticker_ids'].filter((name) => !isNothing(message[name]));
  if (isFlagged) {
    for (const name of beside) {
      walk.problem(
        at(name),
        'conflict',
        `${at(name)} may not stand beside the flag ${bit}. Put it into components.`,
      );
    }
  }
  if (!isList(components)) return message;
  const isNew = components.some((each) => {
    const type = partOf(each, 'type');
    return typeof type === 'number' && SHAPE_OF_TYPE.has(type) && type > 8;
  });
  if (!isFlagged && !isNew && components.length > WHOLE.rowsMax) {
    walk.problem(
      at('components'),
      'too_many',
      `components has ${components.length} rows; Discord takes ${WHOLE.rowsMax}.`,
      {
        limit: WHOLE.rowsMax,
        value: components.length,
      },
    );
  }
  if ((isFlagged || isNew) && walk.components > WHOLE.componentsMax) {
    const text = `The message has ${walk.components} components, those inside others included; Discord takes ${WHOLE.componentsMax}.`;
    walk.problem(at('components'), 'too_many', text, { limit: WHOLE.componentsMax, value: walk.components });
  }
  if (walk.displays > 1 && walk.displayCharacters > WHOLE.displayCharactersMax) {
    const text = `All text displays have ${shown(walk.displayCharacters)} characters; Discord takes ${shown(WHOLE.displayCharactersMax)} in their sum.`;
    walk.problem(at('components'), 'too_long', text, {
      limit: WHOLE.displayCharactersMax,
      value: walk.displayCharacters,
    });
  }
  if (walk.displayBytes > WHOLE.displayBytesMax) {
    const text = `The text displays have ${shown(walk.displayBytes)} bytes, with ${WHOLE.displayOverheadBytes} for each; beyond ${shown(WHOLE.displayBytesMax)} Discord has answered 500.`;
    walk.notice(at('components'), 'too_long', text, {
      limit: WHOLE.displayBytesMax,
      value: walk.displayBytes,
    });
  }
  if (isFlagged || !isNew) return message;
  const fixed = beside.length === 0 && (!isSet(flags) || Number.isInteger(flags));
  const why =
    beside.length === 0
      ? `Set it to ${bit}`
      : `They may not stand beside ${beside.join(' and ')}, and need the flag ${bit}`;
  walk.problem(
    at('flags'),
    'missing',
    `The types 9 to 17 of components need a flag in ${at('flags')}. ${why}.`,
    { fixed, alsoAt: components.slice(0, 40).map((_, index) => childPath(at('components'), index)) },
  );
  return fixed ? { ...message, flags: (typeof flags === 'number' ? flags : 0) | bit } : message;
}
