import { countEdits } from '../../kernel/edit-distance.ts';
import { maskSecrets } from '../../kernel/secrets.ts';
import { listWords } from './name-words.ts';
import { foldLabel, foldPhrase, listLabels, PERMISSION_LABELS } from './permission-labels.ts';
import { FILLERS, MEANT, OTHER_FEATURE_WORDS, SAME_WORDS } from './permission-meanings.ts';
import { NAMES, stripQualifier } from './permission-names.ts';
import { PERMISSIONS, type Permission } from './permission-table.ts';

// Longer than any name with a few slips. Comparing longer texts would only take time.
const NAME_LENGTH_MAX = 60;

/** A problem repeats at most this much of a name. */
const SHOWN_LENGTH_MAX = 50;

/**
 * Returns the canonical name of the permission that an unknown name probably means, first by the English words in it,
 * then by its letters in our languages. Returns null when it could mean two, because a wrong suggestion grants the
 * wrong permission.
 */
export function findNearestPermissionName(name: string): string | null {
  const bare = stripQualifier(name);
  if (bare.length > NAME_LENGTH_MAX) return null;
  return findByMeaning(listConcepts(bare)) ?? findByLetters(bare) ?? findByStems(listWords(bare));
}

type Names = ReadonlySet<string>;

/** One way to write or say a permission. */
interface Phrase {
  readonly permission: Permission;
  readonly concepts: readonly string[];
}

const PHRASES: readonly Phrase[] = [
  ...NAMES,
  ...PERMISSIONS.flatMap((permission) =>
    (MEANT[permission.name] ?? []).map((phrase) => [phrase, permission] as const),
  ),
].map(([text, permission]) => ({ permission, concepts: listConcepts(text) }));

const BY_CONCEPTS = Map.groupBy(PHRASES, ({ concepts }) => keyOf(concepts));
const OF_VOICE = Map.groupBy(
  PHRASES.filter(
    ({ permission: { channelTypes } }) => channelTypes.includes('voice') && !channelTypes.includes('text'),
  ),
  ({ concepts }) => keyOf(concepts),
);
const BY_ENDS = Map.groupBy(PHRASES, ({ concepts }) => endsOf(concepts));

function findByMeaning(concepts: readonly string[]): string | null {
  if (concepts.length === 0) return null;
  const same = BY_CONCEPTS.get(keyOf(concepts));
  if (same !== undefined) return onlyOne(namesOf(same));
  // Libraries put "voice" in front of permissions that only voice channels have.
  const ofVoice = concepts.includes('voice')
    ? OF_VOICE.get(keyOf(concepts.filter((concept) => concept !== 'voice')))
    : undefined;
  if (ofVoice !== undefined) return onlyOne(namesOf(ofVoice));
  // Only words in the middle may be missing: VIEW_LOG. The first word is the action, the last its object.
  if (concepts.length < 2) return null;
  const longer = BY_ENDS.get(endsOf(concepts)) ?? [];
  return onlyOne(
    namesOf(longer.filter(({ concepts: theirs }) => concepts.every((concept) => theirs.includes(concept)))),
  );
}

function keyOf(concepts: readonly string[]): string {
  return [...new Set(concepts)].sort().join(' ');
}

function endsOf(concepts: readonly string[]): string {
  return `${concepts[0] ?? ''} ${concepts.at(-1) ?? ''}`;
}

function namesOf(phrases: readonly Phrase[]): Names {
  return new Set(phrases.map(({ permission }) => permission.name));
}

function onlyOne(names: Names): string | null {
  const [first = null, second] = names;
  return second === undefined ? first : null;
}

/** The meanings of the words, in order, without filler words. */
function listConcepts(text: string): string[] {
  return listWords(text)
    .map((word) => SAME_WORDS[word] ?? word)
    .filter((word) => !FILLERS.has(word));
}

/** A name or label to compare letters with. */
interface Spelling {
  readonly permission: Permission;
  /** Without articles, and with them. */
  readonly folded: readonly [bare: string, whole: string];
  readonly words: readonly string[];
}

/** The spellings of one language. */
interface Language {
  readonly spellings: readonly Spelling[];
  /** All words in them. None of these is a slip for another. */
  readonly vocabulary: ReadonlySet<string>;
}

/** Shorter names are too close to other words: "pick" is not a slip for "kick". */
const ALIAS_LETTERS_MIN = 6;

