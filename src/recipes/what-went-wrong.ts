import { type RecipeWriter, writeRecipe } from './recipe-writer.ts';
import type { BuilderId } from './builders.ts';
import { RECIPE_WRITERS } from './recipe-writers.ts';
import { RECIPE_OPERATIONS, type RecipeOperation } from './recipe-operations.ts';
import { expandRequest, usageOf } from './recipe.ts';
import { KEY_PLACEHOLDER } from './request-fields.ts';
import { SENTENCES, type CommandPrefix } from './sentences.ts';

/** A reply of a recipe's command that did not work. */
export interface Explained {
  /** The reply as people see it. In `Write: !ban`, what is after the colon may have another prefix. */
  readonly says: string;
  /** Markdown, as `what`. */
  readonly why: string;
  /** What to do. */
  readonly what: string;
}

export const OWN_ROLE =
  "*Server Settings > Roles*: give the bot's role the permission, and drag it above the roles that it acts on.";

/** The replies of a failed command of this operation, made with this builder. */
export function whatWentWrong(operation: RecipeOperation, builder: BuilderId): readonly Explained[] {
  const request = { operation, publicUrl: '', key: KEY_PLACEHOLDER, fields: {} };
  const writer: RecipeWriter = RECIPE_WRITERS[builder];
  const code = JSON.stringify(writeRecipe(writer, request).code);
  return sentencesOf(operation, writer.calledBy === 'slash' ? '/' : '!').filter(({ says }) =>
    code.includes(JSON.stringify(says).slice(1, -1)),
  );
}

/** The sentences of all recipes, each once. */
export function allThatWentWrong(): readonly Explained[] {
  const said = RECIPE_OPERATIONS.flatMap((operation) => sentencesOf(operation, '!'));
  return [...new Map(said.map((sentence) => [sentence.says, sentence])).values()];
}

/** No single recipe has all of them. */
function sentencesOf(operation: RecipeOperation, start: CommandPrefix): Explained[] {
  const { permission, use } = operation.recipe;
  const usage = usageOf(expandRequest({ operation, publicUrl: '', key: '', fields: {} }));
  return [
    explain(SENTENCES.forbidden, 'Discord refused it: *Missing Permissions*.', OWN_ROLE),
    explain(
      SENTENCES.unreachable(use),
      'No answer came: the URL is wrong, or the service is away.',
      use === 'post_text'
        ? 'Look into the channel first. Compare the URL with the recipe.'
        : 'Compare the URL with the recipe, and try again in a minute.',
    ),
    ...(permission === null
      ? []
      : [
          explain(
            SENTENCES.needs(permission),
            'The command is for members who have it.',
            'Give it to one of their roles in *Server Settings > Roles*.',
          ),
        ]),
    ...(usage === null || use === 'time_out'
      ? []
      : [explain(usage, 'Something is missing.', 'Write it as shown.')]),
    explain(
      SENTENCES.noMember(start),
      'The line names nobody, or somebody who is not in this server.',
      'Mention the member, or write their id. A name alone is not found.',
    ),
    explain(
      SENTENCES.noTime(start),
      "The line has no time, or one that is longer than Discord's 28 days.",
      'Write a time such as `2h` or `7d` after the member.',
    ),
    explain(
      SENTENCES.above,
      'The member has a role as high as yours or a higher one.',
      'Ask somebody with a higher role, or the owner of the server.',
    ),
    explain(
      SENTENCES.notYours,
      'The role would have permissions that you do not have yourself.',
      'Leave them out, or ask somebody who has them.',
    ),
    explain(
      SENTENCES.noEmoji,
      'Discord takes PNG, JPEG, GIF, WebP and AVIF of at most 256 KB.',
      'Use a smaller picture. Recipes that send `for=emoji` and `fit=true` make it smaller by themselves.',
    ),
    explain(SENTENCES.onlyServers, 'It was a direct message.', 'Write it in a server.'),
    explain(SENTENCES.unreadable, 'Discord did not give the attached file.', 'Attach it again.'),
    explain(
      SENTENCES.failed,
      'The bot has written why to its console.',
      'Look there, and paste that line here.',
    ),
  ];
}

function explain(says: string, why: string, what: string): Explained {
  return { says, why, what };
}
