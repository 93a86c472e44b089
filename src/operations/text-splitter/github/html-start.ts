const BLOCK_NAMES = [
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt',
  'fieldset|figcaption|figure|footer|form|frame|frameset|h1|h2|h3|h4|h5|h6|head|header|hr|html|iframe|legend|li|link',
  'main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|picture|search|section|summary|table|tbody|td|tfoot|th',
  'thead|title|tr|track|ul',
].join('|');

const RAW = /^<(?:script|pre|style|textarea)(?:[\s>]|$)/i;
const RAW_END = /<\/(?:script|pre|style|textarea)>/i;
const BLOCK = new RegExp(`^</?(?:${BLOCK_NAMES})(?:\\s|/?>|$)`, 'i');
const ALONE =
  /^(?:<[a-z][\w-]{0,40}(?:\s+[a-z_:][\w.:-]{0,80}(?:\s*=\s*(?:"[^"]{0,2000}"|'[^']{0,2000}'|[^\s"'=<>`]{1,2000}))?){0,30}\s*\/?>|<\/[a-z][\w-]{0,40}\s*>)\s*$/i;

/** Whether the HTML that is open ends on a line; `blank`: it ends at the next blank line. */
export type HtmlEnd = ((line: string) => boolean) | 'blank';

const includes = (end: string) => (line: string) => line.includes(end);

/** @returns where the HTML ends that a line begins with; null when it begins with none */
export function readHtmlStart(rest: string, isInParagraph: boolean): HtmlEnd | null {
  if (!rest.startsWith('<')) return null;
  if (RAW.test(rest)) return (line) => RAW_END.test(line);
  if (rest.startsWith('<!--')) return includes('-->');
  if (rest.startsWith('<?')) return includes('?>');
  if (rest.startsWith('<![CDATA[')) return includes(']]>');
  if (/^<![a-z]/i.test(rest)) return includes('>');
  if (BLOCK.test(rest)) return 'blank';
  return !isInParagraph && rest.length < 10_000 && ALONE.test(rest) ? 'blank' : null;
}
