import { linesFor, usageOf, type FilledBy, type Pair, type RecipeParts, type Uses } from './recipe.ts';
import type { RecipeBook } from './recipe-book.ts';
import { CALLS_MAX, restOptions, toJsonFields, WEBHOOK_NAME } from './request-fields.ts';
import { environmentSteps } from './shared-steps.ts';
import { MENTIONED } from './seen-in-discord.ts';
import { SAY } from './sentences.ts';
import { act, paste } from './steps.ts';
import type { SecretHeader } from '../operations/operation.ts';
import type { RecipePermission } from './recipe-facts.ts';

const after = (parts: RecipeParts): Uses<readonly string[]> => ({
  time_out: [
    'try:',
    '    member = await ctx.guild.fetch_member(int(result["user_id"] or 0))',
    'except discord.NotFound:',
    `    return await say("${SAY.noMember('!')}")`,
    'owner_id = ctx.guild.owner_id',
    'if ctx.author.id != owner_id and (member.id == owner_id or ctx.author.top_role <= member.top_role):',
    `    return await say("${SAY.above}")`,
    'seconds = result["duration_seconds"]',
    'if seconds is None or seconds > 28 * 24 * 60 * 60:',
    `    return await say("${SAY.noTime('!')}")`,
    'reason = result["reason"] or "no reason"',
    ...askFirst(parts),
    'await member.timeout(datetime.timedelta(seconds=seconds), reason=reason[:512])',
    'await say(f"{member.mention} is timed out for {result[\'duration\']}: {reason}")',
  ],
  make_role: [
    'permissions = discord.Permissions(int(result["bitfield"]))',
    'if not ctx.author.guild_permissions.is_superset(permissions):',
    `    return await say("${SAY.notYours}")`,
    'role = await ctx.guild.create_role(name="Helper", permissions=permissions)',
    "await say(f\"New role {role.name}: {', '.join(result['permissions'])}\")",
  ],
  send_chunks: [
    'for chunk in result["chunks"]:',
    '    await ctx.send(chunk, allowed_mentions=discord.AllowedMentions.none())',
  ],
  make_emoji: [
    'if not result["emoji_ok"]:',
    `    return await say("${SAY.noEmoji}")`,
    'image = base64.b64decode(result["data_uri"].partition(",")[2])',
    'emoji = await ctx.guild.create_custom_emoji(name="new_emoji", image=image)',
    'await say(f"New emoji: {emoji}")',
  ],
  list_members: [
    'members = " ".join(f"<@{user_id}>" for user_id in result["members"])',
    "await say(f\"{result['count']} members. The first {result['returned']}: {members}\")",
  ],
  post_text: [
    'await say(result["reason"] or f"Messages posted: {posted + result[\'sent\']} of {posted + result[\'total\']}")',
  ],
  show: (keys) => {
    const values = keys.map(({ key, isList }) =>
      isList ? `"${key}: " + ", ".join(result["${key}"])` : `"${key}: " + str(result["${key}"])`,
    );
    return [`await say(${values.join(String.raw` + "\n" + `)})`];
  },
});

/** Only the service names the two roles where their order forbids it. */
function askFirst({ permissionUrl }: RecipeParts): string[] {
  return [
    `address = ${toPython(permissionUrl)}`,
    'fields = {"guild_id": str(ctx.guild.id), "user_id": str(ctx.bot.user.id), "permission": "MODERATE_MEMBERS", "target_id": str(member.id)}',
    `headers = {"Authorization": os.environ["QUARTERMASTER_KEY"]${SECRETS.Token}}`,
    SESSION,
    '    async with session.get(address, headers=headers, params=fields) as response:',
    '        may = await response.json()',
    'if may.get("allowed") is False:',
    '    return await say(may["because"]["text"])',
  ];
}

const VARIABLES: Readonly<Record<FilledBy, string>> = {
  line: 'ctx.message.content',
  text: 'ctx.message.content.partition(" ")[2]',
  long_text: 'text',
  image: 'ctx.message.attachments[0].url if ctx.message.attachments else ""',
  role: 'str(ctx.message.role_mentions[0].id) if ctx.message.role_mentions else ""',
  user: 'str(ctx.author.id)',
  guild: 'str(ctx.guild.id)',
};

/** A text that is too long for a message is attached, as Discord itself does with it. */
const ATTACHED = [
  'if ctx.message.attachments:',
  '    text = (await ctx.message.attachments[0].read()).decode()',
  'else:',
  '    text = ctx.message.content[len(ctx.prefix + ctx.invoked_with):].strip()',
];

/** As discord.py names them. */
const PERMISSIONS: Readonly<Record<RecipePermission, string>> = {
  // The permission has a newer name, but only in newer versions of discord.py.
  ManageGuildExpressions: 'manage_emojis_and_stickers',
  ManageMessages: 'manage_messages',
  ManageRoles: 'manage_roles',
  ModerateMembers: 'moderate_members',
};

