import { chooseByUse, type Pair, type ByUse } from './recipe.ts';
import type { RecipeWriter } from './recipe-writer.ts';
import { mainOrExample, toJsonFields, TOKEN_PLACEHOLDER, WEBHOOK_NAME, withQuery } from './request-fields.ts';
import { ownIdSteps, webhookSteps } from './shared-steps.ts';
import { doStep, paste } from './steps.ts';

/** A filter of jq that stops with the error if there is one. */
const unlessFailed = (filter: string) => `if .ok then ${filter} else error(.error) end`;

const PIPES: ByUse<string> = {
  time_out: ` \\\n  | jq '${unlessFailed('.user_id, .duration_seconds, .reason')}'`,
  make_role: ` \\\n  | jq -r '${unlessFailed('.bitfield')}'`,
  send_chunks: ` \\\n  | jq -r '${unlessFailed('.chunks[]')}'`,
  make_emoji: [
    ` \\\n  | jq '${unlessFailed('{name: "new_emoji", image: .data_uri}')}'`,
    '  | curl https://discord.com/api/v10/guilds/YOUR_SERVER_ID/emojis',
    `    -H 'Authorization: Bot ${TOKEN_PLACEHOLDER}' -H 'Content-Type: application/json' -d @-`,
  ].join(' \\\n'),
  list_members: ` \\\n  | jq '${unlessFailed('.count')}'`,
  list_roles: ` \\\n  | jq '${unlessFailed('.members, .roles')}'`,
  post_text: ` \\\n  | jq '${unlessFailed('.state, .sent, .total, .reason, .rest')}'`,
  showKeys: (keys) => ` \\\n  | jq '${unlessFailed(keys.map(({ key }) => `.${key}`).join(', '))}'`,
};

const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** @see https://curl.se/docs/manpage.html */
export const curl: RecipeWriter = {
  checked: 'Written from the manuals of curl and jq.',
  replies: null,
  language: 'sh',
  begin: (parts) => [...webhookSteps(parts, doStep('curl.webhook')), paste('curl.paste')],
  fillIn: ownIdSteps,
  code(parts) {
    const { method, url, key, mainField, options, secret } = parts;
    const fields: Pair[] = [[mainField, mainOrExample(parts)], ...options];
    const lines = [
      `curl ${quote(method === 'GET' ? withQuery(url, fields) : url)}`,
      `  -H ${quote(`Authorization: ${key}`)}`,
      ...(secret === 'Token' ? [`  -H ${quote(`Token: ${TOKEN_PLACEHOLDER}`)}`] : []),
      ...(secret === 'Webhook' ? [`  -H "Webhook: $${WEBHOOK_NAME}"`] : []),
      ...(method === 'GET'
        ? []
        : [
            `  -H 'Content-Type: application/json'`,
            `  -d ${quote(JSON.stringify(toJsonFields(parts, fields)))}`,
          ]),
    ];
    return lines.join(' \\\n') + chooseByUse(PIPES, parts);
  },
  note: () => 'For a shell. The last part reads the answer with `jq`; leave it out to see all of it.',
};
