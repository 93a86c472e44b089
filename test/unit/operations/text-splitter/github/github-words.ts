import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import type { Nodes } from 'mdast';

/**
 * The words that GitHub and Discord show of a text, read by others than the converter: GitHub's by micromark, of
 * which the converter has nothing; Discord's by taking its marks away.
 */

const MARKS_OF_HTML =
  /<\/?(?:a|abbr|b|big|blockquote|br|center|code|dd|del|details|div|dl|dt|em|figure|figcaption|font|h[1-6]|hr|i|iframe|img|input|ins|kbd|li|ol|p|picture|pre|s|samp|section|small|source|span|strike|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|tt|u|ul|var|video)(?=[\s/>])(?:"[^"]*"|'[^']*'|[^'">])*>/gi;

function wordsOf(text: string): string[] {
  const plain = text
    .replaceAll(/https?:\/\//gi, ' ')
    .replaceAll(/[*~]/g, '')
    .replaceAll(/[⁰¹²³⁴⁵⁶⁷⁸⁹]/g, (char) => ` ${'⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(char)}`)
    .toLowerCase();
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

export function wordsOnGithub(source: string): string[] {
  const tree = fromMarkdown(source, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const shown: string[] = [];
  const notes: string[] = [];
  walk(tree, shown, notes);
  return wordsOf([...shown, ...notes].join(''));
}

function walk(node: Nodes, out: string[], notes: string[]): void {
  switch (node.type) {
    case 'inlineCode':
      out.push(` ${node.value} `);
      return;
    case 'text':
      // A number at the start of a line looks like that of a list.
      out.push(node.value.replaceAll(/(^|\n)\d{1,9}\. /g, '$1'));
      return;
    case 'code':
      out.push(`\n${node.value}\n`);
      return;
    case 'image':
    case 'imageReference':
      out.push(` ${node.alt || ('url' in node ? fileName(node.url) : '')} `);
      return;
    case 'html':
      out.push(htmlText(node.value));
      return;
    case 'break':
      out.push('\n');
      return;
    case 'footnoteReference':
      out.push(` ${node.label ?? node.identifier} `);
      return;
    case 'footnoteDefinition':
      notes.push(`\n${node.label ?? node.identifier} `);
      for (const child of node.children) walk(child, notes, notes);
      return;
    case 'definition':
    case 'thematicBreak':
      return;
    default:
      if (!('children' in node)) return;
      for (const child of node.children) {
        walk(child, out, notes);
        if (node.type === 'root' || node.type === 'blockquote' || node.type === 'listItem') out.push('\n');
      }
      if (!['emphasis', 'strong', 'delete', 'link', 'linkReference'].includes(node.type)) out.push('\n');
  }
}

function fileName(url: string): string {
  return (
    url
      .replace(/[?#].*$/s, '')
      .split('/')
      .findLast((part) => part !== '') ?? ''
  );
}

function htmlText(html: string): string {
  return html
    .replaceAll(/<!--[\s\S]*?(?:-->|$)/g, '')
    .replaceAll(/<(script|style)\b[\s\S]*?(?:<\/\1>|$)/gi, '')
    .replaceAll(/<img\b[^>]*>/gi, (tag) => {
      const alt = /\salt\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(tag);
      const source = /\ssrc\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i.exec(tag);
      return ` ${alt?.[1] ?? alt?.[2] ?? fileName(source?.[1] ?? source?.[2] ?? source?.[3] ?? '')} `;
    })
    .replaceAll(MARKS_OF_HTML, (tag) =>
      /^<\/?(?:a|b|i|s|u|em|strong|code|kbd|span|sub|sup|font|small|del|ins)\b/i.test(tag) ? '' : ' ',
    )
    .replaceAll(/&#?\w+;/g, ' ');
}

/** @param converted Discord's Markdown without the marks of cuts */
export function wordsInDiscord(converted: string): string[] {
  const lines: string[] = [];
  let isCode = false;
  for (const line of converted.split('\n')) {
    const isFence = /^(?:> )?```/.test(line);
    if (isFence) isCode = !isCode;
    if (isFence) continue;
    lines.push(isCode ? line : shownLine(line));
  }
  return wordsOf(lines.join('\n'));
}

function shownLine(line: string): string {
  return line
    .replaceAll('**', '')
    .replace(/^(?:> )?\s*(?:(?:[-*]|#{1,3}|\d{1,9}\.) )*/, '')
    .split(/(?<!\\|`)(`+(?!`)[\s\S]*?[^`]`+)(?!`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(/\]\(https?:\/\/[^\s()]+\)/gi, ']')))
    .join('')
    .replaceAll(/\\([^\s\w])/g, '$1');
}
