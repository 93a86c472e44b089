import { COMPONENT_TYPES, FLAGS, placesOf, type Sender, WHOLE } from './places.ts';
import { countPoints, cut, type Fields, isList, isObject, isSet, nameOf, shown, type Walk } from './walk.ts';

// Rules about several places at once. The places themselves are right or reported by now.

type Rule = (value: Fields, walk: Walk) => void;

const RULES: Readonly<Record<string, Rule>> = {
  embed: judgeEmbed,
  embed_author: ({ name }, walk) => noteUnshown(name, 'name', walk),
  embed_footer: ({ text }, walk) => noteUnshown(text, 'text', walk),
  emoji: judgeEmoji,
  allowed_mentions: judgeMentions,
  button({ style, label, emoji }, walk) {
    if (style !== 6 && !isSet(label) && !isSet(emoji)) walk.to('label').missing('a button without emoji');
  },
  action_row({ components }, walk) {
    const isShared = isList(components) && components.length > 1 && components.length <= WHOLE.rowsMax;
    if (isShared && components.some((each) => isSelect(partOf(each, 'type')))) {
      walk.to('components').tooMany(components.length, 1, ', and one is a select menu');
    }
  },
  select_option({ value }, walk) {
    const menu = walk.path.replace(/\[\d+\]$/, '');
    if (isSet(value)) walk.to('value').once(value, menu);
  },
  text_display({ content }, { found }) {
    if (typeof content !== 'string') return;
    found.displays += 1;
    found.displayBytes += Buffer.byteLength(content) + WHOLE.displayOverheadBytes;
    found.totals.text_display_characters += countPoints(content);
  },
};

export function judgeObject(shape: string, value: Fields, walk: Walk): void {
  if (Object.hasOwn(RULES, shape)) RULES[shape]?.(value, walk);
  if (Object.hasOwn(COMPONENT_TYPES, shape)) judgeComponent(value, walk);
}

function isSelect(type: unknown): boolean {
  return typeof type === 'number' && type > COMPONENT_TYPES.button;
}

function judgeComponent(
  { id, custom_id: customId, min_values: min = 1, max_values: max = 1, options }: Fields,
  walk: Walk,
): void {
  if (typeof id === 'number' && id !== 0) walk.to('id').once(id, 'id');
  if (typeof customId === 'string') walk.to('custom_id').once(customId, 'custom_id');
  if (typeof min !== 'number') return;
  const at = walk.to('min_values');
  if (typeof max === 'number' && min > max) at.outside('too_large', min, max, ', as max_values says');
  else if (isList(options) && options.length > 0 && min > options.length) {
    at.outside('too_large', min, options.length, ', the number of options');
  }
}

function partOf(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined;
}

const MENTION = /<@[!&]?\d{1,20}>|@everyone|@here/;

function judgeEmbed(embed: Fields, walk: Walk): void {
  const { notices, totals } = walk.found;
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
  if (Object.keys(embed).length === 0) walk.empty();
  else if ([...texts, partOf(image, 'url'), partOf(thumbnail, 'url'), fields].every(isBlank)) {
    walk.notice('empty', `${nameOf(walk.path)} has nothing that Discord shows.`);
  }
  const isFirst = !notices.some(({ kind }) => kind === 'no_ping');
  if (isFirst && texts.some((text) => MENTION.test(text))) {
    const where = nameOf(walk.path).toLowerCase();
    walk.notice('no_ping', `Mentions in ${where} notify nobody. Put them into content.`);
  }
}

function noteUnshown(text: unknown, key: string, walk: Walk): void {
  if (!isBlank(text)) return;
  walk.notice('ignored', `${walk.path} has no ${key}, so Discord does not show it.`);
}

/** True for what Discord takes as absent, a text of white space, and an empty list. */
function isBlank(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  return !isSet(value) || (isList(value) && value.length === 0);
}

/** An emoji as a text, and none of the names that people have for it. */
export function isEmoji(text: string): boolean {
  return text.length <= 32 && /[^\x00-\x7f]/.test(text);
}

function judgeEmoji({ id, name }: Fields, walk: Walk): void {
  if (isSet(id)) return;
  const at = walk.to('name');
  if (!isSet(name)) at.missing('an emoji without id');
  else if (name === '') at.empty();
  else if (typeof name === 'string' && !isEmoji(name))
    at.wrong('format', name, 'an emoji such as "👋", or an id');
}

function judgeMentions(value: Fields, walk: Walk): void {
  const { parse } = value;
  for (const name of ['users', 'roles']) {
    if (!isList(parse) || !parse.includes(name) || !isList(value[name]) || isBlank(value[name])) continue;
    const at = walk.to(name);
    at.problem(
      'conflict',
      `${at.path} lists ids, and parse allows all ${name}. Discord takes one of the two.`,
    );
  }
}

/**
 * Applies the rules about the message as a whole.
 * @param sent as it came
 * @param checked the same, put right
 * @returns the message put right by these rules too
 */
