import { isProblemKey, sentenceOf, type ProblemKey } from '../../../kernel/problem.ts';
import SENTENCES from '../../../kernel/problems.en.json' with { type: 'json' };
import { OWN_ROLE, type Explained } from '../../../recipes/what-went-wrong.ts';
import { html } from './layout.ts';
import { explainedTable, problemTable } from './tables.ts';

const ADDRESS =
  'Compare the address with the recipe. If it is right, the service is away: try again in a minute.';

/** Sentences of Discord and of tools, with what causes them most often. One is known by each part between its commas. */
const FROM_ELSEWHERE: readonly Explained[] = [
  {
    says: 'Missing Permissions, 50013',
    why: 'Discord: the bot lacks a permission in this server or channel, or its role is too low.',
    what: OWN_ROLE,
  },
  {
    says: 'Missing Access, 50001',
    why: 'Discord: the bot is not in this server, or cannot see the channel.',
    what: 'Add the bot to the server, and give it View Channel where the command is used.',
  },
  {
    says: 'Unknown Webhook, 10015',
    why: 'Discord: the webhook was deleted, or its address was not copied whole.',
    what: 'Settings of the channel > Integrations > Webhooks: make one, copy its address, and put it where the recipe has it.',
  },
  {
    says: 'Invalid Form Body, 50035',
    why: 'Discord: a field is not what it takes. Most often the text has more than 2,000 characters, or an id or an address is empty.',
    what: 'Cut a long text with text-splitter, or post it with send. Check that the variable has a value.',
  },
  {
    says: 'Cannot send an empty message, 50006',
    why: 'Discord: the text was empty. The variable for the answer has another name, or the request failed.',
    what: 'Copy the name of the variable from the tool, and show error where ok is false.',
  },
  {
    says: 'The application did not respond, Unknown interaction, 10062',
    why: 'Discord: a slash command has to answer within 3 seconds.',
    what: 'Let the command answer first and act then. Most tools call that defer or thinking.',
  },
  {
    says: 'Used disallowed intents',
    why: 'Discord: the bot asks for an intent that is off.',
    what: 'Developer Portal > Bot: switch Message Content Intent on.',
  },
  {
    says: '[object Object]',
    why: 'The tool shows the whole answer in place of one of its keys.',
    what: 'Add the name of the key, as the recipe has it.',
  },
  {
    says: 'undefined',
    why: 'The tool: the answer has no key of that name, or no answer came.',
    what: 'Copy the name of the key from Answer below, and show error where ok is false.',
  },
  {
    says: 'Unexpected token, is not valid JSON',
    why: 'The tool: a page came in place of an answer, from a proxy or another site.',
    what: ADDRESS,
  },
  {
    says: 'fetch failed, ECONNREFUSED, ENOTFOUND, ETIMEDOUT, ECONNRESET',
    why: 'The tool: it could not connect to the service.',
    what: ADDRESS,
  },
];

/** A shorter one is in many texts that have nothing to do with it. */
const SENTENCE_LENGTH_MIN = 12;

/**
 * What can come back beyond what the page of an operation lists: our own sentences word for word, and those of Discord
 * and of tools. The page gets it when somebody pastes one.
 */
export function moreSentences(): string {
  return html`<div data-word-for-word>${problemTable(wordForWord(), false)}</div>
    ${explainedTable(FROM_ELSEWHERE, 'In Discord or in your tool')}`.html;
}

/** A key of each sentence. The first one with a sentence is the most general. */
function wordForWord(): readonly ProblemKey[] {
  const keys = Object.keys(SENTENCES).filter(isProblemKey);
  const first = new Map(keys.toReversed().map((key) => [sentenceOf(key).error, key]));
  return [...first].filter(([error]) => error.length >= SENTENCE_LENGTH_MIN).map(([, key]) => key);
}
