import { checkValue, findChoice } from './check-value.ts';
import {
  ALIASES,
  COMPONENT_TYPES,
  MODAL_TYPES,
  type Place,
  type PlaceOf,
  placesOf,
  type Sender,
  SHAPES,
} from './places.ts';
import { parseInside } from './read-message.ts';
import { isEmoji, isEphemeral, judgeMessage, judgeObject } from './rules.ts';
import { type Entry, type Fields, fold, isList, isObject, isSet, Walk } from './walk.ts';

/** What Discord refuses in a message, what it shows otherwise than meant, and the message put right. */
export interface Checked {
  readonly problems: readonly Entry[];
  readonly notices: readonly Entry[];
  /** With everything put right that has one reading; null when nothing had to be. */
  readonly fixed: Fields | null;
  readonly totals: Walk['found']['totals'];
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
  const isWrapped = isCallback(message, sender);
  const walk = new Walk(sender, isWrapped ? 'data' : '');
  const sent = isWrapped ? message.data : message;
  const slack = sayForSlack(sent);
  // The rules for Discord's fields would only add misleading problems.
  if (slack !== null) walk.emptyMessage(slack);
  const repaired = slack === null ? judgeMessage(sent, checkFields(sent, 'message', walk), walk) : sent;
  const { problems, notices, totals } = walk.found;
  const isRepaired = [...problems, ...notices].some(({ fixed }) => fixed);
  const fixed = isWrapped ? { ...message, data: repaired } : repaired;
  return { problems, notices, fixed: isRepaired ? fixed : null, totals };
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

/** @returns the value put right where that has one reading, and undefined to leave it out */
function checkPlace(given: unknown, place: Place, walk: Walk): unknown {
  // Discord takes null as absent. A field that it demands is then missing, see checkFields.
  if (given === null) return null;
  switch (place.type) {
    case 'object':
      return checkObject(given, place.shape, walk);
    case 'list':
      return checkList(given, place, walk);
    case 'component':
      return checkComponent(given, place, walk);
    default:
      return checkValue(given, place, walk);
  }
}

function checkObject(given: unknown, shape: string, walk: Walk): unknown {
  const read = typeof given === 'string' ? readObject(given, shape) : given;
  if (!isObject(read) || read !== given) walk.wrong('type', given, 'an object', read);
  return isObject(read) ? checkFields(read, shape, walk) : given;
}

/** What people write as a text in place of an object; the same text when they do not. */
function readObject(text: string, shape: string): unknown {
  if (shape === 'emoji') {
    const [, animated, name, id] = /^\s*<(a?):(\w{1,32}):(\d{1,20})>\s*$/.exec(text) ?? [];
    if (id !== undefined) return { id, name, animated: animated === 'a' };
    return isEmoji(text.trim()) ? { name: text.trim() } : text;
  }
  const key = SHAPES[shape]?.textKey;
  if (key === undefined) return text;
  const place = placesOf(shape)[key];
  return { [key]: place?.type === 'object' ? readObject(text, place.shape) : text };
}

function checkList(given: unknown, place: PlaceOf<'list'>, walk: Walk): unknown {
  const list = isList(given) ? given : readList(given, place.of);
  if (list !== given) walk.wrong('type', given, 'a list', list);
  if (list === undefined) return given;
  const { min = 0, max = Infinity, isUnique = false } = place;
  if (list.length > max) walk.tooMany(list.length, max);
  if (list.length < min) {
    walk.problem('too_few', `${walk.path} has no entries; Discord wants at least one.`, {
      limit: min,
      value: 0,
    });
  }
  const mark = walk.mark();
  const checked = list.map((entry, index) => {
    if (index >= max) return entry;
    const inside = walk.to(index);
    return entry === null ? inside.wrong('type', entry, 'a value') : checkPlace(entry, place.of, inside);
  });
  if (place.of.type === 'component') walk.found.totals.components += Math.max(0, list.length - max);
  const distinct = [...new Set(checked)];
  if (!isUnique || distinct.length === list.length) return checked;
  // Without its duplicates the entries have other places, which problems that remain would then miss.
  const fixed = mark.isAllFixed() && list.length <= max;
  walk.problem('duplicate', `${walk.path} has an entry twice.`, { fixed });
  return fixed ? distinct : checked;
}

/** One object, or JSON as text, where Discord wants a list. */
function readList(given: unknown, of: Place): readonly unknown[] | undefined {
  if (isObject(given)) {
    // PHP writes lists with gaps as objects whose names are numbers.
    const isEntry = of.type === 'object' || of.type === 'component';
    return isEntry && !Object.keys(given).some((name) => /^\d+$/.test(name)) ? [given] : undefined;
  }
  const parsed = typeof given === 'string' && /^\s*[[{]/.test(given) ? parseInside(given) : null;
  return isList(parsed) ? parsed : isObject(parsed) ? readList(parsed, of) : undefined;
}

function checkComponent(given: unknown, { shapes }: PlaceOf<'component'>, walk: Walk): unknown {
  walk.found.totals.components += 1;
  if (!isObject(given)) return walk.wrong('type', given, 'an object');
  const sent = given['type'] ?? given[Object.keys(given).find((name) => fold(name) === 'type') ?? ''];
  const type = findChoice(COMPONENT_TYPES, sent) ?? (typeof sent === 'string' ? Number(sent) : sent);
  const shape = Object.entries(COMPONENT_TYPES).find(([, number]) => number === type)?.[0];
  if (shape !== undefined && shapes.includes(shape)) return checkFields(given, shape, walk);
  if (!isSet(sent)) walk.to('type').missing('every component');
  else if (MODAL_TYPES.includes(type)) {
    walk.problem('place', `${walk.path} is a part of modals; no message takes it.`);
  } else if (shape === undefined)
    walk.to('type').wrong('choice', sent, 'the number of a component of messages');
  else {
    const taken = titlesOf(shapes).join(', ');
    walk.problem('place', `${walk.path} is a ${titlesOf([shape]).join('')}; here Discord takes: ${taken}.`);
  }
  return given;
}

function titlesOf(shapes: readonly string[]): string[] {
  const components = Object.entries(COMPONENT_TYPES).filter(([shape]) => shapes.includes(shape));
  return components.map(([shape, type]) => `${shape.replaceAll('_', ' ')} (${type})`);
}

function checkFields(given: Fields, shape: string, walk: Walk): Fields {
  const places = placesOf(shape);
  const fields = new Map<string, unknown>();
  for (const [name, value] of Object.entries(given)) {
    const at = walk.to(name);
    const place = Object.hasOwn(places, name) ? places[name] : undefined;
    const meant = place === undefined ? findName(name, shape, walk.sender) : name;
    if (place !== undefined && isTakenFrom(walk.sender, place)) {
      fields.set(name, checkPlace(value, place, at));
    } else if (meant !== undefined && !Object.hasOwn(given, meant) && !fields.has(meant)) {
      fields.set(meant, rename(name, meant, given, shape, walk));
    } else {
      fields.set(name, value);
      if (place?.senders !== undefined) {
        const senders = place.senders.join(' or ');
        at.notice('unknown', `Discord takes ${at.path} only from a ${senders}, and ignores it.`);
      } else if (shape !== 'message' || !isEphemeral(name, value, walk.sender)) {
        at.notice('unknown', `Discord does not know ${at.path}, and ignores it.`);
      }
    }
  }
  const checked = Object.fromEntries([...fields].filter(([, value]) => value !== undefined));
  for (const [name, { required, excluded }] of Object.entries(places)) {
    const needs = reasonFor(required, checked);
    const excludes = reasonFor(excluded, checked);
    const isThere = isSet(checked[name]);
    const at = walk.to(name);
    if (!isThere && needs !== undefined) at.missing(needs);
    if (isThere && excludes !== undefined)
      at.problem('conflict', `${at.path} is refused beside ${excludes}.`);
  }
  judgeObject(shape, checked, walk);
  return checked;
}

/** The field beside it that makes a rule apply, empty for a rule that always applies. */
function reasonFor(when: Place['required'], fields: Fields): string | undefined {
  if (when === true) return '';
  const found = Object.entries(when ?? {}).find(([name, values]) => values.includes(fields[name]));
  return found && `${found[0]} ${String(fields[found[0]])}`;
}

function isTakenFrom(sender: Sender, { senders }: Place): boolean {
  return senders === undefined || senders.includes(sender);
}

/** Discord's names in each shape, by their spellings without case and signs. */
const SPELLINGS = new Map(
  Object.entries(SHAPES).map(([shape, { places }]) => [
    shape,
    new Map([
      ...Object.entries(ALIASES[shape] ?? {}),
      ...Object.keys(places).map((name) => [fold(name), name] as const),
    ]),
  ]),
);

/** @returns Discord's name that is meant by another spelling */
function findName(name: string, shape: string, sender: Sender): string | undefined {
  const found = name.length > 40 ? undefined : SPELLINGS.get(shape)?.get(fold(name));
  const place = found === undefined ? undefined : placesOf(shape)[found];
  return place !== undefined && isTakenFrom(sender, place) ? found : undefined;
}

/** Where Discord demands the name, it is missing; elsewhere what was meant is ignored. */
function rename(name: string, meant: string, given: Fields, shape: string, walk: Walk): unknown {
  const place = placesOf(shape)[meant] ?? { type: 'any' };
  const text = `Discord does not know ${walk.to(name).path}; its name is ${meant}.`;
  if (isSet(given[name]) && reasonFor(place.required, given) !== undefined) {
    walk.to(meant).problem('missing', text, { fixed: true });
  } else walk.to(name).notice('renamed', text, { fixed: true });
  // Discord does not read this name, so what is put right below it was never refused.
  const mark = walk.mark();
  const checked = checkPlace(given[name], place, walk.to(meant));
  mark.forgetFixed();
  return checked;
}
