import { linesFor, LONG_TEXT_URL, takeApart, toJsonFields } from './recipe.ts';
import type { FilledBy, RecipeBook, Uses } from './recipe.ts';

const AFTER: Uses<readonly string[]> = {
  time_out: [
    'member = await message.guild.fetch_member(int(result["user_id"]))',
    'longest = 28 * 24 * 60 * 60  # seconds, of a timeout of Discord',
    'seconds = min(result["duration_seconds"] or longest, longest)',
    'await member.timeout(datetime.timedelta(seconds=seconds), reason=result["reason"])',
  ],
  make_role: [
    'permissions = discord.Permissions(int(result["bitfield"]))',
    'await message.guild.create_role(name="Helper", permissions=permissions)',
  ],
  send_chunks: ['for chunk in result["chunks"]:', '    await message.channel.send(chunk)'],
  make_emoji: [
    'image = base64.b64decode(result["data_uri"].partition(",")[2])',
    'await message.guild.create_custom_emoji(name="new_emoji", image=image)',
    '# or, for the bot itself: await client.user.edit(avatar=image)',
  ],
  list_members: ['await message.reply(f"{result[\'count\']} members")'],
  show: (keys) => {
    const values = keys.map(({ key, isList }) =>
      isList ? `", ".join(result["${key}"])` : `str(result["${key}"])`,
    );
    return [`await message.reply(" ".join([${values.join(', ')}])[:2000])`];
  },
};

const IMPORTS: Uses<string> = {
  time_out: 'import aiohttp, datetime',
  make_role: 'import aiohttp, discord',
  send_chunks: 'import aiohttp',
  make_emoji: 'import aiohttp, base64',
  list_members: 'import aiohttp',
  show: () => 'import aiohttp',
};

const VARIABLES: Readonly<Record<FilledBy, string>> = {
  line: 'message.content',
  text: 'message.content.partition(" ")[2]',
  long_text: 'long_text',
  image: 'message.attachments[0].url',
  role: 'str(message.role_mentions[0].id)',
  user: 'str(message.author.id)',
  guild: 'str(message.guild.id)',
};

const LONG_TEXT = [
  'async with aiohttp.ClientSession() as session:',
  `    async with session.get("${LONG_TEXT_URL}") as response:`,
  '        long_text = await response.text()',
];

/** @see https://discordpy.readthedocs.io/en/stable/ */
export const discordPy: RecipeBook = {
  label: 'discord.py',
  before: ['Put the key into the environment or a file that is not published.'],
  afterwards: ['Start the bot and try it.'],
  checked: 'Written from the documentation of discord.py 2.',
  write(order) {
    const parts = takeApart(order);
    const { operation, method, url, key, mainField, main, options, needsToken } = parts;
    const goesOn = operation.pendingOutput !== null;
    const value =
      main === null
        ? VARIABLES[parts.filledBy]
        : toPython(method === 'GET' ? main : toJsonFields(parts, [[mainField, main]])[mainField]);
    const others = method === 'GET' ? Object.fromEntries(options) : toJsonFields(parts, options);
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
    const call =
      method === 'POST'
        ? 'post(url, headers=headers, json=fields)'
        : 'get(url, headers=headers, params=fields)';
    const send = !goesOn
      ? [`    async with session.${call} as response:`, '        result = await response.json()']
      : [
          '    result = {"pending": True, "retry_after": 0}',
          '    while result.get("pending"):',
          '        await asyncio.sleep(result["retry_after"])',
          `        async with session.${call} as response:`,
          '            result = await response.json()',
        ];
    return {
      code: [
        linesFor(IMPORTS, parts) + (goesOn ? ', asyncio' : ''),
        '',
        ...(main === null && parts.filledBy === 'long_text' ? LONG_TEXT : []),
        ...request,
        ...send,
        'if not result["ok"]:',
        '    return await message.reply(result["error"])',
        '',
        ...linesFor(AFTER, parts),
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
