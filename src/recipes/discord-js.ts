import { encodePair, linesFor, LONG_TEXT_URL, takeApart, toJsonFields, withQuery } from './recipe.ts';
import type { FilledBy, RecipeBook, RecipeParts, Uses } from './recipe.ts';

const AFTER: Uses<readonly string[]> = {
  time_out: [
    'const member = await message.guild.members.fetch(result.user_id);',
    'const longestMs = 28 * 24 * 60 * 60 * 1000; // of a timeout of Discord',
    'await member.timeout(Math.min(result.duration_ms ?? longestMs, longestMs), result.reason ?? undefined);',
  ],
  make_role: ["await message.guild.roles.create({ name: 'Helper', permissions: BigInt(result.bitfield) });"],
  send_chunks: ['for (const chunk of result.chunks) await message.channel.send(chunk);'],
  make_emoji: [
    "await message.guild.emojis.create({ name: 'new_emoji', attachment: result.data_uri });",
    '// or, for the bot itself: await message.client.user.setAvatar(result.data_uri);',
  ],
  list_members: [
    "await message.reply(`${result.count} members: ${result.members.join(', ')}`.slice(0, 2000));",
  ],
  show: (keys) => {
    const values = keys.map(({ key, isList }) => `\${result.${key}${isList ? ".join(', ')" : ''}}`);
    return [`await message.reply(\`${values.join(' ')}\`.slice(0, 2000));`];
  },
};

const VARIABLES: Readonly<Record<FilledBy, string>> = {
  line: 'message.content',
  text: "message.content.split(' ').slice(1).join(' ')",
  long_text: 'longText',
  image: 'message.attachments.first().url',
  role: 'message.mentions.roles.first().id',
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
  before: ['Put the key into the environment or a file that is not published.'],
  afterwards: ['Start the bot and try it.'],
  checked: 'Written for discord.js 14.',
  write(order) {
    const parts = takeApart(order);
    const request = parts.method === 'GET' ? getRequest(parts) : postRequest(parts);
    const isLong = parts.main === null && parts.filledBy === 'long_text';
    return {
      code: [
        ...(isLong ? [`const longText = await (await fetch('${LONG_TEXT_URL}')).text();`] : []),
        ...request,
        'if (!result.ok) return message.reply(result.error);',
        '',
        ...linesFor(AFTER, parts),
      ].join('\n'),
      language: 'js',
      note: 'For an async function that has a `message`; Node 18 and newer. Keep the key out of your repository: put it into an environment variable.',
    };
  },
};

function postRequest(parts: RecipeParts): string[] {
  const { url, key, mainField, filledBy, main, options } = parts;
  const value =
    main === null ? VARIABLES[filledBy] : toSource(toJsonFields(parts, [[mainField, main]])[mainField]);
  const fields = [
    `${mainField}: ${value}`,
    ...Object.entries(toJsonFields(parts, options)).map(([name, each]) => `${name}: ${toSource(each)}`),
  ];
  return [
    `const response = await fetch(${quote(url)}, {`,
    "  method: 'POST',",
    `  headers: { Authorization: ${quote(key)}, 'Content-Type': 'application/json' },`,
    `  body: JSON.stringify({ ${fields.join(', ')} }),`,
    '});',
    'const result = await response.json();',
  ];
}

/** Work that goes on is answered with 202: the same request asks again. */
function getRequest(parts: RecipeParts): string[] {
  const { operation, url, key, mainField, filledBy, main, options, needsToken } = parts;
  const field =
    main === null
      ? `${mainField}=\${encodeURIComponent(${VARIABLES[filledBy]})}`
      : encodePair([mainField, main]);
  const address = withQuery(url, options, field);
  return [
    `const url = ${main === null ? `\`${address}\`` : quote(address)};`,
    `const headers = { Authorization: ${quote(key)}${needsToken ? ', Token: message.client.token' : ''} };`,
    `${operation.pendingOutput === null ? 'const' : 'let'} result = await (await fetch(url, { headers })).json();`,
    ...(operation.pendingOutput === null ? [] : ASK_AGAIN),
  ];
}

const ASK_AGAIN = [
  'while (result.pending) {',
  '  await new Promise((resolve) => setTimeout(resolve, result.retry_after * 1000));',
  '  result = await (await fetch(url, { headers })).json();',
  '}',
];

function toSource(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((each) => quote(String(each))).join(', ')}]`;
  return typeof value === 'string' ? quote(value) : JSON.stringify(value);
}
