import type { FilledBy, Pair, RecipeParts } from '../recipe.ts';
import type { RecipeWriter } from '../recipe-writer.ts';
import type { RecipePermission } from '../recipe-definition.ts';
import { CALLS_MAX, restOptions, toJsonFields } from '../request-fields.ts';
import { environmentSteps } from '../shared-steps.ts';
import { MENTIONED } from '../seen-in-discord.ts';
import { doStep, paste } from '../steps.ts';
import { writeCode } from './write-code.ts';

const VARIABLES: Readonly<Record<FilledBy, string>> = {
  line: 'ctx.message.content',
  text: 'ctx.message.content.partition(" ")[2]',
  // The template reads the attachment, because Discord's client attaches a text that is too long for a message.
  long_text: 'text',
  image: 'ctx.message.attachments[0].url if ctx.message.attachments else ""',
  role: 'str(ctx.message.role_mentions[0].id) if ctx.message.role_mentions else ""',
  user: 'str(ctx.author.id)',
  guild: 'str(ctx.guild.id)',
};

/** As discord.py names them. */
const PERMISSIONS: Readonly<Record<RecipePermission, string>> = {
  // Only newer versions of discord.py have the permission's newer name.
  ManageGuildExpressions: 'manage_emojis_and_stickers',
  ManageMessages: 'manage_messages',
  ManageRoles: 'manage_roles',
  ModerateMembers: 'moderate_members',
};

/** @see https://discordpy.readthedocs.io/en/stable/ext/commands/commands.html */
export const discordPy: RecipeWriter = {
  sendsRest: true,
  asksFirst: true,
  checked: 'Checked against discord.py 2.2, which runs it in our tests.',
  replies: MENTIONED,
  language: 'python',
  begin: (parts) => [
    ...environmentSteps(parts),
    doStep('discordpy.client'),
    paste('discordpy.paste'),
    doStep('discordpy.start', { command: parts.operation.recipe.command }),
  ],
  code(parts) {
    const { url, permissionUrl, main, mainField, filledBy, options } = parts;
    const { permission } = parts.operation.recipe;
    return writeCode(
      'discord-py.py',
      parts,
      {
        VALUE:
          main === null ? VARIABLES[filledBy] : toPython(valuesOf(parts, [[mainField, main]])[mainField]),
        URL: toPython(url),
        PERMISSION_URL: toPython(permissionUrl),
        PERMISSION: permission === null ? null : PERMISSIONS[permission],
        FIELDS: written(parts, mainField, options),
        REST_FIELDS: written(parts, 'result["rest"]', restOptions(parts, 'result["channel_id"]')),
        SHOWN: shown(parts),
        CALLS_END: String(CALLS_MAX + 1),
      },
      toPython,
    );
  },
  note: () => 'For the file in which your `bot` is; aiohttp comes with discord.py.',
};

/** Writes an expression that shows keys of the answer, a line each. */
function shown({ operation, use }: RecipeParts): string {
  const keys = typeof use === 'string' ? [] : use;
  const isList = (key: string) => Array.isArray(operation.example.answer[key]);
  return keys
    .map((key) =>
      isList(key) ? `"${key}: " + ", ".join(result["${key}"])` : `"${key}: " + str(result["${key}"])`,
    )
    .join(String.raw` + "\n" + `);
}

/** Writes a dictionary with the fields. @param main source of the value of the first one */
function written(parts: RecipeParts, main: string, options: readonly Pair[]): string {
  const others = Object.entries(valuesOf(parts, options)).map(
    ([name, each]) => `"${name}": ${each === 'result["channel_id"]' ? each : toPython(each)}`,
  );
  return `{${[`"${parts.mainField}": ${main}`, ...others].join(', ')}}`;
}

/** A query has only strings. */
function valuesOf(parts: RecipeParts, pairs: readonly Pair[]): Readonly<Record<string, unknown>> {
  return parts.method === 'GET' ? Object.fromEntries(pairs) : toJsonFields(parts, pairs);
}

/** JSON is valid Python except for three words. */
function toPython(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(toPython).join(', ')}]`;
  return JSON.stringify(value) ?? 'None';
}
