import { foldLabel, splitWithoutArticles } from './permission-labels.ts';

const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

/**
 * Folded words in the singular, without articles. They are only compared with each other, so their spelling does not
 * matter.
 */
export function listWords(text: string): string[] {
  return splitWithoutArticles(text, BETWEEN_WORDS)
    .map((word) => foldLabel(word))
    .filter((word) => word !== '')
    .map(toSingular);
}

function toSingular(word: string): string {
  if (word.length <= 3 || !word.endsWith('s') || word.endsWith('ss')) return word;
  return word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.slice(0, -1);
}
