import { checkValue, findChoice } from './check-value.ts';
import {
  ALIASES,
  COMPONENT_TYPES,
  MODAL_TYPES,
  type FieldSpec,
  type FieldSpecOf,
  fieldsOf,
  type Sender,
  SHAPES,
} from './message-fields.ts';
import { parseInside } from './read-message.ts';
import { isEmoji, isEphemeral, judgeMessage, judgeObject } from './rules.ts';
import { type Finding, type Fields, fold, isList, isObject, isSet, CheckContext } from './check-context.ts';

export interface Checked {
  readonly problems: readonly Finding[];
  readonly notices: readonly Finding[];
  /** The message with every unambiguous repair; null if there was nothing to repair. */
  readonly fixed: Fields | null;
  readonly totals: CheckContext['found']['totals'];
}

/** True for a response to an interaction. Only types 4 and 7 contain a message. */
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
  const context = new CheckContext(sender, isWrapped ? 'data' : '');
  const sent = isWrapped ? message.data : message;
  const slack = sayForSlack(sent);
  // The rules for Discord's fields would only add misleading problems.
  if (slack !== null) context.emptyMessage(slack);
  const repaired = slack === null ? judgeMessage(sent, checkFields(sent, 'message', context), context) : sent;
  const { problems, notices, totals } = context.found;
  const isRepaired = [...problems, ...notices].some(({ fixed }) => fixed);
  const fixed = isWrapped ? { ...message, data: repaired } : repaired;
  return { problems, notices, fixed: isRepaired ? fixed : null, totals };
}

/** Keys of Slack attachments that Discord attachments do not have. */
const OF_SLACK = ['fallback', 'pretext', 'text', 'color', 'fields', 'blocks', 'title_link', 'mrkdwn_in'];

/** Advice for a message in Slack's format; null for any other. */
function sayForSlack({ content, embeds, components, attachments, blocks }: Fields): string | null {
  if (content !== undefined || embeds !== undefined || components !== undefined) return null;
  if (isList(blocks))
    return 'This is a message for Slack. Discord takes no blocks: write content and embeds.';
  const [first] = isList(attachments) ? attachments : [];
  return isObject(first) && OF_SLACK.some((name) => Object.hasOwn(first, name))
    ? 'This is a message for Slack. Post it to the URL of a webhook with /slack at its end.'
    : null;
}

/** @returns the value, repaired if that is unambiguous; undefined to leave it out */
function checkField(given: unknown, spec: FieldSpec, context: CheckContext): unknown {
  // Discord treats null as absent, so checkFields reports a required field as missing.
  if (given === null) return null;
  switch (spec.type) {
    case 'object':
      return checkObject(given, spec.shape, context);
    case 'list':
      return checkList(given, spec, context);
    case 'component':
      return checkComponent(given, spec, context);
    default:
      return checkValue(given, spec, context);
  }
}

function checkObject(given: unknown, shape: string, context: CheckContext): unknown {
  const read = typeof given === 'string' ? toObject(given, shape) : given;
  if (!isObject(read) || read !== given) context.reportAndRepair('type', given, 'an object', read);
  return isObject(read) ? checkFields(read, shape, context) : given;
}

/** Converts a text that people write instead of an object; returns any other text unchanged. */
function toObject(text: string, shape: string): unknown {
  if (shape === 'emoji') {
    const [, animated, name, id] = /^\s*<(a?):(\w{1,32}):(\d{1,20})>\s*$/.exec(text) ?? [];
    if (id !== undefined) return { id, name, animated: animated === 'a' };
    return isEmoji(text.trim()) ? { name: text.trim() } : text;
  }
  const key = SHAPES[shape]?.textKey;
  if (key === undefined) return text;
  const spec = fieldsOf(shape)[key];
  return { [key]: spec?.type === 'object' ? toObject(text, spec.shape) : text };
}

function checkList(given: unknown, spec: FieldSpecOf<'list'>, context: CheckContext): unknown {
  const list = isList(given) ? given : toList(given, spec.of);
  if (list !== given) context.reportAndRepair('type', given, 'a list', list);
  if (list === undefined) return given;
  const { min = 0, max = Infinity, isUnique = false } = spec;
  if (list.length > max) context.tooMany(list.length, max);
  if (list.length < min) {
    context.problem('too_few', `${context.path} has no entries; Discord wants at least one.`, {
      limit: min,
      value: 0,
    });
  }
  const checkpoint = context.checkpoint();
  const checked = list.map((entry, index) => {
    if (index >= max) return entry;
    const inside = context.child(index);
    return entry === null
      ? inside.reportAndRepair('type', entry, 'a value')
      : checkField(entry, spec.of, inside);
  });
  if (spec.of.type === 'component') context.found.totals.components += Math.max(0, list.length - max);
  const distinct = [...new Set(checked)];
  if (!isUnique || distinct.length === list.length) return checked;
  // Removing duplicates moves the items after them, so the paths of unrepaired problems would be wrong.
  const fixed = checkpoint.isAllFixed() && list.length <= max;
  context.problem('duplicate', `${context.path} has an entry twice.`, { fixed });
  return fixed ? distinct : checked;
}

