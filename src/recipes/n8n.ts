import { linesFor, takeApart, TOKEN_PLACEHOLDER, whoSetsOff } from './recipe.ts';
import type { Pair, RecipeBook, Uses } from './recipe.ts';

const toParameters = (pairs: readonly Pair[]) => ({
  parameters: pairs.map(([name, value]) => ({ name, value })),
});

const to = (node: string) => [{ node, type: 'main', index: 0 }];

/** The list of which each entry becomes an item; null where the answer is the item. */
const LISTS: Uses<string | null> = {
  time_out: null,
  make_role: null,
  send_chunks: 'chunks',
  make_emoji: null,
  list_members: 'members',
  show: ([first, ...others]) => (first?.isList === true && others.length === 0 ? first.key : null),
};

const WORKED = {
  name: 'Worked?',
  type: 'n8n-nodes-base.if',
  typeVersion: 2,
  position: [220, 0],
  parameters: {
    conditions: {
      options: { caseSensitive: true, leftValue: '', typeValidation: 'strict' },
      conditions: [
        {
          leftValue: '={{ $json.ok }}',
          rightValue: '',
          operator: { type: 'boolean', operation: 'true', singleValue: true },
        },
      ],
      combinator: 'and',
    },
    options: {},
  },
};

const FAILED = {
  name: 'Show error',
  type: 'n8n-nodes-base.stopAndError',
  typeVersion: 1,
  position: [440, 100],
  parameters: { errorMessage: '={{ $json.error }}' },
};

/** What to look at before the next node acts. */
const THEN: Uses<readonly string[]> = {
  time_out: ['Add an If: `user_id` and `duration_seconds` are null when a line names no member or no time.'],
  make_role: [],
  send_chunks: [],
  make_emoji: ['Add an If: a picture is an emoji only when `emoji_ok` is true.'],
  list_members: ['Add an If: while `pending` is true, the members are still being counted; ask again later.'],
  show: () => [],
};

/**
 * Nodes as n8n's canvas takes them from the clipboard.
 * @see https://docs.n8n.io/integrations/builtin/core-nodes/n8n-nodes-base.httprequest/
 */
export const n8n: RecipeBook = {
  label: 'n8n',
  checked:
    "Written for HTTP Request 4.2, If 2 and Split Out 1 from n8n's documentation and published workflows; not checked in the editor.",
  write(order) {
    const parts = takeApart(order);
    const { method, url, key, mainField, main, options, needsToken } = parts;
    const fields: Pair[] = [[mainField, main ?? `={{ $json.${mainField} }}`], ...options];
    const headers: Pair[] = [
      ['Authorization', key],
      ...(needsToken ? ([['Token', TOKEN_PLACEHOLDER]] satisfies Pair[]) : []),
    ];
    const request = {
      name: 'Quartermaster',
      type: 'n8n-nodes-base.httpRequest',
      typeVersion: 4.2,
      position: [0, 0],
      parameters: {
        method,
        url,
        sendHeaders: true,
        headerParameters: toParameters(headers),
        ...(method === 'GET'
          ? { sendQuery: true, queryParameters: toParameters(fields) }
          : { sendBody: true, contentType: 'form-urlencoded', bodyParameters: toParameters(fields) }),
        // An answer that is no success has to reach the next node too: it says why.
        options: { response: { response: { neverError: true } } },
      },
    };
    const list = linesFor(LISTS, parts);
    const loop = {
      name: 'Each',
      type: 'n8n-nodes-base.splitOut',
      typeVersion: 1,
      position: [440, -100],
      parameters: { fieldToSplitOut: list, options: {} },
    };
    return {
      code: JSON.stringify(
        {
          nodes: [request, WORKED, ...(list === null ? [] : [loop]), FAILED],
          connections: {
            Quartermaster: { main: [to('Worked?')] },
            'Worked?': { main: [list === null ? [] : to('Each'), to('Show error')] },
          },
        },
        null,
        2,
      ),
      language: 'json',
      before: ['Open your workflow and click an empty place on the canvas.', ...whoSetsOff(parts)],
      afterwards: [
        'Connect the node before with *Quartermaster*, and execute the workflow.',
        ...linesFor(THEN, parts),
      ],
      // It is an automation: what it says in Discord is up to the nodes after it.
      seen: [],
      note: `Copy it and paste it onto the canvas. It takes \`${mainField}\` of the node before; ${
        list === null
          ? 'the answer comes out of Worked?.'
          : `the node Each gives one item for each of the ${list}.`
      } It is safer to keep the key in a credential of the type Header Auth than in the header.`,
    };
  },
};
