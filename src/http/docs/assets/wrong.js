// What went wrong: shows what explains the text that the reader pasted. Loaded when somebody pastes one.
import { all, element, one } from './dom.js';

const ROLE =
  "Server Settings > Roles: give the bot's role the permission, and drag it above the roles that it acts on.";
const ADDRESS =
  'Compare the address with the recipe. If it is right, the service is away: try again in a minute.';

/**
 * Sentences of Discord and of tools, with what causes them most often. A row is shown for each part of its sentence that
 * is between commas, and for the code of Discord.
 */
const FROM_ELSEWHERE = [
  [
    'Missing Permissions, 50013',
    'Discord: the bot lacks a permission in this server or channel, or its role is too low.',
    ROLE,
  ],
  [
    'Missing Access, 50001',
    'Discord: the bot is not in this server, or cannot see the channel.',
    'Add the bot to the server, and give it View Channel where the command is used.',
  ],
  [
    'Unknown Webhook, 10015',
    'Discord: the webhook was deleted, or its address was not copied whole.',
    'Settings of the channel > Integrations > Webhooks: make one, copy its address, and put it where the recipe has it.',
  ],
  [
    'Invalid Form Body, 50035',
    'Discord: a field is not what it takes. Most often the text has more than 2,000 characters, or an id or an address is empty.',
    'Cut a long text with text-splitter, or post it with send. Look whether the variable has a value.',
  ],
  [
    'Cannot send an empty message, 50006',
    'Discord: the text was empty. The variable for the answer has another name, or the request failed.',
    'Copy the name of the variable from the tool, and show error where ok is false.',
  ],
  [
    'The application did not respond, Unknown interaction, 10062',
    'Discord: a slash command has to answer within 3 seconds.',
    'Let the command answer first and act then. Most tools call that defer or thinking.',
  ],
  [
    'Used disallowed intents',
    'Discord: the bot asks for an intent that is off.',
    'Developer Portal > Bot: switch Message Content Intent on.',
  ],
  [
    '[object Object]',
    'The tool shows the whole answer in place of one of its keys.',
    'Add the name of the key, as the recipe has it.',
  ],
  [
    'undefined',
    'The tool: the answer has no key of that name, or no answer came.',
    'Copy the name of the key from Answer below, and show error where ok is false.',
  ],
  [
    'Unexpected token, is not valid JSON',
    'The tool: a page came in place of an answer, from a proxy or another site.',
    ADDRESS,
  ],
  [
    'fetch failed, ECONNREFUSED, ENOTFOUND, ETIMEDOUT, ECONNRESET',
    'The tool: no connection to the service came about.',
    ADDRESS,
  ],
];

/** @type {HTMLElement | null} */
let elsewhere = null;

/** Drawn once, in the look of the tables that are there. */
function drawElsewhere() {
  const titles = ['In Discord or in your tool', 'Why', 'What to do'];
  const rows = FROM_ELSEWHERE.map(([says = '', ...cells]) =>
    element(
      'tr',
      { 'data-known': says.toLowerCase().replaceAll(', ', '\n') },
      element('th', { scope: 'row' }, says),
      ...cells.map((cell) => element('td', {}, cell)),
    ),
  );
  const head = element('tr', {}, ...titles.map((title) => element('th', { scope: 'col' }, title)));
  const table = element(
    'table',
    { class: 'facts' },
    element('thead', {}, head),
    element('tbody', {}, ...rows),
  );
  one('[data-problems]').append(table);
  return table;
}

/** Parts of a pasted text for which a row is shown. @param {HTMLTableRowElement} row */
function knownOf({ id, dataset, cells }) {
  const known = dataset['known'] ?? (id || (cells[0]?.textContent.split(':')[0] ?? ''));
  return plain(known).split('\n');
}

/** Phones write another apostrophe. @param {string} text */
function plain(text) {
  return text.toLowerCase().replaceAll('’', "'");
}

/** @param {string} pasted */
export function explain(pasted) {
  elsewhere ??= drawElsewhere();
  const asked = plain(pasted).trim();
  /** @type {HTMLTableRowElement[]} */
  const rows = all('[data-problems] tbody tr');
  const named = rows.filter((row) => knownOf(row).some((part) => asked.includes(part)));
  const found =
    named.length > 0 ? named : rows.filter(({ textContent }) => plain(textContent).includes(asked));
  // An empty table would say that there is no help.
  const shown = found.length > 0 ? found : rows;
  for (const row of rows) row.hidden = !shown.includes(row);
  for (const table of all('[data-problems] table')) table.hidden = !shown.some((row) => table.contains(row));
  const text =
    found.length === 0
      ? 'That comes from Discord or from your tool, not from this service. Look there, or for one of these:'
      : `${found.length} of ${rows.length}`;
  one('[data-wrong-count]').textContent = asked === '' ? '' : text;
}
