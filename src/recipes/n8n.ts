import { takeApart, TOKEN_PLACEHOLDER, withOption } from './recipe.ts';
import type { Pair, RecipeBook } from './recipe.ts';

const toParameters = (pairs: readonly Pair[]) => ({
  parameters: pairs.map(([name, value]) => ({ name, value })),
});

/**
 * Nodes as n8n's canvas takes them from the clipboard.
 * @see https://docs.n8n.io/integrations/builtin/core-nodes/n8n-nodes-base.httprequest/
 */
export const n8n: RecipeBook = {
  label: 'n8n',
  write(order) {
    const { operation, method, url, key, mainField, main, options, needsToken } = takeApart(order);
    const withFormat = operation === 'image-to-base64' ? withOption(options, 'format', 'data_uri') : options;
    const fields: Pair[] = [[mainField, main ?? `={{ $json.${mainField} }}`], ...withFormat];
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
    const list = operation === 'text-splitter' ? 'chunks' : operation === 'role-members' ? 'members' : null;
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
