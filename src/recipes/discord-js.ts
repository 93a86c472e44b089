import { linesFor, usageOf, type FilledBy, type Pair, type RecipeParts, type Uses } from './recipe.ts';
import type { RecipeBook } from './recipe-book.ts';
import { CALLS_MAX, restOptions, toJsonFields, WEBHOOK_NAME, withQuery } from './request-fields.ts';
import { environmentSteps } from './shared-steps.ts';
import type { SecretHeader } from '../operations/operation.ts';
import { MENTIONED } from './seen-in-discord.ts';
import { SAY } from './sentences.ts';
import { act, paste } from './steps.ts';

const after = (parts: RecipeParts): Uses<readonly string[]> => ({
  time_out: [
    'const member = result.user_id && (await message.guild.members.fetch(result.user_id).catch(() => null));',
    `if (!member) return await say('${SAY.noMember('!')}');`,
    'const isAbove = (one, other) => one.id === message.guild.ownerId || one.roles.highest.comparePositionTo(other.roles.highest) > 0;',
    `if (!isAbove(message.member, member)) return await say('${SAY.above}');`,
    'if (result.duration_ms === null || result.duration_ms > 28 * 24 * 60 * 60 * 1000)',
    `  return await say('${SAY.noTime('!')}');`,
    ...askFirst(parts),
    'await member.timeout(result.duration_ms, result.reason?.slice(0, 512));',
    "await say(`<@${member.id}> is timed out for ${result.duration}: ${result.reason ?? 'no reason'}`);",
  ],
  make_role: [
    'const wanted = BigInt(result.bitfield);',
    `if (!message.member.permissions.has(wanted)) return await say('${SAY.notYours}');`,
    "const role = await message.guild.roles.create({ name: 'Helper', permissions: wanted });",
    "await say(`New role ${role.name}: ${result.permissions.join(', ')}`);",
  ],
  send_chunks: [
    'for (const content of result.chunks)',
    '  await message.channel.send({ content, allowedMentions: { parse: [] } });',
  ],
  make_emoji: [
    `if (!result.emoji_ok) return await say('${SAY.noEmoji}');`,
    "const emoji = await message.guild.emojis.create({ name: 'new_emoji', attachment: result.data_uri });",
    'await say(`New emoji: ${emoji}`);',
  ],
  list_members: [
    "await say(`${result.count} members. The first ${result.returned}: ${result.members.map((id) => `<@${id}>`).join(' ')}`);",
  ],
  post_text: [
    'await say(result.reason ?? `Messages posted: ${posted + result.sent} of ${posted + result.total}`);',
  ],
  show: (keys) => {
    const values = keys.map(({ key, isList }) => `${key}: \${result.${key}${isList ? ".join(', ')" : ''}}`);
    return [`await say(\`${values.join(String.raw`\n`)}\`);`];
  },
});

/** Only the service names the two roles where their order forbids it. */
function askFirst({ permissionUrl }: RecipeParts): string[] {
  const query =
    '?guild_id=${message.guildId}&user_id=${message.client.user.id}&permission=MODERATE_MEMBERS&target_id=${member.id}';
  const [first = '', ...rest] = call([
    `fetch(\`${permissionUrl}${query}\`, {`,
    `  headers: { ${KEY}${SECRETS.Token} },`,
  ]);
  return [
    `const may = await ${first}`,
    ...rest,
    'if (may?.allowed === false) return await say(may.because.text);',
  ];
}

const VARIABLES: Readonly<Record<FilledBy, string>> = {
  line: 'message.content',
  text: "message.content.split(/\\s+/).slice(1).join(' ')",
  long_text: String.raw`response ? await response.text() : message.content.replace(/^\S+\s*/, '')`,
  image: 'message.attachments.first()?.url',
  role: 'message.mentions.roles.first()?.id',
  user: 'message.author.id',
  guild: 'message.guildId',
};

/** A text that is too long for a message is attached, as Discord itself does with it. */
const ATTACHED = [
  'const file = message.attachments.first();',
  'const response = file && (await fetch(file.url, { signal: AbortSignal.timeout(15000) }));',
  `if (response && !response.ok) return await say('${SAY.unreadable}');`,
];

/** A string literal in single quotes. */
function quote(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1);
  return `'${inner.replaceAll(String.raw`\"`, '"').replaceAll("'", String.raw`\'`)}'`;
}

