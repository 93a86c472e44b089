import { headersOf, listOf, showKeys, writeForm, type FormLines } from './form.ts';
import {
  linesFor,
  mainOrExample,
  takeApart,
  withOption,
  type FormField,
  type Pair,
  type RecipeBook,
} from './recipe.ts';
import { seeIt, TOLD } from './seen-in-discord.ts';

const AFTER: FormLines = {
  time_out: ['Then use: User Id, Duration, Reason of this step'],
  make_role: ['Then use: Bitfield of this step'],
  send_chunks: [
    'Then: Looping by Zapier > Create Loop From Line Items over Chunks, and Discord > Send Channel Message in it',
  ],
  make_emoji: ['Then use: Data Uri of this step'],
  list_members: ['Then use: Count and Members of this step'],
  show: (keys) => [`Then use: ${showKeys(keys, toTitle)} of this step`],
};

// Webhooks by Zapier stops the Zap at any other status than 2xx, before it could show the error.
const FAILED = 'First, in Paths by Zapier, when Ok is false, use: Error of this step';

/** `user_id` → `User Id`, as Zapier names what a step answers. */
function toTitle(key: string): string {
  return key.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => ` ${letter.toUpperCase()}`).trim();
}

/** @see https://help.zapier.com/hc/en-us/articles/8496326446989-Send-webhooks-in-Zaps */
export const zapier: RecipeBook = {
  label: 'Zapier',
  checked:
    "Written from Zapier's help pages; Zapier has no public source, so it was not checked in the editor.",
  write(order) {
    const parts = takeApart(order);
    const { method, url, key, mainField, options, needsToken } = parts;
    const fields: Pair[] = [
      [mainField, parts.main ?? `{{your ${mainField}}}`],
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
          ...listOf('Headers', headersOf(key, needsToken)),
        ],
        [FAILED, ...linesFor(AFTER, parts)],
      ),
      language: '',
      before: ['Open your Zap and add a step.'],
      afterwards: ['Test the step: its answer is shown beside it.'],
      seen: seeIt(parts, 'message', TOLD),
      note: `Put the ${mainField} of an earlier step in place of {{your ${mainField}}}, for a first test perhaps “${mainOrExample({ ...parts, main: null })}”.`,
    };
  },
};
