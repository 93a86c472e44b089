import { linesFor, takeApart, TOKEN_PLACEHOLDER } from './recipe.ts';
import type { Pair, RecipeBook, Uses } from './recipe.ts';

const toParameters = (pairs: readonly Pair[]) => ({
  parameters: pairs.map(([name, value]) => ({ name, value })),
});

/** The list of which each entry becomes an item; null where the answer is the item. */
const LISTS: Uses<string | null> = {
  time_out: null,
  make_role: null,
  send_chunks: 'chunks',
  make_emoji: null,
  list_members: 'members',
  show: ([first, ...others]) => (first?.isList === true && others.length === 0 ? first.key : null),
};

/**
 * Nodes as n8n's canvas takes them from the clipboard.
 * @see https://docs.n8n.io/integrations/builtin/core-nodes/n8n-nodes-base.httprequest/
 */
export const n8n: RecipeBook = {
  label: 'n8n',
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
        options: {},
      },
    };
    const list = linesFor(LISTS, parts);
    const loop = {
      name: 'Each',
      type: 'n8n-nodes-base.splitOut',
      typeVersion: 1,
      position: [220, 0],
      parameters: { fieldToSplitOut: list, options: {} },
    };
    return {
      code: JSON.stringify(
        {
          nodes: list === null ? [request] : [request, loop],
          connections:
            list === null ? {} : { Quartermaster: { main: [[{ node: 'Each', type: 'main', index: 0 }]] } },
        },
        null,
        2,
      ),
      language: 'json',
      note: `Copy it and paste it onto the canvas. It takes \`${mainField}\` of the node before; ${
        list === null ? 'the answer is the output.' : `the node Each gives one item for each of the ${list}.`
      } Better than in the header: keep the key in a credential of the type Header Auth.`,
    };
  },
};
