import { Blocks } from './blocks.ts';
import { Random } from '../random.ts';

export interface CorpusText {
  readonly name: string;
  readonly text: string;
}

type Make = (blocks: Blocks) => string;

/** Kinds of texts that bots send, each as one part that is repeated until the text is long enough. */
const KINDS: Readonly<Record<string, Make>> = {
  'AI answer': (b) =>
    [
      b.heading(),
      b.rich(),
      b.random.pick([() => b.fence(), () => b.list(), () => b.numbered()])(),
      b.rich(3),
    ].join('\n\n'),
  prose: (b) => b.prose(9),
  'one paragraph': (b) => b.prose(9).replaceAll('\n', ' '),
  changelog: (b) => `${b.heading()}\n${b.list(4, 14)}`,
  'long code': (b) => `Here is the file:\n${b.fence(40, 120)}\n${b.rich(3)}`,
  'fences in quotes': (b) => `> ${b.fence(4, 24).replaceAll('\n', '\n> ')}\n\n${b.rich(3)}`,
  quotes: (b) => `${b.quote(8)}\n\n${b.rich(2)}`,
  spoilers: (b) => `${b.rich(2)}\n${b.spoiler()}`,
  styles: (b) => b.random.list(3, 8, () => `${b.styled(3)} ${b.words(1, 6)}`).join(' '),
  'long bold': (b) => `**${b.prose(14)}** ${b.words(2, 8)}.`,
  tables: (b) => `${b.heading()}\n${b.table()}\n\n${b.rich(2)}`,
  lists: (b) => `${b.words(3, 6)}:\n${b.list(6, 30)}`,
  mentions: (b) => b.random.list(8, 40, () => b.token()).join(' '),
  links: (b) =>
    b.random.list(3, 10, () => `${b.words(1, 6)} ${b.random.chance(0.5) ? b.link() : b.url()}`).join('\n'),
  emoji: (b) => b.random.list(5, 40, () => (b.random.chance(0.5) ? b.emoji() : b.words(1, 2))).join(' '),
  scripts: (b) => b.random.list(2, 8, () => b.script()).join(b.random.pick([' ', '\n'])),
  'mixed scripts': (b) => `${b.script()} ${b.rich(3)}`,
  log: (b) => b.log(),
  'windows lines': (b) => `${b.rich(4)}\r\n\r\n${b.fence(4, 20).replaceAll('\n', '\r\n')}`,
  'identifiers in prose': (b) =>
    `${b.words(3, 9)} my_long_name and 2 * 3 = 6, then **kwargs, *args ${b.prose(4)} a < b && c > d`,
  minified: (b) =>
    `Data:\n\`\`\`json\n{${b.random.list(400, 500, (i) => `"k${i}":"${b.words(1, 4)}"`).join(',')}}\n\`\`\``,
  everything: (b) =>
    b.random
      .list(4, 8, () =>
        b.random.pick<Make>([
          (x) => x.rich(),
          (x) => x.fence(),
          (x) => x.list(),
          (x) => x.quote(4),
          (x) => x.spoiler(),
          (x) => x.table(),
          (x) => x.heading(),
          (x) => x.script(),
        ])(b),
      )
      .join('\n\n'),
  announcement: (b) => `# ${b.words(3, 7)}\n-# ${b.words(4, 9)}\n${b.rich(5)}\n\n${b.list(3, 6, false)}`,
};

/** Three texts of each kind, of 2 to 30 thousand units: 69 in all, the same for the same seed. */
export function makeCorpus(seed: number): CorpusText[] {
  const texts: CorpusText[] = [];
  for (const [index, [kind, make]] of Object.entries(KINDS).entries()) {
    for (const [size, length] of [2_600, 6_500, 22_000].entries()) {
      const blocks = new Blocks(new Random(seed * 1000 + index * 10 + size));
      texts.push({
        name: `${kind} ${size + 1}`,
        text: grow(blocks, make, length, kind.startsWith('one') ? ' ' : '\n\n'),
      });
    }
  }
  return texts;
}

/** Text of all kinds in turn. */
export function makeMixed(seed: number, length: number): string {
  const blocks = new Blocks(new Random(seed));
  const kinds = Object.values(KINDS);
  return grow(blocks, (b) => b.random.pick(kinds)(b), length, '\n\n').slice(0, length);
}

/** Words, sentences and paragraphs without any markup. */
export function makePlain(seed: number, length: number): string {
  return grow(new Blocks(new Random(seed)), (b) => b.prose(9), length, '\n\n').slice(0, length);
}

function grow(blocks: Blocks, make: Make, length: number, separator: string): string {
  const parts: string[] = [];
  let size = 0;
  while (size < length) {
    const part = make(blocks);
    parts.push(part);
    size += part.length + separator.length;
  }
  return parts.join(separator);
}
