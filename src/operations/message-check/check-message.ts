import { checkValue, findChoice, fold, readEmoji, refuseType } from './check-value.ts';
import {
  COMPONENT_TYPES,
  MODAL_TYPES,
  placesOf,
  SHAPE_OF_TYPE,
  type ComponentPlace,
  type ListPlace,
  type ObjectPlace,
  type Place,
  type Sender,
} from './places.ts';
import { parseInside } from './read-message.ts';
import { isDemanded, isEphemeral, judgeMessage, judgeObject } from './rules.ts';
import { childPath, type Entry, type Fields, isList, isObject, nameOf, quote, shown, Walk } from './walk.ts';

/** What Discord refuses in a message, what it shows otherwise than meant, and the message put right. */
export interface Checked {
  readonly problems: readonly Entry[];
  readonly notices: readonly Entry[];
  /** With everything put right that has one reading; null when nothing had to be. */
  readonly fixed: Fields | null;
  readonly totals: Totals;
}

export interface Totals {
  readonly content: number;
  readonly embeds: number;
  readonly embed_characters: number;
  readonly components: number;
  readonly text_display_characters: number;
}

/** A response to an interaction: these two types hold a message. */
export function isCallback(message: unknown, sender: Sender): message is Fields & { readonly data: Fields } {
  if (sender !== 'interaction' || !isObject(message)) return false;
  return (message['type'] === 4 || message['type'] === 7) && isObject(message['data']);
}

/**
 * Checks one message, in time linear in its size.
 * @param message JSON of bounded depth and size
 */
export function checkMessage(message: Fields, sender: Sender): Checked {
  const walk = new Walk(sender);
  const isWrapped = isCallback(message, sender);
  const path = isWrapped ? 'data' : '';
  const sent = isWrapped ? message.data : message;
  const slack = sayForSlack(sent);
  if (slack !== null) walk.problem(null, 'empty_message', slack);
  // The rules for Discord's fields would only add misleading problems.
  const { repaired, content } =
    slack === null
      ? judgeMessage(sent, checkFields(sent, 'message', path, walk), path, walk)
      : { repaired: sent, content: 0 };
  return {
    problems: walk.problems,
    notices: walk.notices,
    fixed: repaired === sent ? null : isWrapped ? { ...message, data: repaired } : repaired,
    totals: {
      content,
      embeds: walk.embeds,
      embed_characters: walk.embedCharacters,
      components: walk.components,
      text_display_characters: walk.displayCharacters,
    },
  };
}

/** Names in attachments of Slack that Discord's have not. */
const OF_SLACK = ['fallback', 'pretext', 'text', 'color', 'fields', 'blocks', 'title_link', 'mrkdwn_in'];

/** What to do with a message in the form of Slack; null for any other. */
function sayForSlack({ content, embeds, components, attachments, blocks }: Fields): string | null {
  if (content !== undefined || embeds !== undefined || components !== undefined) return null;
  if (isList(blocks))
    return 'This is a message for Slack. Discord takes no blocks: write content and embeds.';
  const [first] = isList(attachments) ? attachments : [];
  return isObject(first) && OF_SLACK.some((name) => Object.hasOwn(first, name))
    ? 'This is a message for Slack. Post it to the URL of a webhook with /slack at its end.'
    : null;
}

function checkPlace(given: unknown, place: Place, path: string, walk: Walk): unknown {
  // Discord takes null as absent. A field that it demands is then missing, see checkFields.
  if (given === null) return null;
  switch (place.type) {
    case 'emoji':
      return checkEmoji(given, path, walk);
    case 'object':
      return checkObject(given, place, path, walk);
    case 'list':
      return checkList(given, place, path, walk);
    case 'component':
      return checkComponent(given, place, path, walk);
    default:
      return checkValue(given, place, path, walk);
  }
}

function checkObject(given: unknown, place: ObjectPlace, path: string, walk: Walk): unknown {
  const { textKey, shape } = place;
  if (typeof given === 'string' && textKey !== undefined) {
    const key = placesOf(shape)['poll_media'] === undefined ? textKey : 'poll_media';
    const object = { [key]: key === textKey ? given : { [textKey]: given } };
    walk.problem(path, 'type', `${path} is ${quote(given)}; Discord wants an object, ${quote(object)}.`, {
      fixed: true,
    });
    return checkFields(object, shape, path, walk);
  }
  if (!isObject(given)) return refuseType(given, 'an object', path, walk);
  return checkFields(given, shape, path, walk);
}

