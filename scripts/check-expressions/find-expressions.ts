import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { parseSync, Visitor, type Argument } from 'oxc-parser';

/** A regular expression of a file. */
export interface Expression {
  /** Relative to the folder in which all files are. */
  readonly file: string;
  readonly line: number;
  /** null when it is only known once somebody calls the function around it. */
  readonly source: string | null;
  readonly flags: string;
}

/**
 * All regular expressions of these files: literals, and those that `new RegExp` makes. What it is given is often put
 * together from constants, so these files are loaded to see what comes out. Inside a template, a part that is known
 * later counts as a letter.
 */
export async function findExpressions(root: string, files: readonly string[]): Promise<Expression[]> {
  const literals: Expression[] = [];
  const calls: Expression[] = [];
  for (const file of files) {
    const text = readFileSync(path.join(root, file), 'utf8');
    const lineAt = (start: number) => text.slice(0, start).split('\n').length;
    new Visitor({
      Literal(node) {
        if (!('regex' in node)) return;
        const { pattern, flags } = node.regex;
        literals.push({ file, line: lineAt(node.start), source: pattern, flags });
      },
      NewExpression({ callee, start, arguments: [source, flags] }) {
        if (callee.type !== 'Identifier' || callee.name !== 'RegExp') return;
        calls.push({ file, line: lineAt(start), source: textOf(source), flags: textOf(flags) ?? '' });
      },
    }).visit(parseSync(file, text).program);
  }
  const made = await recordWhileLoading(root, [...new Set(calls.map(({ file }) => file))]);
  const isMade = (call: Expression) =>
    made.some(({ file, line }) => file === call.file && line === call.line);
  return [...literals, ...made, ...calls.filter((call) => !isMade(call))];
}

function textOf(node: Argument | undefined): string | null {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? node.value : null;
  if (node?.type === 'TaggedTemplateExpression')
    return node.quasi.quasis.map(({ value }) => value.raw).join('x');
  if (node?.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.cooked).join('x');
  return null;
}

/** What `new RegExp` is given while these files are loaded. */
async function recordWhileLoading(root: string, files: readonly string[]): Promise<Expression[]> {
  const made: Expression[] = [];
  const RealRegExp = globalThis.RegExp;
  globalThis.RegExp = new Proxy(RealRegExp, {
    construct(target, [source, flags = '']: [string, string?]) {
      const caller = new Error('where').stack?.split('\n')[2] ?? '';
      for (const file of files) {
        const place = caller.split(`${pathToFileURL(path.join(root, file)).href}:`)[1];
        if (place !== undefined) made.push({ file, line: Number.parseInt(place, 10), source, flags });
      }
      return new target(source, flags);
    },
  });
  try {
    for (const file of files) {
      // Some scripts of the pages can only be loaded in a browser.
      await import(pathToFileURL(path.join(root, file)).href).catch(() => null);
    }
  } finally {
    globalThis.RegExp = RealRegExp;
  }
  return made;
}