/** Accepts a single object, or JSON as text, where Discord wants a list. */
function toList(given: unknown, of: FieldSpec): readonly unknown[] | undefined {
  if (isObject(given)) {
    // PHP writes a list with gaps as an object with numbers for keys.
    const isEntry = of.type === 'object' || of.type === 'component';
    return isEntry && !Object.keys(given).some((name) => /^\d+$/.test(name)) ? [given] : undefined;
  }
  const parsed = typeof given === 'string' && /^\s*[[{]/.test(given) ? parseInside(given) : null;
  if (isList(parsed)) return parsed;
  return isObject(parsed) ? toList(parsed, of) : undefined;
}

function checkComponent(
  given: unknown,
  { shapes }: FieldSpecOf<'component'>,
  context: CheckContext,
): unknown {
  context.found.totals.components += 1;
  if (!isObject(given)) return context.reportAndRepair('type', given, 'an object');
  const sent = given['type'] ?? given[Object.keys(given).find((name) => fold(name) === 'type') ?? ''];
  const type = findChoice(COMPONENT_TYPES, sent) ?? (typeof sent === 'string' ? Number(sent) : sent);
  const shape = Object.entries(COMPONENT_TYPES).find(([, number]) => number === type)?.[0];
  if (shape !== undefined && shapes.includes(shape)) return checkFields(given, shape, context);
  if (!isSet(sent)) context.child('type').missing('every component');
  else if (MODAL_TYPES.includes(type)) {
    context.problem('place', `${context.path} is a part of modals; no message takes it.`);
  } else if (shape === undefined)
    context.child('type').reportAndRepair('choice', sent, 'the number of a component of messages');
  else {
    const taken = titlesOf(shapes).join(', ');
    context.problem(
      'place',
      `${context.path} is a ${titlesOf([shape]).join('')}; here Discord takes: ${taken}.`,
    );
  }
  return given;
}

function titlesOf(shapes: readonly string[]): string[] {
  const components = Object.entries(COMPONENT_TYPES).filter(([shape]) => shapes.includes(shape));
  return components.map(([shape, type]) => `${shape.replaceAll('_', ' ')} (${type})`);
}

function checkFields(given: Fields, shape: string, context: CheckContext): Fields {
  const specs = fieldsOf(shape);
  const fields = new Map<string, unknown>();
  for (const [name, value] of Object.entries(given)) {
    const at = context.child(name);
    const spec = Object.hasOwn(specs, name) ? specs[name] : undefined;
    const meant = spec === undefined ? findName(name, shape, context.sender) : name;
    if (spec !== undefined && isTakenFrom(context.sender, spec)) {
      fields.set(name, checkField(value, spec, at));
    } else if (meant !== undefined && !Object.hasOwn(given, meant) && !fields.has(meant)) {
      fields.set(meant, rename(name, meant, given, shape, context));
    } else {
      fields.set(name, value);
      if (spec?.senders !== undefined) {
        const senders = spec.senders.join(' or ');
        at.notice('unknown', `Discord takes ${at.path} only from a ${senders}, and ignores it.`);
      } else if (shape !== 'message' || !isEphemeral(name, value, context.sender)) {
        at.notice('unknown', `Discord does not know ${at.path}, and ignores it.`);
      }
    }
  }
  const checked = Object.fromEntries([...fields].filter(([, value]) => value !== undefined));
  for (const [name, { required, excluded }] of Object.entries(specs)) {
    const needs = reasonFor(required, checked);
    const excludes = reasonFor(excluded, checked);
    const isThere = isSet(checked[name]);
    const at = context.child(name);
    if (!isThere && needs !== undefined) at.missing(needs);
    if (isThere && excludes !== undefined)
      at.problem('conflict', `${at.path} is refused beside ${excludes}.`);
  }
  judgeObject(shape, checked, context);
  return checked;
}

/** The sibling field that triggers the rule; empty if the rule always applies. */
function reasonFor(when: FieldSpec['required'], fields: Fields): string | undefined {
  if (when === true) return '';
  const found = Object.entries(when ?? {}).find(([name, values]) => values.includes(fields[name]));
  return found && `${found[0]} ${String(fields[found[0]])}`;
}

function isTakenFrom(sender: Sender, { senders }: FieldSpec): boolean {
  return senders === undefined || senders.includes(sender);
}

/** Discord's field names in each shape, by their folded spelling. */
const SPELLINGS = new Map(
  Object.entries(SHAPES).map(([shape, { fields: specs }]) => [
    shape,
    new Map([
      ...Object.entries(ALIASES[shape] ?? {}),
      ...Object.keys(specs).map((name) => [fold(name), name] as const),
    ]),
  ]),
);

/** @returns Discord's name for a field with another spelling */
function findName(name: string, shape: string, sender: Sender): string | undefined {
  const found = name.length > 40 ? undefined : SPELLINGS.get(shape)?.get(fold(name));
  const spec = found === undefined ? undefined : fieldsOf(shape)[found];
  return spec !== undefined && isTakenFrom(sender, spec) ? found : undefined;
}

/** Reports a misspelt name: a required field is then missing, and any other is ignored. */
function rename(name: string, meant: string, given: Fields, shape: string, context: CheckContext): unknown {
  const spec = fieldsOf(shape)[meant] ?? { type: 'any' };
  const text = `Discord does not know ${context.child(name).path}; its name is ${meant}.`;
  if (isSet(given[name]) && reasonFor(spec.required, given) !== undefined) {
    context.child(meant).problem('missing', text, { fixed: true });
  } else context.child(name).notice('renamed', text, { fixed: true });
  // Discord does not read this name, so it never refused what was repaired inside.
  const checkpoint = context.checkpoint();
  const checked = checkField(given[name], spec, context.child(meant));
  checkpoint.forgetFixed();
  return checked;
}