/** @see https://discordpy.readthedocs.io/en/stable/ext/commands/commands.html */
export const discordPy: RecipeBook = {
  sendsRest: true,
  asksFirst: true,
  checked: 'Checked against discord.py 2.2, which runs it in our tests.',
  replies: MENTIONED,
  language: 'python',
  begin: (parts) => [
    ...environmentSteps(parts),
    act('discordpy.client'),
    paste('discordpy.paste'),
    act('discordpy.start', { command: parts.operation.recipe.command }),
  ],
  code(parts) {
    const { main, filledBy, mainField } = parts;
    const { command, permission } = parts.operation.recipe;
    const usage = filledBy === 'line' ? null : usageOf(parts);
    const value =
      main === null
        ? VARIABLES[filledBy]
        : toPython(parts.method === 'GET' ? main : toJsonFields(parts, [[mainField, main]])[mainField]);
    return [
      'import asyncio, base64, datetime, os',
      'import aiohttp, discord',
      'from discord.ext import commands',
      '',
      '@bot.command()',
      '@commands.guild_only()',
      ...(permission === null ? [] : [`@commands.has_guild_permissions(${PERMISSIONS[permission]}=True)`]),
      `async def ${command}(ctx):`,
      ...indent([
        'async def say(text):',
        '    await ctx.reply(text[:2000], allowed_mentions=discord.AllowedMentions.none())',
        '',
        ...(main === null && filledBy === 'long_text' ? ATTACHED : [`${mainField} = ${value}`]),
        ...(usage === null ? [] : [`if not ${mainField}:`, `    return await say(${toPython(usage)})`]),
        ...request(parts),
        'if not result["ok"]:',
        '    return await say(result["error"])',
        ...linesFor(after(parts), parts),
      ]),
      '',
      `@${command}.error`,
      `async def ${command}_failed(ctx, error):`,
      ...indent([
        'if isinstance(error, commands.NoPrivateMessage):',
        '    return',
        ...(permission === null
          ? []
          : [
              'if isinstance(error, commands.MissingPermissions):',
              `    return await ctx.reply("${SAY.needs(permission)}")`,
            ]),
        'error = getattr(error, "original", error)',
        'if isinstance(error, discord.Forbidden):',
        `    return await ctx.reply("${SAY.forbidden}")`,
        'if isinstance(error, (aiohttp.ClientError, asyncio.TimeoutError)):',
        `    return await ctx.reply("${SAY.unreachable(parts.use)}")`,
        `await ctx.reply("${SAY.failed}")`,
        'raise error',
      ]),
    ].join('\n');
  },
  note: () => 'For the file in which your `bot` is; aiohttp comes with discord.py.',
};

const SESSION = 'async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=15)) as session:';

/** Source of the headers that carry a secret. */
const SECRETS: Readonly<Record<SecretHeader, string>> = {
  Token: ', "Token": ctx.bot.http.token',
  Webhook: `, "Webhook": os.environ["${WEBHOOK_NAME}"], "Idempotency-Key": f"{ctx.message.id}-{part}"`,
};

function request(parts: RecipeParts): string[] {
  const { method, url, mainField, options, secret } = parts;
  const headers = `headers = {"Authorization": os.environ["QUARTERMASTER_KEY"]${secret === null ? '' : SECRETS[secret]}}`;
  const call =
    method === 'POST'
      ? 'post(address, headers=headers, json=fields)'
      : 'get(address, headers=headers, params=fields)';
  const ask = [`async with session.${call} as response:`, '    result = await response.json()'];
  const start = [`address = ${toPython(url)}`, `fields = ${written(parts, mainField, options)}`];
  if (secret !== 'Webhook') return [...start, headers, SESSION, ...indent(ask)];
  const rest = written(parts, 'result["rest"]', restOptions(parts, 'result["channel_id"]'));
  return [
    ...start,
    'part, posted = 1, 0',
    SESSION,
    ...indent([
      '# A call posts at most 10 messages. The rest of a longer text goes with the next one.',
      `for call in range(1, ${CALLS_MAX + 1}):`,
      ...indent([
        headers,
        ...ask,
        `if result.get("retry_after") is None or call == ${CALLS_MAX}:`,
        '    break',
        'await asyncio.sleep(result["retry_after"])',
        'if result["ok"]:',
        '    posted += result["sent"]',
        '    part += 1',
        `    fields = ${rest}`,
      ]),
    ]),
  ];
}

/** A dictionary with the fields. @param main source of the value of the first one */
function written(parts: RecipeParts, main: string, options: readonly Pair[]): string {
  const others = parts.method === 'GET' ? Object.fromEntries(options) : toJsonFields(parts, options);
  const fields = [
    `"${parts.mainField}": ${main}`,
    ...Object.entries(others).map(
      ([name, each]) => `"${name}": ${each === 'result["channel_id"]' ? each : toPython(each)}`,
    ),
  ];
  return `{${fields.join(', ')}}`;
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => (line === '' ? line : `    ${line}`));
}

/** JSON is valid Python except for three words. */
function toPython(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(toPython).join(', ')}]`;
  return JSON.stringify(value) ?? 'None';
}