/** @see https://discord.js.org/docs/packages/discord.js/stable */
export const discordJs: RecipeBook = {
  sendsRest: true,
  asksFirst: true,
  checked: 'Checked against discord.js 14, which runs it in our tests.',
  replies: MENTIONED,
  language: 'js',
  begin: (parts) => [
    ...environmentSteps(parts),
    act('discordjs.client'),
    paste('discordjs.paste'),
    act('discordjs.start', { command: parts.operation.recipe.command }),
  ],
  code(parts) {
    const { command, permission } = parts.operation.recipe;
    const { main, mainField, filledBy } = parts;
    const value =
      main === null ? VARIABLES[filledBy] : toSource(toJsonFields(parts, [[mainField, main]])[mainField]);
    const usage = filledBy === 'line' ? null : usageOf(parts);
    return [
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
                `  return await say('${SAY.needs(permission)}');`,
              ]),
          ...(main === null && filledBy === 'long_text' ? ATTACHED : []),
          `const ${mainField} = ${value};`,
          ...(usage === null ? [] : [`if (!${mainField}) return await say(${quote(usage)});`]),
          ...request(parts),
          `if (!result) return await say('${SAY.unreachable(parts.use)}');`,
          'if (!result.ok) return await say(result.error);',
          ...linesFor(after(parts), parts),
        ]),
        '} catch (error) {',
        '  console.error(error);',
        `  const reason = error.status === 403 ? "${SAY.forbidden}" : "${SAY.failed}";`,
        '  await say(reason).catch(() => {});',
        '}',
      ]),
      '});',
    ].join('\n');
  },
  note: () => 'For the file in which your `client` is; Node 18 and newer.',
};

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

/** Source of the headers that carry a secret. */
const SECRETS: Readonly<Record<SecretHeader, string>> = {
  Token: ', Token: message.client.token',
  Webhook: `, Webhook: process.env.${WEBHOOK_NAME}, 'Idempotency-Key': \`\${message.id}-\${part}\``,
};
const KEY = 'Authorization: process.env.QUARTERMASTER_KEY';

function request(parts: RecipeParts): string[] {
  const { method, url, mainField, options, secret } = parts;
  const along = secret === null ? '' : SECRETS[secret];
  if (secret === 'Webhook') return posting(parts, along);
  const [first = '', ...rest] = call(
    method === 'GET'
      ? [
          `fetch(\`${withQuery(url, options, `${mainField}=\${encodeURIComponent(${mainField})}`)}\`, {`,
          `  headers: { ${KEY}${along} },`,
        ]
      : [
          `fetch(${quote(url)}, {`,
          "  method: 'POST',",
          `  headers: { ${KEY}, 'Content-Type': 'application/json'${along} },`,
          `  body: JSON.stringify(${written(parts, mainField, options)}),`,
        ],
  );
  return [`const result = await ${first}`, ...rest];
}

/** Posts a text, and then what is left of it. */
function posting(parts: RecipeParts, along: string): string[] {
  const { url, mainField, options } = parts;
  const rest = written(parts, `${mainField}: result.rest`, restOptions(parts, 'result.channel_id'));
  return [
    `let fields = ${written(parts, mainField, options)};`,
    'let part = 1;',
    'let posted = 0;',
    ...call([
      `const send = () => fetch(${quote(url)}, {`,
      "  method: 'POST',",
      `  headers: { ${KEY}, 'Content-Type': 'application/json'${along} },`,
      '  body: JSON.stringify(fields),',
    ]),
    '// After a broken connection it is sent once more: with the same Idempotency-Key, nothing is posted twice.',
    'const ask = async () => (await send()) ?? (await send());',
    'let result = await ask();',
    '// A call posts at most 10 messages. The rest of a longer text goes with the next one.',
    `for (let call = 2; call <= ${CALLS_MAX} && typeof result?.retry_after === 'number'; call += 1) {`,
    '  await new Promise((resolve) => setTimeout(resolve, result.retry_after * 1000));',
    '  if (result.ok) {',
    '    posted += result.sent;',
    '    part += 1;',
    `    fields = ${rest};`,
    '  }',
    '  result = await ask();',
    '}',
  ];
}

/** An object with the fields. @param main source of the first one */
function written(parts: RecipeParts, main: string, options: readonly Pair[]): string {
  const others = Object.entries(toJsonFields(parts, options)).map(
    ([name, each]) => `${name}: ${each === 'result.channel_id' ? each : toSource(each)}`,
  );
  return `{ ${[main, ...others].join(', ')} }`;
}

function call(lines: readonly string[]): string[] {
  return [
    ...lines,
    '  signal: AbortSignal.timeout(15000),',
    '}).then((response) => response.json()).catch(() => null);',
  ];
}

function toSource(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((each) => quote(String(each))).join(', ')}]`;
  return typeof value === 'string' ? quote(value) : JSON.stringify(value);
}
