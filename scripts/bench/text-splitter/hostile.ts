/** Patterns that make parsers slow or deep, each as long as asked. */
export function makeHostile(length: number): readonly (readonly [name: string, text: string])[] {
  const fill = (unit: string) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
  return [
    ['back-ticks', fill('`')],
    ['back-ticks apart', fill('` ')],
    ['runs of back-ticks of growing length', grow('`', ' ', length)],
    ['fences that open', fill('```js\n')],
    ['fences of growing length', grow('`', '\n', length)],
    ['tildes', fill('~')],
    ['tilde fences', fill('~~~\n')],
    ['growing tilde fences', grow('~', '\n', length)],
    ['stars', fill('*')],
    ['stars apart', fill('* ')],
    ['opening stars', fill('*a ')],
    ['opening double stars', fill('**a ')],
    ['stars of many lengths', fill('*a**b***c****d ')],
    ['underscores', fill('_')],
    ['names with underscores', fill('_a')],
    ['bars', fill('||')],
    ['opening bars', fill('||a |')],
    ['opening brackets', fill('[')],
    ['brackets and parentheses', fill('[](')],
    ['links that do not close', fill('[a](')],
    ['nested links', fill('[a](b')],
    ['quotes', fill('> ')],
    ['quoted lines', fill('> \n')],
    ['quoted fences', fill('> ```\n')],
    ['rest quotes', fill('>>> ')],
    ['newlines', fill('\n')],
    ['newlines between words', `a${fill('\n')}b`],
    ['spaces', `a${fill(' ')}b`],
    ['spaces and line breaks', fill(' \n')],
    ['Windows line breaks', fill('a\r\n')],
    ['one long word', fill('a')],
    ['one long URL', `https://example.com/${fill('a/b?c=d&')}`],
    ['URL starts', fill('https://')],
    ['angle brackets', fill('<')],
    ['mention starts', fill('<@1234')],
    ['autolink starts', fill('<a:/')],
    ['backslashes', fill('\\')],
    ['escaped stars', fill('\\*')],
    ['table bars', fill('| ')],
    ['table rows', fill('| a |\n')],
    ['one table row', `| ${fill('a ')}|`],
    ['headings', fill('# a\n')],
    ['list items', fill('- ')],
    ['nested styles', fill('**_~~||__')],
    ['bold that never ends', `**${fill('a ')}`],
    ['one long spoiler', `||${fill('a ')}||`],
    ['one long code span', `\`${fill('a ')}\``],
    ['one long code line', `\`\`\`\n${fill('a ')}\n\`\`\``],
    ['code lines', `\`\`\`js\n${fill('a\n')}\`\`\``],
    ['combining marks', `a${fill('\u0301')}`],
    ['letters with marks', fill('e\u0301\u0302')],
    ['joined emoji', fill('👩\u200d')],
    ['flags', fill('🇩🇪')],
    ['emoji', fill('👍🏽')],
    ['ideographs', fill('汉字')],
    ['Thai', fill('สวัสดี')],
    ['Hangul', fill('한국어')],
    ['no-break spaces', `a${fill('\u00a0')}b`],
    ['lone surrogates', fill('\ud800')],
    ['doubtful names', fill('a_b <:c_d:1> ')],
    ['escaped fences', fill('\\```\n')],
    ['spoilers round fences', fill('||```\na\n```||')],
  ];
}

function grow(unit: string, separator: string, length: number): string {
  const parts: string[] = [];
  let size = 0;
  for (let run = 1; size < length; run += 1) {
    parts.push(unit.repeat(run));
    size += run + separator.length;
  }
  return parts.join(separator).slice(0, length);
}
