import { expect, test } from 'vitest';

import { parseWebhook } from '../../../src/deliveries/webhook.ts';
import { SECRET_HEADERS } from '../../../src/operations/secret-headers.ts';

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
  `"https://discord.com/api/webhooks/${ID}/${TOKEN}"`,
  `'${ID}/${TOKEN}'`,
  ` < https://discord.com/api/webhooks/${ID}/${TOKEN} > `,
])('the URL %s is understood', (header) => {
  expect(parseWebhook(header)).toEqual({ webhook: WEBHOOK, threadId: null });
});

test.each([
  `https://discord.com/api/webhooks/${ID}/${TOKEN}?wait=true&with_components=true`,
  `https://discord.com/api/webhooks/${ID}/${TOKEN}?thread_id=${ID}&thread_id=${ID}`,
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
  `"${ID}/${TOKEN}`,
  `<${ID}/${TOKEN}"`,
  `1234/${TOKEN}`,
  '{webhook}',
  'x'.repeat(60_000),
])('%s is refused without an echo', (header) => {
  const attempt = () => parseWebhook(header);
  expect(attempt).toThrow(expect.objectContaining({ code: 'token_malformed', field: 'Webhook' }));
  expect(attempt).not.toThrow(TOKEN);
});

test.each([null, '', '  '])('a missing URL is reported as a missing header: %j', (header) => {
  expect(() => parseWebhook(header)).toThrow(
    expect.objectContaining({ code: 'missing_field', field: 'Webhook' }),
  );
});

test.each([
  ['?wait=true', null],
  ['?thread_id=223456789012345678', '223456789012345678'],
  ['/?wait=true&thread_id=223456789012345678', '223456789012345678'],
])('a thread may follow the URL: %j', (query, threadId) => {
  expect(parseWebhook(`https://discord.com/api/webhooks/${ID}/${TOKEN}${query}`)).toEqual({
    webhook: WEBHOOK,
    threadId,
  });
});

test.each(['?thread_id=12', '?thread_id='])('an invalid thread is reported by name: %j', (query) => {
  expect(() => parseWebhook(`${ID}/${TOKEN}${query}`)).toThrow(
    expect.objectContaining({ code: 'invalid_field', field: 'thread_id' }),
  );
});

test('URLs for the formats of other services get a sentence of their own', () => {
  expect(() => parseWebhook(`${ID}/${TOKEN}/slack`)).toThrow(/Slack/);
});

test('a URL is understood up to the length that OpenAPI names', () => {
  const url = `https://discord.com/api/webhooks/${ID}/${TOKEN}?wait=`;
  const longest = url.padEnd(SECRET_HEADERS.Webhook.lengthMax, '1');
  expect(parseWebhook(longest)).toEqual({ webhook: WEBHOOK, threadId: null });
  expect(() => parseWebhook(`${longest}1`)).toThrow(expect.objectContaining({ code: 'token_malformed' }));
});