export function judgeMessage(sent: Fields, checked: Fields, walk: Walk): Fields {
  const { sender, found } = walk;
  const message = moveEphemeral(checked, walk);
  const { content, username } = message;
  if (typeof content === 'string') found.totals.content = countPoints(content.trim());
  if (!showsSomething(sent, sender)) {
    walk.emptyMessage(sayEmpty(message, sender), showsSomething(message, sender));
  }
  const { embed_characters: characters } = found.totals;
  if (characters > WHOLE.embedCharactersMax) {
    const at = walk.to('embeds');
    at.tooLong(characters, WHOLE.embedCharactersMax, 'The sum of all embeds', { alsoIn: at.path });
  }
  if (sender === 'webhook') {
    if (typeof username === 'string') judgeUsername(username, walk.to('username'));
    if (!isBlank(message['components'])) walk.to('components').notice('ignored', OF_WEBHOOK);
  }
  return judgeComponents(message, walk);
}

const OF_WEBHOOK =
  'Discord shows components of a webhook only with ?with_components=true, and those that act only on a webhook of an application.';

/** What Discord would show of a message, as it reads the names. */
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
  const unknown = Object.keys(message).filter((name) => !Object.hasOwn(placesOf('message'), name));
  const quoted = unknown.slice(0, 3).map((name) => cut(name, 60));
  return unknown.length === 0 ? text : `${text} It does not know ${quoted.join(', ')}.`;
}

/** True for `ephemeral: true`, as discord.js writes the flag. */
export function isEphemeral(name: string, value: unknown, sender: Sender): boolean {
  return name === 'ephemeral' && value === true && sender === 'interaction';
}

function moveEphemeral(message: Fields, walk: Walk): Fields {
  const { ephemeral, ...rest } = message;
  if (!isEphemeral('ephemeral', ephemeral, walk.sender)) return message;
  const { path } = walk.to('ephemeral');
  const flags = addFlag(rest, FLAGS.Ephemeral);
  const text = `Discord does not know ${path}; it is the flag ${FLAGS.Ephemeral}.`;
  walk.to('ephemeral').notice('renamed', text, { fixed: flags !== undefined });
  return flags === undefined ? message : { ...rest, flags };
}

/** @returns undefined when the flags of the message are no number */
function addFlag({ flags }: Fields, bit: number): number | undefined {
  if (!isSet(flags)) return bit;
  return typeof flags === 'number' && Number.isInteger(flags) ? flags | bit : undefined;
}

/** @see https://docs.discord.com/developers/resources/user#usernames-and-nicknames */
function judgeUsername(username: string, walk: Walk): void {
  const name = username.trim().toLowerCase();
  const refused =
    ['clyde', 'discord'].find((word) => name.includes(word)) ??
    ['everyone', 'here'].find((word) => name === word);
  if (refused !== undefined) walk.wrong('name', username, `a name without "${refused}"`);
}

/** Everything that the flag for components of the second version changes. */
function judgeComponents(message: Fields, walk: Walk): Fields {
  const { components, flags } = message;
  const { displays, displayBytes, totals } = walk.found;
  const bit = FLAGS.IsComponentsV2;
  const isFlagged = typeof flags === 'number' && (flags & bit) !== 0;
  const beside = ['content', 'embeds', 'poll', 'sticker_ids'].filter((name) => !isBlank(message[name]));
  for (const name of isFlagged ? beside : []) {
    const at = walk.to(name);
    at.problem('conflict', `${at.path} may not stand beside the flag ${bit}. Put it into components.`);
  }
  if (!isList(components)) return message;
  const at = walk.to('components');
  const isNew = components.some((each) => isOfSecondVersion(partOf(each, 'type')));
  if (isFlagged || isNew) {
    if (totals.components > WHOLE.componentsMax) {
      at.tooMany(totals.components, WHOLE.componentsMax, ', with those inside others');
    }
  } else if (components.length > WHOLE.rowsMax) at.tooMany(components.length, WHOLE.rowsMax);
  if (displays > 1 && totals.text_display_characters > WHOLE.displayCharactersMax) {
    at.tooLong(totals.text_display_characters, WHOLE.displayCharactersMax, 'The sum of all text displays');
  }
  if (displayBytes > WHOLE.displayBytesMax) {
    const text = `The text displays have ${shown(displayBytes)} bytes, with ${WHOLE.displayOverheadBytes} for each; beyond ${shown(WHOLE.displayBytesMax)} Discord has answered 500.`;
    at.notice('too_long', text, { limit: WHOLE.displayBytesMax, value: displayBytes });
  }
  if (isFlagged || !isNew) return message;
  const repaired = beside.length === 0 ? addFlag(message, bit) : undefined;
  const why =
    beside.length === 0
      ? `Set it to ${bit}`
      : `They may not stand beside ${beside.join(' and ')}, and need the flag ${bit}`;
  const where = walk.to('flags');
  where.problem('missing', `The types 9 to 17 of components need a flag in ${where.path}. ${why}.`, {
    fixed: repaired !== undefined,
    alsoIn: at.path,
  });
  return repaired === undefined ? message : { ...message, flags: repaired };
}

function isOfSecondVersion(type: unknown): boolean {
  return typeof type === 'number' && type >= COMPONENT_TYPES.section && type <= COMPONENT_TYPES.container;
}
