import type { FilledBy, Pair, RecipeParts } from '../recipe.ts';
import type { RecipeWriter } from '../recipe-writer.ts';
import { restOptions, toJsonFields, withQuery } from '../request-fields.ts';
import { environmentSteps } from '../shared-steps.ts';
import { MENTIONED } from '../seen-in-discord.ts';
import { doStep, paste } from '../steps.ts';
import { writeCode } from './write-code.ts';

const VARIABLES: Readonly<Record<FilledBy, string>> = {
  line: 'message.content',
  text: "message.content.split(/\\s+/).slice(1).join(' ')",
  // Discord's client attaches a text that is too long for a message.
  long_text: String.raw`response ? await response.text() : message.content.replace(/^\S+\s*/, '')`,
  image: 'message.attachments.first()?.url',
  role: 'message.mentions.roles.first()?.id',
  user: 'message.author.id',
  guild: 'message.guildId',
};

/** @see https://discord.js.org/docs/packages/discord.js/stable */
export const discordJs: RecipeWriter = {
  sendsRest: true,
  asksFirst: true,
  checked: 'Checked against discord.js 14, which runs it in our tests.',
  replies: MENTIONED,
  language: 'js',
  begin: (parts) => [
    ...environmentSteps(parts),
    doStep('discordjs.client'),
    paste('discordjs.paste'),
    doStep('discordjs.start', { command: parts.operation.recipe.command }),
  ],
  code(parts) {
    const { operation, url, permissionUrl, main, mainField, filledBy, options } = parts;
    return writeCode(
      'discord-js.js',
      parts,
      {
        VALUE:
          main === null ? VARIABLES[filledBy] : toSource(toJsonFields(parts, [[mainField, main]])[mainField]),
        URL: quote(url),
        QUERY_URL: withQuery(url, options, `${mainField}=\${encodeURIComponent(${mainField})}`),
        PERMISSION_URL: permissionUrl,
        PERMISSION: operation.recipe.permission,
        FIELDS: written(parts, mainField, options),
        REST_FIELDS: written(parts, `${mainField}: result.rest`, restOptions(parts, 'result.channel_id')),
        SHOWN: shown(parts),
      },
      quote,
    );
  },
  note: () => 'For the file in which your `client` is; Node 20.6 and newer.',
};

/** Writes the inside of a template literal that shows keys of the answer, a line each. */
function shown({ operation, use }: RecipeParts): string {
  const keys = typeof use === 'string' ? [] : use;
  const isList = (key: string) => Array.isArray(operation.example.answer[key]);
  return keys
    .map((key) => `${key}: \${result.${key}${isList(key) ? ".join(', ')" : ''}}`)
    .join(String.raw`\n`);
}

/** Writes an object with the fields. @param main source of the first one */
function written(parts: RecipeParts, main: string, options: readonly Pair[]): string {
  const others = Object.entries(toJsonFields(parts, options)).map(
    ([name, each]) => `${name}: ${each === 'result.channel_id' ? each : toSource(each)}`,
  );
  return `{ ${[main, ...others].join(', ')} }`;
}

function toSource(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((each) => quote(String(each))).join(', ')}]`;
  return typeof value === 'string' ? quote(value) : JSON.stringify(value);
}

/** Writes a string literal in single quotes. */
function quote(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1);
  return `'${inner.replaceAll(String.raw`\"`, '"').replaceAll("'", String.raw`\'`)}'`;
}
