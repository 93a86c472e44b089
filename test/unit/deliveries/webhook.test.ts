import { expect, test } from 'vitest';

import { parseWebhook } from '../../../src/deliveries/webhook.ts';

const ID = '123456789012345678';
const TOKEN = 'aB-_'.repeat(17);
const WEBHOOK = { id: ID, token: TOKEN };

test.each([
  `https://discord.com/api/webhooks/${ID}/${TOKEN}`,
  `http://discord.com/api/webhooks/${ID}/${TOKEN}/`,
  `https://discordapp.com/api/webhooks/${ID}/${TOKEN}`,
  `https://ptb.discord.com/api/webhooks/${ID}/${TOKEN}`,
  `https://canary.discord.com/api/v10/webhooks/${ID}/${TOKEN}`,
  `discord.com/api/webhooks/${ID}/${TOKEN}`,
  `  ${ID}/${TOKEN}  `,
])('the address %s is understood', (header) => {
  expect(parseWebhook(header)).toEqual(WEBHOOK);
});

test.each([
  `https://discord.com/api/webhooks/${ID}/${TOKEN}?wait=true`,
  `https://discord.com/api/webhooks/${ID}/${TOKEN}/slack`,
  `https://discord.com/api/webhooks/${ID}/${TOKEN}/github`,
  `https://discord.com/api/webhooks/${ID}`,
  `https://discord.com.evil.example/api/webhooks/${ID}/${TOKEN}`,
  `https://evil.example/api/webhooks/${ID}/${TOKEN}`,
  `https://evil.example/https://discord.com/api/webhooks/${ID}/${TOKEN}`,
  `https://me@discord.com/api/webhooks/${ID}/${TOKEN}`,
  `https://discord.com:444/api/webhooks/${ID}/${TOKEN}`,
  `discord.com${ID}/${TOKEN}`,
  `${ID}/${TOKEN.slice(0, 59)}`,
  `${ID}/${TOKEN}${TOKEN}`,
  `${ID}/${TOKEN}/../x`,
  `1234/${TOKEN}`,
  '{webhook}',
  'x'.repeat(60_000),
])('%s is refused without an echo', (header) => {
  const attempt = () => parseWebhook(header);
  expect(attempt).toThrow(expect.objectContaining({ code: 'token_malformed', field: 'Webhook' }));
  expect(attempt).not.toThrow(TOKEN);
});

test.each([null, '', '  '])('without one the header is missing: %j', (header) => {
  expect(() => parseWebhook(header)).toThrow(
    expect.objectContaining({ code: 'missing_field', field: 'Webhook' }),
  );
});
