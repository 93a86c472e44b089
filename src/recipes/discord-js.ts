import {
  linesFor,
  LONG_TEXT_URL,
  PERMISSION_LABELS,
  takeApart,
  toJsonFields,
  usageOf,
  withQuery,
} from './recipe.ts';
import type { FilledBy, RecipeBook, RecipeParts, Uses } from './recipe.ts';
import { MENTIONED, seeIt } from './seen-in-discord.ts';

const AFTER: Uses<readonly string[]> = {
  time_out: [
    'const member = result.user_id && (await message.guild.members.fetch(result.user_id).catch(() => null));',
    "if (!member) return await say('Name a member of this server: !timeout @member 2h reason');",
    'const isAbove = (one, other) => one.id === message.guild.ownerId || one.roles.highest.comparePositionTo(other.roles.highest) > 0;',
    "if (!isAbove(message.member, member)) return await say('Your highest role must be above that of this member.');",
    'if (result.duration_ms === null || result.duration_ms > 28 * 24 * 60 * 60 * 1000)',
    "  return await say('Say for how long, at most 28 days: !timeout @member 2h reason');",
    'await member.timeout(result.duration_ms, result.reason?.slice(0, 512));',
    "await say(`<@${member.id}> is timed out for ${result.duration}: ${result.reason ?? 'no reason'}`);",
  ],
  make_role: [
    'const wanted = BigInt(result.bitfield);',
    "if (!message.member.permissions.has(wanted)) return await say('You cannot give permissions that you do not have.');",
    "const role = await message.guild.roles.create({ name: 'Helper', permissions: wanted });",
    "await say(`New role ${role.name}: ${result.permissions.join(', ')}`);",
  ],
  send_chunks: [
    'for (const content of result.chunks)',
    '  await message.channel.send({ content, allowedMentions: { parse: [] } });',
  ],
  make_emoji: [
    "if (!result.emoji_ok) return await say('This picture is too large for an emoji, or of a type that Discord does not take.');",
    "const emoji = await message.guild.emojis.create({ name: 'new_emoji', attachment: result.data_uri });",
    'await say(`New emoji: ${emoji}`);',
  ],
  list_members: [
    "await say(`${result.count} members. The first ${result.returned}: ${result.members.map((id) => `<@${id}>`).join(' ')}`);",
  ],
  show: (keys) => {
    const values = keys.map(({ key, isList }) => `${key}: \${result.${key}${isList ? ".join(', ')" : ''}}`);
    return [`await say(\`${values.join(String.raw`\n`)}\`);`];
  },
};

const VARIABLES: Readonly<Record<FilledBy, string>> = {
  line: 'message.content',
  text: "message.content.split(/\\s+/).slice(1).join(' ')",
  long_text: `await (await fetch('${LONG_TEXT_URL}')).text()`,
  image: 'message.attachments.first()?.url',
  role: 'message.mentions.roles.first()?.id',
  user: 'message.author.id',
  guild: 'message.guildId',
};

/** A string literal in single quotes. */
function quote(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1);
  return `'${inner.replaceAll(String.raw`\"`, '"').replaceAll("'", String.raw`\'`)}'`;
}

/** @see https://discord.js.org/docs/packages/discord.js/stable */
export const discordJs: RecipeBook = {
  label: 'discord.js',
  checked: 'Checked against discord.js 14, which runs it in our tests.',
  write(order) {
    const parts = takeApart(order);
    const { command, permission } = parts.operation.recipe;
    const { main, mainField, filledBy } = parts;
    const value =
      main === null ? VARIABLES[filledBy] : toSource(toJsonFields(parts, [[mainField, main]])[mainField]);
    const usage = main === null ? usageOf(parts) : null;
    return {
      code: [
        `// The key is in the environment: QUARTERMASTER_KEY=${parts.key}`,
        "client.on('messageCreate', async (message) => {",
        `  if (message.author.bot || !message.inGuild() || !/^!${command}(\\s|$)/.test(message.content)) return;`,
        '  const say = (content) =>',
        '    message.reply({ content: content.slice(0, 2000), allowedMentions: { parse: [] } });',
        ...indent([
          'try {',
          ...indent([
            ...(permission === null
              ? []
              : [
                  `if (!message.member.permissions.has('${permission}'))`,
                  `  return await say('You need the permission ${PERMISSION_LABELS[permission]}.');`,
                ]),
            `const ${mainField} = ${value};`,
            ...(usage === null ? [] : [`if (!${mainField}) return await say(${quote(usage)});`]),
            ...request(parts),
            "if (!result) return await say('The service cannot be reached. Try again in a minute.');",
            'if (!result.ok) return await say(result.error);',
            ...linesFor(AFTER, parts),
          ]),
          '} catch (error) {',
          '  console.error(error);',
          '  const reason = error.status === 403 ? "Discord does not let me: check my permissions and my role\'s place." : "That did not work.";',
          '  await say(reason).catch(() => {});',
          '}',
        ]),
        '});',
      ].join('\n'),
      language: 'js',
      before: [
        'Put the key into the environment of your bot, as `QUARTERMASTER_KEY` (for example in its `.env` file).',
        'Give your client the intents Guilds, GuildMessages and MessageContent, and switch *Message Content Intent* on in the Developer Portal.',
      ],
      afterwards: ['Start the bot and try it.'],
      seen: seeIt(parts, 'message', MENTIONED),
      note: 'For the file in which your `client` is; Node 18 and newer.',
    };
  },
};

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

function request(parts: RecipeParts): string[] {
  const { operation, method, mainField, options, needsToken } = parts;
  const token = needsToken ? ', Token: message.client.token' : '';
  const lines =
    method === 'GET'
      ? [
          `fetch(\`${withQuery(parts.url, options, `${mainField}=\${encodeURIComponent(${mainField})}`)}\`, {`,
          `  headers: { Authorization: process.env.QUARTERMASTER_KEY${token} },`,
        ]
      : [
          `fetch(${quote(parts.url)}, {`,
          "  method: 'POST',",
          `  headers: { Authorization: process.env.QUARTERMASTER_KEY, 'Content-Type': 'application/json'${token} },`,
          `  body: JSON.stringify({ ${[mainField, ...Object.entries(toJsonFields(parts, options)).map(([name, each]) => `${name}: ${toSource(each)}`)].join(', ')} }),`,
        ];
  const call = [
    ...lines,
    '  signal: AbortSignal.timeout(15000),',
    '}).then((response) => response.json()).catch(() => null);',
  ];
  const [first = '', ...rest] = call;
  if (operation.pendingOutput === null) return [`const result = await ${first}`, ...rest];
  // Work that goes on is answered with 202: the same request asks again.
  return [
    `const ask = () => ${first}`,
    ...rest,
    'let result = await ask();',
    'while (result?.pending) {',
    '  await new Promise((resolve) => setTimeout(resolve, result.retry_after * 1000));',
    '  result = await ask();',
    '}',
  ];
}

function toSource(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((each) => quote(String(each))).join(', ')}]`;
  return typeof value === 'string' ? quote(value) : JSON.stringify(value);
}