const OF_LABELS: readonly Language[] = Array.from(PERMISSION_LABELS.keys(), (language) =>
  languageOf(
    PERMISSIONS.flatMap((permission) =>
      listLabels(permission.name, language).map((label) => [label, permission] as const),
    ),
  ),
);

const LANGUAGES: readonly Language[] = [
  languageOf(
    NAMES.filter(
      ([name, permission]) => name === permission.name || foldLabel(name).length >= ALIAS_LETTERS_MIN,
    ),
  ),
  ...OF_LABELS,
];

function languageOf(names: readonly (readonly [name: string, permission: Permission])[]): Language {
  const spellings = names.map(([name, permission]) => ({
    permission,
    folded: [foldPhrase(name), foldLabel(name)] as const,
    words: listWords(name),
  }));
  return { spellings, vocabulary: new Set(spellings.flatMap(({ words }) => words)) };
}

/** Finds a name that differs by missing, added, changed or swapped letters. */
function findByLetters(name: string): string | null {
  const [bare, whole] = [foldPhrase(name), foldLabel(name)];
  const words = listWords(name);
  let nearest = new Set<string>();
  let distanceMax = slipsIn(bare.length);
  if (distanceMax === 0 || words.some((word) => OTHER_FEATURE_WORDS.has(word))) return null;
  for (const { spellings, vocabulary } of LANGUAGES) {
    const known = words.filter((word) => vocabulary.has(word));
    if (known.length === words.length) continue;
    for (const spelling of spellings) {
      if (!known.every((word) => spelling.words.includes(word))) continue;
      // The slip may be in an article: "Gérer less fils".
      const distance = Math.min(
        countEdits(bare, spelling.folded[0], distanceMax),
        countEdits(whole, spelling.folded[1], distanceMax),
      );
      if (distance > distanceMax || !isSpeltLike(words, spelling.words, distance)) continue;
      if (distance < distanceMax) nearest = new Set();
      distanceMax = distance;
      nearest.add(spelling.permission.name);
    }
  }
  return onlyOne(nearest);
}

/**
 * Finds the label with the same words in other forms and any order: "Управление сервером", "Banir membro". In English,
 * meanings do that.
 */
function findByStems(words: readonly string[]): string | null {
  // A single word is too ambiguous in another form: the Turkish "yönet" is "manage", and "yönetici" an administrator.
  const isSame = (word: string, their: string) =>
    word === their || (words.length > 1 && isSameStem(word, their));
  const nearest = new Set<string>();
  for (const { spellings } of OF_LABELS) {
    for (const { permission, words: theirs } of spellings) {
      if (theirs.length !== words.length) continue;
      if (!words.every((word) => theirs.some((their) => isSame(word, their)))) continue;
      if (theirs.every((their) => words.some((word) => isSame(word, their)))) nearest.add(permission.name);
    }
  }
  return onlyOne(nearest);
}

const STEM_LETTERS_MIN = 3;
const ENDING_LETTERS_MAX = 4;

/** True for two forms of a word: "управление" and "управлять", "üye" and "üyeleri". */
function isSameStem(one: string, other: string): boolean {
  let same = 0;
  while (same < one.length && one.charAt(same) === other.charAt(same)) same += 1;
  return same >= STEM_LETTERS_MIN && Math.max(one.length, other.length) - same <= ENDING_LETTERS_MAX;
}

/** Two slips in a short word make another word: "warn members" is not "ban members". */
function isSpeltLike(words: readonly string[], theirs: readonly string[], distance: number): boolean {
  if (distance <= 1) return true;
  if (words.length !== theirs.length) return false;
  return theirs.every((their, at) => {
    const slipsMax = Math.max(slipsIn(their.length), 1);
    return countEdits(words[at] ?? '', their, slipsMax) <= slipsMax;
  });
}

function slipsIn(letters: number): number {
  if (letters < 4) return 0;
  return letters < 8 ? 1 : 2;
}

/** Makes a typed name presentable in a problem: on one line, short, without secrets and mentions. */
export function quoteName(name: string): string {
  // Mask before cutting, because the beginning of a token would no longer look like one.
  const printable = maskSecrets(name.toWellFormed().replaceAll(/[\p{C}\p{Z}]+/gu, ' ')).replaceAll('@', '＠');
  return `"${printable.length > SHOWN_LENGTH_MAX ? `${printable.slice(0, SHOWN_LENGTH_MAX).toWellFormed()}…` : printable}"`;
}
