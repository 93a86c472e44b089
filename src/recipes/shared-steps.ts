import { permissionCheck } from '../operations/permission-check/operation.ts';
import type { RecipeOperation } from './recipe-operations.ts';
import type { RecipeWriter } from './recipe-writer.ts';
import { usageOf, type FilledBy, type Recipe, type RecipeParts } from './recipe.ts';
import { KEY_NAME, mainOrExample, WEBHOOK_NAME, WEBHOOK_PLACEHOLDER } from './request-fields.ts';
import { recipePermissionLabel } from './sentences.ts';
import type { CalledBy } from './seen-in-discord.ts';
import { doStep, fill, type Step, type StepKey } from './steps.ts';

// Steps and notes that several builders share.

/** The note in the documents, with what the builder's recipes were checked against. */
export function fullNote({ checked }: RecipeWriter, { note }: Recipe): string {
  return `${note} ${checked}`;
}

/** The step that gives a slash command the option which fills the main field; none when it needs none. */
export function optionSteps(
  parts: RecipeParts,
  [text, role]: readonly [StepKey, StepKey] = ['common.textOption', 'common.roleOption'],
): Step[] {
  const { filledBy, mainField } = parts;
  if (usageOf(parts) === null) return [];
  return [filledBy === 'role' ? doStep(role) : doStep(text, { option: mainField })];
}

/** A note for builders that send the text in the URL, where characters are percent-encoded. */
export const URL_NOTE =
  'The text travels in the URL, and common proxies take URLs of up to 16 KB: about 10,000 characters in English, 2,500 in Russian, 1,700 in Japanese.';

/** A note for builders that cannot go through a list. */
export const ROLES_NOTE =
  'The recipe has a line for each role that it shows, so it stops after five, the oldest ones. Copy a line for more: the answer has `roles_6_role_id`, `roles_6_count` and so on.';

/** A note for builders whose node for Discord pings all users that a chunk mentions. */
export const PINGS_NOTE =
  'A chunk pings whoever it mentions, @everyone too. The recipe of [send](send) posts the same text and pings nobody.';

/** Who can start a flow, in builders that start it on any text of a channel and know no permissions. */
export function channelSteps({ operation }: RecipeParts): Step[] {
  const { permission } = operation.recipe;
  return permission === null
    ? []
    : [doStep('common.onlyChannel', { permission: recipePermissionLabel(permission) })];
}

/** Fields whose example is an id: nobody has the role, the member or the server of the example. */
const IDS: Readonly<Partial<Record<FilledBy, { readonly whose: string; readonly copy: string }>>> = {
  role: { whose: 'a role of your server', copy: 'Copy Role ID' },
  user: { whose: 'a member of your server', copy: 'Copy User ID' },
  guild: { whose: 'the server of your key', copy: 'Copy Server ID' },
};

/**
 * A builder has no value for its variable while the reader tests the request.
 * @param place in Markdown
 * @param calledBy the option of a slash command has no command before it
 */
export function firstTestSteps(parts: RecipeParts, place: string, calledBy: CalledBy): Step[] {
  if (parts.main !== null) return [];
  const id = IDS[parts.filledBy];
  if (id !== undefined) return [doStep('common.firstTestId', { place, ...id })];
  const line = mainOrExample(parts);
  const isOption = calledBy === 'slash' && parts.filledBy === 'line';
  const example = isOption ? line.slice(line.indexOf(' ') + 1) : line;
  return [doStep('common.firstTest', { place, example })];
}

/** The same for builders without variables, whose recipe has the example itself. */
export function ownIdSteps(parts: RecipeParts): Step[] {
  const id = parts.main === null ? IDS[parts.filledBy] : undefined;
  return id === undefined ? [] : [doStep('common.ownId', { example: mainOrExample(parts), ...id })];
}

/** What the reader's bot needs in Discord, where a builder asks Discord for something by itself. */
export function botNeeds({ use }: Pick<RecipeParts, 'use'>): string {
  return use === 'make_emoji'
    ? '*Create Expressions*'
    : '*Timeout Members*, and a role above those of the members';
}

/** How to make the webhook that the recipe posts through, and what to do with its URL. */
export function webhookSteps({ secret }: RecipeParts, ...place: readonly Step[]): Step[] {
  return secret === 'Webhook' ? [doStep('common.webhook'), ...place] : [];
}

/** The lines for the file that holds a bot's secrets, where the key belongs. */
export function environmentSteps(parts: RecipeParts): Step[] {
  return [
    fill('common.env', [['.env', `${KEY_NAME}=${parts.key}`]]),
    ...webhookSteps(parts, fill('common.envWebhook', [['.env', `${WEBHOOK_NAME}=${WEBHOOK_PLACEHOLDER}`]])),
  ];
}

/** Notes about the answers in a builder, in one or two sentences of Markdown each. */
export function answerNotes(
  { recipe }: RecipeOperation,
  { sendsRest = false, asksFirst = false, leavesCommandOut = false }: RecipeWriter,
): readonly string[] {
  if (recipe.use === 'time_out') {
    return [
      asksFirst
        ? 'Before it acts, the recipe asks [permission-check](permission-check) whether the bot may: *Missing Permissions* alone does not say which role has to move. Where the service cannot look, because its bot is not in your server, the recipe goes on without the answer.'
        : `*Missing Permissions* does not say which role has to move; [permission-check](permission-check) does. Before a step that times somebody out or gives a role, ask \`GET ${permissionCheck.path}\` with your bot as \`user_id\`, and \`permission=MODERATE_MEMBERS&target_id=…\` or \`permission=MANAGE_ROLES&target_role_id=…\`. Go on when \`allowed\` is true, or show \`because.text\`.`,
      ...(leavesCommandOut
        ? [
            'The variable of this builder has no command in it, so the recipe sends `args_only=true`. To get the same answer in the form, leave the command out of `text` there and tick `args_only`.',
          ]
        : []),
    ];
  }
  if (recipe.use === 'list_roles') {
    return [
      'The answer has the ids of roles, not their names. In Discord, `<@&…>` around an id shows the name; in the description of an embed it pings nobody.',
    ];
  }
  if (recipe.use !== 'post_text') return [];
  return [
    sendsRest
      ? 'One call posts at most 10 messages. This recipe sends the `rest` of a longer text by itself, with up to 10 calls.'
      : 'One call posts at most 10 messages: 20,000 characters are the most that this recipe can send.',
    '`stopped`: `rest` is the text that is left; send it without `dialect`, and with a new `Idempotency-Key`. `retry_after` says in how many seconds; when it is null, sending it again would not help, or could post twice. When `uncertain` is true, look into the channel first: the first message of the rest may be there already.',
    'A failure has posted nothing. After 429, and after 503 `busy`, run it again in `retry_after` seconds.',
    'The header `Idempotency-Key` makes it safe to send the same request again. Another text needs another key.',
  ];
}
