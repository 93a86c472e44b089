import { headersOf, listOf, replyLines, writeForm, type FormLines } from './form.ts';
import {
  linesFor,
  mainOrExample,
  takeApart,
  WEBHOOK_PLACEHOLDER,
  webhookSteps,
  whoSetsOff,
  withOption,
  type FormField,
  type Pair,
  type RecipeBook,
} from './recipe.ts';
import { seeIt, TOLD, type Replies } from './seen-in-discord.ts';
import { SAY, wordedChecks } from './sentences.ts';

/** `user_id` → `User Id`, as Zapier names what a step answers. */
function toTitle(key: string): string {
  return key.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => ` ${letter.toUpperCase()}`).trim();
}

const result = (key: string) => `{{${toTitle(key)}}}`;
const path = (condition: string, message: string) =>
  `Path when ${condition}: Discord > Send Channel Message: ${message}`;
const WORKED = 'Path as the fallback';

const CHECKS = wordedChecks(result, path);

/** Lines between the request and the reply. */
const ACT: FormLines = {
  ...CHECKS,
  time_out: [
    path(`${result('user_id')} does not exist`, SAY.noMember('!')),
    path(`${result('duration_seconds')} does not exist`, SAY.noTime('!')),
  ],
  make_role: [],
  send_chunks: [
    `${WORKED}: Looping by Zapier > Create Loop From Line Items over ${result('chunks')}, and Discord > Send Channel Message in it`,
  ],
  show: () => [],
};

const REPLIES: Replies = { ...TOLD, make_emoji: () => 'This picture can be an emoji.' };

const FAILED = `Paths by Zapier after it. ${path(`${result('ok')} is false`, result('error'))}`;

const reply = (text: string) => `${WORKED}: Discord > Send Channel Message: ${text}`;

/** @see https://help.zapier.com/hc/en-us/articles/8496326446989-Send-webhooks-in-Zaps */
export const zapier: RecipeBook = {
  label: 'Zapier',
  checked:
    "Written from Zapier's help pages; Zapier has no public source, so it was not checked in the editor.",
  write(order) {
    const parts = takeApart(order);
    const { method, url, key, mainField, options } = parts;
    const fields: Pair[] = [
      [mainField, parts.main ?? `{{your ${mainField}}}`],
      // Webhooks by Zapier stops the Zap at any other status than 2xx, before it could show the error.
      ...withOption(options, 'always_200', 'true'),
    ];
    return {
      ...writeForm(
        [
          ['App', 'Webhooks by Zapier'],
          ['Event', method],
          ['URL', url],
          ...(method === 'GET'
            ? listOf('Query String Params', fields)
            : ([['Payload Type', 'form'], ...listOf('Data', fields)] satisfies FormField[])),
          ...listOf('Headers', headersOf(key, parts)),
        ],
        [FAILED, ...linesFor(ACT, parts), ...replyLines(parts, REPLIES, result, reply)],
      ),
      language: '',
      before: [
        'Webhooks, Paths and Looping by Zapier belong to its paid plans.',
        ...webhookSteps(
          parts,
          `Put the address in place of ${WEBHOOK_PLACEHOLDER}: share the Zap only without it.`,
        ),
        'Open your Zap and add a step.',
        ...whoSetsOff(parts),
      ],
      afterwards: ['Test the step: its answer is shown beside it.'],
      seen: seeIt(parts, 'message', REPLIES),
      note: `Put the ${mainField} of an earlier step in place of {{your ${mainField}}}, for a first test perhaps “${mainOrExample({ ...parts, main: null })}”. The other words in braces are values of this step. Where the service is away, Zapier stops the Zap and tells you.`,
    };
  },
};
