const WORDS = 'no one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** `seven`; above twelve, digits. */
export function countInWords(count: number): string {
  return WORDS[count] ?? String(count);
}

export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
