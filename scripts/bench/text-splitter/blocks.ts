import type { Random } from '../random.ts';

const LATIN =
  'the server keeps a list of members who joined last week and every role that they hold because it is needed when someone asks for help with a command the bot answers in the channel where it was called moderators can change this in the settings page at any time without losing what was stored before most people never notice but those who do are grateful for a clear message instead of a silent failure'.split(
    ' ',
  );
const HAN =
  '服务器 成员 角色 频道 消息 命令 设置 管理员 可以 更改 这个 列表 每个 用户 时间 如果 没有 权限 就会 显示 错误 机器人 回答 问题'.split(
    ' ',
  );
const KANA =
  'サーバーの メンバーは 役割を 持って います。 コマンドを 実行 すると 設定が 変わり ます 管理者 だけが 使え ます 新しい 機能は 来週'.split(
    ' ',
  );
const THAI =
  'เซิร์ฟเวอร์ เก็บ รายชื่อ สมาชิก และ บทบาท ทุกอย่าง ที่ ผู้ดูแล สามารถ เปลี่ยน ได้ ใน หน้า ตั้งค่า ทุกเวลา ข้อความ'.split(' ');
const ARABIC =
  'يحتفظ الخادم بقائمة الأعضاء والأدوار التي يملكونها ويمكن للمشرفين تغيير ذلك في صفحة الإعدادات في أي وقت'.split(
    ' ',
  );
const CYRILLIC =
  'сервер хранит список участников и роли которые они имеют модераторы могут изменить это в настройках в любое время'.split(
    ' ',
  );
const EMOJI = ['👨‍👩‍👧‍👦', '🏳️‍🌈', '🇩🇪', '👍🏽', '🎉', '❤️', '🧑‍💻', '✨', 'é', 'ñ', '1️⃣'];

const ID = '123456789012345678';
const TOKENS = [
  `<@${ID}>`,
  `<@!${ID}>`,
  `<@&${ID}>`,
  `<#${ID}>`,
  `<:party_blob:${ID}>`,
  `<a:dance:${ID}>`,
  '<t:1735689600:R>',
  `</settings key create:${ID}>`,
  '<id:customize>',
  '@everyone',
];

/** Makes the parts that messages on Discord consist of. */
export class Blocks {
  readonly random: Random;

  constructor(random: Random) {
    this.random = random;
  }

  words(min: number, max: number, from: readonly string[] = LATIN): string {
    return this.random.list(min, max, () => this.random.pick(from)).join(' ');
  }

  sentence(min = 5, max = 22): string {
    const words = this.words(min, max);
    const comma = this.random.chance(0.4) ? `, ${this.words(3, 9)}` : '';
    return `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}${comma}${this.random.pick(['.', '.', '.', '!', '?', '…'])}`;
  }

  prose(sentences = 5): string {
    return this.random.list(1, sentences, () => this.sentence()).join(' ');
  }

  url(): string {
    const path = this.random.list(1, 4, () => this.random.pick(LATIN)).join('/');
    return `https://${this.random.pick(['example.com', 'docs.example.org', 'cdn.example.net'])}/${path}?id=${this.random.int(1, 99_999)}&ref=${this.random.pick(LATIN)}`;
  }

  link(): string {
    return `[${this.words(1, 4)}](${this.url()})`;
  }

  token(): string {
    return this.random.pick(TOKENS);
  }

  emoji(): string {
    return this.random.pick(EMOJI);
  }

  code(): string {
    return `\`${this.random.pick(['npm install', 'getMembers()', 'a_b', 'key create', 'const x = 1', '--force'])}\``;
  }

  styled(depth = 2, taken = ''): string {
    const marks = ['**', '*', '__', '_', '~~', '||'].filter((mark) => !taken.includes(mark[0] ?? ''));
    if (depth === 0 || marks.length === 0) return this.words(2, 9);
    const mark = this.random.pick(marks);
    const inner = this.random.chance(0.5)
      ? this.words(2, 14)
      : `${this.words(1, 4)} ${this.styled(depth - 1, taken + (mark[0] ?? ''))} ${this.words(1, 4)}`;
    return `${mark}${inner}${mark}`;
  }

