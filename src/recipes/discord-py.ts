import { takeApart, toJsonFields } from './recipe.ts';
import type { RecipeBook, RecipeOperation } from './recipe.ts';

const AFTER: Readonly<Record<RecipeOperation, readonly string[]>> = {
  'parse-args': [
    'member = await message.guild.fetch_member(int(result["user_id"]))',
    'longest = 28 * 24 * 60 * 60  # seconds, of a timeout of Discord',
    'seconds = min(result["duration_seconds"] or longest, longest)',
    'await member.timeout(datetime.timedelta(seconds=seconds), reason=result["reason"])',
  ],
  'permission-encoder': [
    'permissions = discord.Permissions(int(result["bitfield"]))',
    'await message.guild.create_role(name="Helper", permissions=permissions)',
  ],
  'text-splitter': ['for chunk in result["chunks"]:', '    await message.channel.send(chunk)'],
  'image-to-base64': [
    'image = base64.b64decode(result["base64"])',
    'await message.guild.create_custom_emoji(name="new_emoji", image=image)',
    '# or, for the bot itself: await client.user.edit(avatar=image)',
  ],
  'role-members': ['await message.reply(f"{result[\'count\']} members")'],
};

const IMPORTS: Readonly<Record<RecipeOperation, string>> = {
  'parse-args': 'import aiohttp, datetime',
  'permission-encoder': 'import aiohttp, discord',
  'text-splitter': 'import aiohttp',
  'image-to-base64': 'import aiohttp, base64',
  'role-members': 'import aiohttp, asyncio',
};

const VARIABLES = {
  text: 'message.content',
  permissions: 'message.content',
  url: 'message.attachments[0].url',
  role_id: 'str(message.role_mentions[0].id)',
} as const;

/** @see https://discordpy.readthedocs.io/en/stable/ */
export const discordPy: RecipeBook = {
  label: 'discord.py',
  write(order) {
    const { operation, method, url, key, mainField, main, options, needsToken } = takeApart(order);
    const value =
      main === null
        ? VARIABLES[mainField]
        : toPython(method === 'GET' ? main : toJsonFields([[mainField, main]])[mainField]);
    const others = method === 'GET' ? Object.fromEntries(options) : toJsonFields(options);
    const fields = [
      `"${mainField}": ${value}`,
      ...Object.entries(others).map(([name, each]) => `"${name}": ${toPython(each)}`),
    ];
    const token = needsToken ? ', "Token": client.http.token' : '';
    const request = [
      `url = ${toPython(url)}`,
      `headers = {"Authorization": ${toPython(key)}${token}}`,
      `fields = {${fields.join(', ')}}`,
      'async with aiohttp.ClientSession() as session:',
    ];
    const send =
      method === 'POST'
        ? [
            '    async with session.post(url, headers=headers, json=fields) as response:',
            '        result = await response.json()',
          ]
        : [
            '    result = {"pending": True, "retry_after": 0}',
            '    while result.get("pending"):',
            '        await asyncio.sleep(result["retry_after"])',
            '        async with session.get(url, headers=headers, params=fields) as response:',
            '            result = await response.json()',
          ];
    return {
      code: [
        IMPORTS[operation],
        '',
        ...request,
        ...send,
        'if not result["ok"]:',
        '    raise RuntimeError(result["error"])',
        '',
        ...AFTER[operation],
      ].join('\n'),
      language: 'python',
      note: 'For a coroutine that has a `message`; aiohttp comes with discord.py. Keep the key out of your repository: put it into an environment variable.',
    };
  },
};

/** JSON is Python but for three words. */
function toPython(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(toPython).join(', ')}]`;
  return JSON.stringify(value) ?? 'None';
}
