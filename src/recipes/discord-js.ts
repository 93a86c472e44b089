import { takeApart, toJsonFields, withOption, withQuery, encodePair } from './recipe.ts';
import type { RecipeBook, RecipeOperation, RecipeParts } from './recipe.ts';

const AFTER: Readonly<Record<RecipeOperation, readonly string[]>> = {
  'parse-args': [
    'const member = await message.guild.members.fetch(result.user_id);',
    'const longestMs = 28 * 24 * 60 * 60 * 1000; // of a timeout of Discord',
    'await member.timeout(Math.min(result.duration_ms ?? longestMs, longestMs), result.reason ?? undefined);',
  ],
  'permission-encoder': [
    "await message.guild.roles.create({ name: 'Helper', permissions: BigInt(result.bitfield) });",
  ],
  'text-splitter': ['for (const chunk of result.chunks) await message.channel.send(chunk);'],
  'image-to-base64': [
    "await message.guild.emojis.create({ name: 'new_emoji', attachment: result.data_uri });",
    '// or, for the bot itself: await message.client.user.setAvatar(result.data_uri);',
  ],
  'role-members': [
    "await message.reply(`${result.count} members: ${result.members.join(', ')}`.slice(0, 2000));",
  ],
};

const VARIABLES = {
  text: 'message.content',
  permissions: 'message.content',
  url: 'message.attachments.first().url',
  role_id: 'message.mentions.roles.first().id',
} as const;

/** A string literal in single quotes. */
function quote(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1);
  return `'${inner.replaceAll(String.raw`\"`, '"').replaceAll("'", String.raw`\'`)}'`;
}

/** @see https://discord.js.org/docs/packages/discord.js/stable */
export const discordJs: RecipeBook = {
  label: 'discord.js',
  write(order) {
    const parts = takeApart(order);
    const request = parts.method === 'GET' ? getRequest(parts) : postRequest(parts);
    return {
      code: [
        ...request,
        'if (!result.ok) throw new Error(result.error);',
        '',
        ...AFTER[parts.operation],
      ].join('\n'),
      language: 'js',
      note: 'For an async function that has a `message`; Node 18 and newer. Keep the key out of your repository: put it into an environment variable.',
    };
  },
};

function postRequest({ operation, url, key, mainField, main, options }: RecipeParts): string[] {
  const format = operation === 'image-to-base64' ? withOption(options, 'format', 'data_uri') : options;
  const value = main === null ? VARIABLES[mainField] : toSource(toJsonFields([[mainField, main]])[mainField]);
  const fields = [
    `${mainField}: ${value}`,
    ...Object.entries(toJsonFields(format)).map(([name, each]) => `${name}: ${toSource(each)}`),
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

/** A large server is answered with 202 first: the same request asks again. */
function getRequest({ url, key, mainField, main, options, needsToken }: RecipeParts): string[] {
  const role = main === null ? `${mainField}=\${${VARIABLES[mainField]}}` : encodePair([mainField, main]);
  const address = withQuery(url, options, role);
  return [
    `const url = ${main === null ? `\`${address}\`` : quote(address)};`,
    `const headers = { Authorization: ${quote(key)}${needsToken ? ', Token: message.client.token' : ''} };`,
    'let result = await (await fetch(url, { headers })).json();',
    'while (result.pending) {',
    '  await new Promise((resolve) => setTimeout(resolve, result.retry_after * 1000));',
    '  result = await (await fetch(url, { headers })).json();',
    '}',
  ];
}

function toSource(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((each) => quote(String(each))).join(', ')}]`;
  return typeof value === 'string' ? quote(value) : JSON.stringify(value);
}