function checkEmoji(given: unknown, path: string, walk: Walk): unknown {
  const emoji = typeof given === 'string' ? (readEmoji(given) ?? given) : given;
  if (emoji !== given) {
    walk.problem(path, 'type', `${path} is ${quote(given)}; Discord wants an object, ${quote(emoji)}.`, {
      fixed: true,
    });
  }
  if (!isObject(emoji)) return refuseType(emoji, 'an object', path, walk);
  return checkFields(emoji, 'emoji', path, walk);
}

function checkList(given: unknown, place: ListPlace, path: string, walk: Walk): unknown {
  const isOfObjects = ['object', 'component'].includes(place.of.type);
  const list = isList(given) ? given : readList(given, isOfObjects);
  if (list === null) return refuseType(given, 'a list', path, walk);
  if (list !== given) walk.problem(path, 'type', `${path} is no list; Discord wants one.`, { fixed: true });
  const { min = 0, max = Infinity, isUnique = false } = place;
  if (list.length > max) {
    walk.problem(
      path,
      'too_many',
      `${nameOf(path)} has ${shown(list.length)} entries; Discord takes ${shown(max)}.`,
      {
        limit: max,
        value: list.length,
      },
    );
  } else if (list.length < min) {
    walk.problem(path, 'too_few', `${nameOf(path)} has no entries; Discord wants at least one.`, {
      limit: min,
      value: 0,
    });
  }
  const counted = Math.min(list.length, max);
  const problemsBefore = walk.problems.length;
  const noticesBefore = walk.notices.length;
  const checked = list.map((entry, index) => {
    if (index >= counted) return entry;
    if (entry === null) return refuseType(entry, 'a value', childPath(path, index), walk);
    return checkPlace(entry, place.of, childPath(path, index), walk);
  });
  if (place.of.type === 'component') walk.components += list.length - counted;
  // Without its duplicates the entries have other places, which the other problems would then miss.
  const distinct = [...new Set(checked)];
  if (isUnique && distinct.length < list.length) {
    const found = [...walk.problems.slice(problemsBefore), ...walk.notices.slice(noticesBefore)];
    const fixed = found.every((each) => each.fixed) && list.length <= max;
    walk.problem(path, 'duplicate', `${nameOf(path)} has an entry twice.`, { fixed });
    if (fixed) return distinct;
  }
  return isSame(checked, list) ? list : checked;
}

