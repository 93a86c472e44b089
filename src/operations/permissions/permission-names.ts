import { listLibraryNames } from './library-names.ts';
import { foldPhrase, listLabels, PERMISSION_LABELS } from './permission-labels.ts';
import { PERMISSION_ALIASES, PERMISSIONS, type Permission } from './permission-table.ts';

/** Maximum names per request. */
export const PERMISSION_NAMES_MAX = 200;

/** In the order of the text. */
export interface PermissionNames {
  readonly known: readonly Permission[];
  readonly unknown: readonly string[];
}

// Case, spaces, dashes, punctuation and invisible characters in a name do not matter. A letter of another script does.
function foldName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s\p{P}\p{Cf}]+/gu, '');
}

/** Every way to write each permission in English. */
export const NAMES: readonly (readonly [name: string, permission: Permission])[] = PERMISSIONS.flatMap(
  (permission) =>
    [
      permission.name,
      ...(PERMISSION_ALIASES[permission.name] ?? []),
      ...listLibraryNames(permission.name),
    ].map((name) => [name, permission] as const),
);
/** Labels of Discord's clients. */
const LABELS = PERMISSIONS.flatMap((permission) =>
  [...PERMISSION_LABELS.keys()]
    .flatMap((language) => listLabels(permission.name, language))
    .map((label) => [label, permission] as const),
);
const BY_NAME = new Map<string, Permission>(PERMISSIONS.map((permission) => [permission.name, permission]));
const BY_FOLDED_NAME = new Map<string, Permission>(
  NAMES.map(([name, permission]) => [foldName(name), permission]),
);
const BY_LABEL = new Map<string, Permission>(
  LABELS.map(([label, permission]) => [foldPhrase(label), permission]),
);
const WORDS_MAX = Math.max(...[...NAMES, ...LABELS].map(([name]) => name.split(/[ _-]/).length));

export function findPermission(name: string): Permission | undefined {
  const bare = stripQualifier(name);
  return lookUp(name) ?? (bare === name ? undefined : lookUp(bare));
}

function lookUp(name: string): Permission | undefined {
  return BY_NAME.get(name) ?? BY_FOLDED_NAME.get(foldName(name)) ?? BY_LABEL.get(foldPhrase(name));
}

const OBJECT = /perm|flag/i;
const PATH = /^[\s[('"`]*[\w$.:]+$/;
const PREFIX = /^\s*(?:Permission|PERMISSION_)(?=\p{Lu})/u;

/**
 * Removes the object that guides write in front of a name, as in `PermissionFlagsBits.KickMembers` or
 * `Permissions::KICK_MEMBERS`, and discordgo's prefix, as in `PermissionKickMembers`.
 */
export function stripQualifier(name: string): string {
  const at = Math.max(name.lastIndexOf('.'), name.lastIndexOf(':'), name.lastIndexOf('['));
  const object = name.slice(0, Math.max(at, 0));
  const last = name.slice(at + 1);
  const isBehindObject = PATH.test(object) && (OBJECT.test(object) || PREFIX.test(last));
  return (isBehindObject ? last : name).replace(PREFIX, '');
}

/**
 * Reads the names in a text, canonical or as Discord's clients show them in our languages. A comma, semicolon, bar,
 * middle dot or line break separates names. A text without any of these is read word by word, and the longest known
 * name wins. Names may be joined by "and". A list in brackets may be empty.
 */
export function readPermissionNames(text: string): PermissionNames {
  // Some of the client's labels contain commas, so look up the whole text first.
  const whole = findPermission(text);
  if (whole !== undefined) return { known: [whole], unknown: [] };

  if (/^\s*\[\s*\]\s*$/.test(text)) return { known: [], unknown: [] };

  const known: Permission[] = [];
  const unknown: string[] = [];
  const parts = text.split(/[,;|·\r\n]+/);
  for (const part of parts) {
    const name = part.trim();
    if (foldName(name) === '' && (name === '' || parts.length > 1)) continue;
    const permission = findPermission(name);
    if (permission !== undefined) known.push(permission);
    else if (parts.length > 1 && !name.split(/\s+/).some(isAnd)) unknown.push(name);
    else collectNames(name, known, unknown);
  }
  // A text that is only "and" is not an empty list.
  if (known.length === 0 && unknown.length === 0 && foldName(text) !== '') unknown.push(text.trim());
  return { known, unknown };
}

const AND_WORDS = new Set('& and und et y e ve и'.split(' '));

function isAnd(word: string): boolean {
  return AND_WORDS.has(word.toLowerCase());
}

function collectNames(text: string, known: Permission[], unknown: string[]): void {
  const words = text.split(/\s+/);
  const bare = words.map(stripQualifier);
  const folded = bare.map(foldName);
  const foldedLabels = bare.map(foldPhrase);
  // Neighbouring plain words without a meaning are one misspelled name ("send mesages").
  let misspelled: string[] = [];
  const endMisspelled = () => {
    if (misspelled.length > 0) unknown.push(misspelled.join(' '));
    misspelled = [];
  };
  for (let at = 0; at < words.length;) {
    const found = findLongest(folded, foldedLabels, at);
    if (found !== undefined) {
      endMisspelled();
      known.push(found.permission);
      at = found.end;
      continue;
    }
    const word = words[at] ?? '';
    if (isAnd(word)) {
      endMisspelled();
      at += 1;
      continue;
    }
    if (/[_-]/.test(word)) {
      endMisspelled();
      unknown.push(word);
    } else misspelled.push(word);
    at += 1;
  }
  endMisspelled();
}

function findLongest(
  folded: readonly string[],
  foldedLabels: readonly string[],
  start: number,
): { permission: Permission; end: number } | undefined {
  let found: { permission: Permission; end: number } | undefined;
  let name = '';
  let label = '';
  for (let end = start; end < Math.min(start + WORDS_MAX, folded.length);) {
    name += folded[end] ?? '';
    label += foldedLabels[end] ?? '';
    end += 1;
    const permission = BY_FOLDED_NAME.get(name) ?? BY_LABEL.get(label);
    if (permission !== undefined) found = { permission, end };
  }
  return found;
}
