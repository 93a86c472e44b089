// Syntax highlighting, for the pages that the service sends and for answers in the browser. It uses elements of its own
// with short names, such as `<c-name>`, because a page has hundreds of them. Each regular expression reads the code in
// one pass, and unclosed strings end with the line or the code, so that the time is linear.
const STRING = String.raw`"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?`;
const NUMBER = String.raw`\b\d[\d_]*(?:\.\d+)?\b`;

/** @typedef {'comment' | 'string' | 'number' | 'keyword' | 'name'} CodeKind */

/** @param {Partial<Record<CodeKind, string>>} kinds in the order in which they are tried */
const language = (kinds) =>
  new RegExp(
    Object.entries(kinds)
      .map(([kind, source]) => `(?<${kind}>${source})`)
      .join('|'),
    'g',
  );

const js = language({
  comment: String.raw`\/\/.*|\/\*[^]*?(?:\*\/|$)`,
  string: STRING + String.raw`|\x60(?:[^\x60\\]|\\[^])*\x60?`,
  number: NUMBER,
  keyword:
    '\\b(?:async|await|break|case|catch|class|const|continue|default|delete|else|export|false|finally|for|from|function|if|import|in|instanceof|interface|let|new|null|of|readonly|return|static|switch|this|throw|true|try|type|typeof|undefined|while)\\b',
});
const json = language({
  comment: String.raw`\/\/.*`,
  name: String.raw`"(?:[^"\\\n]|\\.)*"(?=[ \t]{0,4}:)`,
  string: String.raw`"(?:[^"\\\n]|\\.)*"?`,
  number: NUMBER,
  keyword: String.raw`\b(?:true|false|null)\b`,
});
const python = language({
  comment: '#.*',
  string: `"""[^]*?(?:"""|$)|${STRING}`,
  number: NUMBER,
  keyword:
    '\\b(?:and|as|async|await|class|def|elif|else|except|False|finally|for|from|if|import|in|is|lambda|None|not|or|pass|raise|return|True|try|while|with|yield)\\b',
});
const sh = language({
  comment: String.raw`(?<=^|\s)#.*`,
  string: `"(?:[^"\\\\]|\\\\[^])*"?|'[^']*'?`,
  name: String.raw`\$\w+|(?<=^|\s)--?[a-zA-Z][\w-]*`,
});
/** Builders whose functions begin with a dollar. */
const dollarFunctions = language({ name: String.raw`\$[a-zA-Z]+` });

const LANGUAGES = new Map(Object.entries({ js, ts: js, json, jsonc: json, python, sh }));

/** Longer code is shown without colours. */
const COLOURED_MAX = 16_384;

/**
 * Splits the code into pieces, each with the kind that decides its colour, or null.
 * @param {string} code
 * @param {string} languageName
 * @returns {(readonly [CodeKind | null, string])[]}
 */
export function highlight(code, languageName) {
  if (code.length > COLOURED_MAX) return [[null, code]];
  /** @type {(readonly [CodeKind | null, string])[]} */
  const pieces = [];
  let at = 0;
  for (const match of code.matchAll(LANGUAGES.get(languageName) ?? dollarFunctions)) {
    if (match.index > at) pieces.push([null, code.slice(at, match.index)]);
    const found = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined);
    pieces.push([/** @type {CodeKind} */ (found?.[0]), match[0]]);
    at = match.index + match[0].length;
  }
  if (at < code.length) pieces.push([null, code.slice(at)]);
  return pieces;
}