/** One object, or JSON as text, where Discord wants a list. */
function readList(given: unknown, isOfObjects: boolean): readonly unknown[] | null {
  // PHP writes lists with gaps as objects whose names are numbers.
  if (isObject(given))
    return isOfObjects && !Object.keys(given).some((name) => /^\d+$/.test(name)) ? [given] : null;
  if (typeof given !== 'string' || !/^\s*[[{]/.test(given)) return null;
  const parsed = parseInside(given);
  return isList(parsed) ? parsed : readList(parsed, isOfObjects);
}

function isSame(list: readonly unknown[], other: readonly unknown[]): boolean {
  return list.length === other.length && list.every((entry, index) => entry === other[index]);
}

function checkComponent(given: unknown, { types }: ComponentPlace, path: string, walk: Walk): unknown {
  walk.components += 1;
  if (!isObject(given)) return refuseType(given, 'an object', path, walk);
  const typePath = childPath(path, 'type');
  const sent = given['type'] ?? given[Object.keys(given).find((name) => fold(name) === 'type') ?? ''];
  if (sent === undefined || sent === null) {
    walk.problem(typePath, 'missing', `${typePath} is missing: the number of the kind of component.`);
    return given;
  }
  const type = typeof sent === 'string' ? (findChoice(COMPONENT_TYPES, sent) ?? Number(sent)) : sent;
  const shape = typeof type === 'number' ? SHAPE_OF_TYPE.get(type) : undefined;
  if (shape === undefined || typeof type !== 'number') {
    const isOfModal = MODAL_TYPES.some((each) => each === type);
    if (isOfModal) walk.problem(path, 'place', `${path} is a part of modals; no message takes it.`);
    else
      walk.problem(
        typePath,
        'choice',
        `${typePath} is ${quote(sent)}; Discord has no such component in messages.`,
      );
    return given;
  }
  if (!types.includes(type)) {
    const all = types.map((each) => `${SHAPE_OF_TYPE.get(each)?.replaceAll('_', ' ')} (${each})`).join(', ');
    walk.problem(
      path,
      'place',
      `${path} is a ${shape.replaceAll('_', ' ')} (${type}); here Discord takes: ${all}.`,
    );
    return given;
  }
  if (typeof sent === 'string' && findChoice(COMPONENT_TYPES, sent) !== undefined) {
    walk.problem(typePath, 'type', `${typePath} is ${quote(sent)}; Discord wants the number ${type}.`, {
      fixed: true,
    });
    const name = Object.keys(given).find((each) => fold(each) === 'type') ?? 'type';
    return checkFields({ ...given, [name]: type }, shape, path, walk);
  }
  return checkFields(given, shape, path, walk);
}

/** What people write for a name of Discord's, beside its other spellings. */
const ALIASES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  message: { embed: 'embeds', text: 'content' },
  text_display: { text: 'content' },
  embed: { colour: 'color' },
  container: { accentcolour: 'accent_color' },
  poll_answer: { text: 'poll_media' },
};

/** @returns the same object when nothing was put right */
function checkFields(given: Fields, shape: string, path: string, walk: Walk): Fields {
  const places = placesOf(shape);
  const fields: [string, unknown][] = [];
  const renamed = new Set<string>();
  let isChanged = false;
  for (const [name, value] of Object.entries(given)) {
    const place = Object.hasOwn(places, name) ? places[name] : undefined;
    const at = childPath(path, name);
    if (place === undefined) {
      const meant = findName(name, shape, walk.sender);
      const isFree = meant !== null && !Object.hasOwn(given, meant) && !renamed.has(meant);
      if (shape === 'message' && isEphemeral(name, value, walk.sender)) {
        fields.push([name, value]);
      } else if (isFree) {
        renamed.add(meant);
        isChanged = true;
        const moved = rename(value, name, meant, { shape, given, path, walk });
        if (moved !== undefined) fields.push([meant, moved]);
      } else {
        walk.notice(at, 'unknown', `Discord does not know ${at}, and ignores it.`);
        fields.push([name, value]);
      }
    } else if (place.senders?.includes(walk.sender) === false) {
      walk.notice(
        at,
        'unknown',
        `Discord takes ${at} only from a ${place.senders.join(' or ')}, and ignores it.`,
      );
      fields.push([name, value]);
    } else {
      const checked = checkPlace(value, place, at, walk);
      isChanged ||= checked !== value;
      if (checked !== undefined) fields.push([name, checked]);
    }
  }
  const checked = isChanged ? Object.fromEntries(fields) : given;
  for (const [name, place] of Object.entries(places)) {
    const isThere = Object.hasOwn(checked, name) && checked[name] !== null;
    if (place.required === true && !isThere) {
      walk.problem(childPath(path, name), 'missing', `${childPath(path, name)} is missing.`);
    }
  }
  return judgeObject(shape, checked, path, walk);
}

/** Discord's name that is meant by another spelling; null when there is none. */
function findName(name: string, shape: string, sender: Sender): string | null {
  if (name.length > 40) return null;
  const found = namesOf(shape).get(fold(name));
  const place = found === undefined ? undefined : placesOf(shape)[found];
  return found === undefined || place?.senders?.includes(sender) === false ? null : found;
}

const NAMES = new Map<string, ReadonlyMap<string, string>>();

/** Discord's names in a shape, by each spelling without case and signs. */
function namesOf(shape: string): ReadonlyMap<string, string> {
  const known = NAMES.get(shape);
  if (known !== undefined) return known;
  const names = new Map(Object.entries(ALIASES[shape] ?? {}));
  for (const name of Object.keys(placesOf(shape))) names.set(fold(name), name);
  NAMES.set(shape, names);
  return names;
}

interface Parent {
  readonly shape: string;
  readonly given: Fields;
  readonly path: string;
  readonly walk: Walk;
}

/** Where Discord demands the name, it is missing; elsewhere what was meant is ignored. */
function rename(value: unknown, name: string, meant: string, { shape, given, path, walk }: Parent): unknown {
  const place = placesOf(shape)[meant] ?? { type: 'any' };
  const wrapped = meant === 'poll_media' && typeof value === 'string' ? { text: value } : value;
  const text = `Discord does not know ${childPath(path, name)}; its name is ${meant}.`;
  if (value !== null && (place.required === true || isDemanded(shape, given, meant))) {
    walk.problem(childPath(path, meant), 'missing', text, { fixed: true });
  } else walk.notice(childPath(path, name), 'renamed', text, { fixed: true });
  return walk.keepUnfixed(() => checkPlace(wrapped, place, childPath(path, meant), walk));
}
