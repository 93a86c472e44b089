/** Patterns that make readers of GitHub's Markdown slow, each as long as asked. */
export function makeGithubPatterns(length: number): readonly (readonly [name: string, text: string])[] {
  const fill = (unit: string) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
  const columns = Math.max(1, length >> 11);
  const wide = (cell: string) => `|${`${cell}|`.repeat(columns)}\n`;
  return [
    ['table of two columns', `|a|b|\n|-|-|\n${fill('|x|y|\n')}`],
    ['wide table', `${wide('a')}${wide('-')}${fill(wide('b'))}`],
    ['lone cells', `|a|\n|-|\n${fill('x\n')}`],
    ['tags that open', fill('<b>')],
    ['tags without an end', fill('<a b="')],
    ['HTML tables over blank lines', fill('<table><tr><td>\n\n')],
    ['an HTML table of blank lines', `<table>\n${fill('\n<td>')}</table>`],
    ['items of HTML', fill('<li>')],
    ['nested lists of HTML', fill('<ul><li>a\n')],
    ['comments that open', fill('<!--')],
    ['comments in a line', fill('a <!--')],
    ['character references', fill('&amp;')],
    ['one definition, many references', `[a]: /x\n\n${fill('[a]')}`],
    ['definitions', fill('[a]: x\n')],
    ['footnotes', fill('[^1]: x\n')],
    ['nested brackets', fill('[[').slice(length >> 1) + fill(']]').slice(length >> 1)],
    ['pictures that open', fill('![](')],
    ['delimiters in turns', fill('*a _b ~c ')],
    ['delimiters that close', fill('a* a_ a~ ')],
    ['delimiters in words', fill('a**b')],
    ['nested quotes and lists', fill('> - ')],
    ['deep lines', fill(`${'> - '.repeat(6)}a\n`)],
    ['dollars', fill('$a ')],
    ['addresses', fill('http://a_b ')],
    ['brackets in an address', `http://${fill('(')}`],
  ];
}
