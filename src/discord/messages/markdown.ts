/**
 * Text as a code block, in which Discord reads no Markdown and no mentions. Zero-width spaces split runs of back-ticks,
 * which would end the block, so the result can be up to twice as long.
 */
export function codeBlock(text: string, language = ''): string {
  return `\`\`\`${language}\n${text.replaceAll(/`(?=``)/g, '`\u200B')}\n\`\`\``;
}

/** Text on one line as inline code. Back-ticks become a look-alike, because inline code has no escape for them. */
export function inlineCode(text: string): string {
  return `\`${text.replaceAll('`', 'ˋ').replaceAll(/\s+/g, ' ')}\``;
}

/** Cuts at `lengthMax` UTF-16 code units with an ellipsis, never inside a surrogate pair. */
export function clip(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  const cut = text.slice(0, lengthMax - 1);
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}