  /** A paragraph as people write them: prose with some styles, tokens, links and code in it. */
  rich(sentences = 6): string {
    return this.random
      .list(2, sentences, () => {
        const { random } = this;
        const extra = random.pick([
          () => this.styled(),
          () => this.token(),
          () => this.code(),
          () => this.link(),
          () => this.url(),
          () => this.emoji(),
          () => this.words(1, 3),
        ]);
        return random.chance(0.6) ? this.sentence() : `${this.words(3, 9)} ${extra()} ${this.sentence(3, 9)}`;
      })
      .join(' ');
  }

  codeBody(lines: number): string {
    const { random } = this;
    let depth = 0;
    const out: string[] = [];
    for (let line = 0; line < lines; line += 1) {
      const indent = '  '.repeat(depth);
      if (random.chance(0.12) && line > 0 && line < lines - 1) out.push('');
      else if (depth > 0 && random.chance(0.25)) {
        depth -= 1;
        out.push(`${'  '.repeat(depth)}}`);
      } else if (random.chance(0.2) && depth < 4) {
        out.push(`${indent}if (${random.pick(['ready', 'members.size > 0', 'role === guild.id'])}) {`);
        depth += 1;
      } else {
        out.push(
          indent +
            random.pick([
              `const ${random.pick(LATIN)} = await fetch('${this.url()}');`,
              `// ${this.words(3, 10)}`,
              `return ${random.pick(LATIN)} + ${random.int(1, 99)};`,
              `await channel.send(${random.pick(LATIN)});`,
              `console.log("${this.words(2, 6)}");`,
            ]),
        );
      }
    }
    return out.join('\n');
  }

  fence(min = 3, max = 30): string {
    const language = this.random.pick(['js', 'ts', 'py', '', 'json', 'c++']);
    return `\`\`\`${language}\n${this.codeBody(this.random.int(min, max))}\n\`\`\``;
  }

  list(min = 3, max = 12, nested = true): string {
    return this.random
      .list(min, max, (index) => {
        const indent = nested && index > 0 && this.random.chance(0.3) ? '  ' : '';
        const item = this.random.chance(0.3) ? `${this.styled(1)} ${this.words(2, 8)}` : this.sentence(3, 14);
        return `${indent}- ${item}`;
      })
      .join('\n');
  }

  numbered(): string {
    return this.random.list(3, 9, (index) => `${index + 1}. ${this.sentence(3, 16)}`).join('\n');
  }

  quote(lines = 6): string {
    return this.random.list(1, lines, () => `> ${this.rich(3)}`).join('\n');
  }

  table(): string {
    const row = () => `| ${this.words(1, 2)} | ${this.random.int(1, 999)} | ${this.words(1, 3)} |`;
    return ['| name | count | note |', '| --- | --- | --- |', ...this.random.list(3, 20, row)].join('\n');
  }

  script(): string {
    const { random } = this;
    return random.pick([
      () => `${random.list(6, 30, () => random.pick(HAN)).join('')}。`,
      () => `${random.list(6, 24, () => random.pick(KANA)).join('')}。`,
      () => random.list(2, 8, () => random.list(3, 9, () => random.pick(THAI)).join('')).join(' '),
      () => `${this.words(5, 18, ARABIC)}؟`,
      () => `${this.words(5, 18, CYRILLIC)}.`,
    ])();
  }

  spoiler(): string {
    return this.random.pick([
      () => `||${this.prose(8)}||`,
      () => `||${this.prose(2)}\n${this.fence(3, 14)}\n${this.prose(2)}||`,
      () => `||${this.words(4, 30)}||`,
    ])();
  }

  heading(): string {
    return `${this.random.pick(['#', '##', '###'])} ${this.words(2, 6)}`;
  }

  log(): string {
    return this.random
      .list(5, 30, () => `[12:0${this.random.int(0, 9)}:4${this.random.int(0, 9)}] ${this.words(3, 20)}`)
      .join('\n');
  }
}
