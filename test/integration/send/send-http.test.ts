import { ChannelType } from 'discord-api-types/v10';
import { describe, expect, test } from 'vitest';

import { POST } from './deliveries-setup.ts';
import { longText, startService } from './send-http-setup.ts';

describe('POST /api/send', () => {
  test('posts all of a long text in the channel, in order', async () => {
    const { send, webhook } = await startService();
    const reply = await send({ text: longText(7) });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      ok: true,
      state: 'sent',
      total: 7,
      sent: 7,
      message_ids: webhook.messages.map(({ id }) => id),
      channel_id: webhook.channelId,
      uncertain: false,
      rest: null,
      reason: null,
      retry_after: null,
    });
    expect(webhook.texts.join('\n\n')).toBe(longText(7));
    expect(reply.headers.get('ratelimit-policy')).toBe('"send";q=1000;w=60');
    expect(reply.headers.get('cache-control')).toBe('no-store');
  });

  test('accepts a plain text, a form, and options in the query', async () => {
    const { app, webhook } = await startService();
    const init = { method: 'POST', body: 'plain "text"\nof two lines' };
    const headers = { webhook: webhook.url };
    await app.call('/api/send?username=Bot', {
      ...init,
      headers: { ...headers, 'content-type': 'text/plain' },
    });
    await app.call('/api/send', { method: 'POST', body: new URLSearchParams({ text: 'form' }), headers });
    await app.call('/api/send?text=query', { method: 'POST', headers });
    expect(webhook.texts).toEqual(['plain "text"\nof two lines', 'form', 'query']);
    expect(webhook.authors).toEqual(['Bot', null, null]);
  });

  test.each([
    ['a whole address', (url: string) => url],
    ['the two parts alone', (url: string) => url.slice(url.indexOf('webhooks/') + 9)],
    ['an older address', (url: string) => url.replace('discord.com', 'discordapp.com')],
  ])('accepts %s, and calls only Discord', async (_, write) => {
    const { send, webhook } = await startService();
    expect((await send({ text: 'x' }, { webhook: write(webhook.url) })).status).toBe(200);
    expect(webhook.texts).toEqual(['x']);
  });

  test('posts embeds and components, silently, with pings only on request', async () => {
    const { send, webhook, discord } = await startService();
    await send({ text: longText(8), as: 'embed', silent: true });
    await send({ text: longText(8), as: 'components', mentions: 'users' });
    expect(webhook.messages.map(({ embeds, components }) => [embeds.length, components.length])).toEqual([
      ...Array.from({ length: 4 }, () => [1, 0]),
      ...Array.from({ length: 4 }, () => [0, 1]),
    ]);
    const bodies = discord.rest.callsTo(POST).map(({ body }) => body as Record<string, unknown>);
    expect(bodies[0]).toMatchObject({ flags: 1 << 12, allowed_mentions: { parse: [] } });
    expect(bodies.at(-1)).toMatchObject({ flags: 1 << 15, allowed_mentions: { parse: ['users'] } });
    expect(webhook.texts.join('\n').replaceAll(/\s+/g, ' ')).toBe(
      `${longText(8)}\n\n${longText(8)}`.replaceAll(/\s+/g, ' '),
    );
  });

  test('shows no link previews and pings roles on request', async () => {
    const { send, discord } = await startService();
    const ids = { text: 'x https://a.example <@&123456789012345678>' };
    await send({ ...ids, previews: false, mentions: 'roles' });
    await send({ ...ids, previews: false, silent: true });
    await send({ ...ids, previews: false, as: 'embed' });
    await send({ ...ids, previews: false, as: 'components' });
    await send(ids);
    const bodies = discord.rest.callsTo(POST).map(({ body }) => body as Record<string, unknown>);
    expect(bodies.map(({ flags }) => flags)).toEqual([
      1 << 2,
      (1 << 2) | (1 << 12),
      undefined,
      1 << 15,
      undefined,
    ]);
    expect(bodies[0]).toMatchObject({ allowed_mentions: { parse: ['users', 'roles'] } });
    expect(bodies[1]).toMatchObject({ allowed_mentions: { parse: [] } });
  });

  test('posts in the thread that the URL of the webhook names', async () => {
    const { app, discord, send } = await startService();
    const forum = discord.addWebhook({ guildId: app.guildId, channelType: ChannelType.GuildForum });
    const { body } = await send({ text: 'x', thread_name: 'News' }, { webhook: forum.url });
    const webhook = `${forum.url}?wait=true&thread_id=${String(body['channel_id'])}`;
    const headers = { webhook, 'idempotency-key': 'once' };
    const first = await send({ text: 'y' }, headers);
    expect(first.body).toMatchObject({ state: 'sent', channel_id: body['channel_id'] });
    const again = await send(
      { text: 'y', thread_id: body['channel_id'] },
      { ...headers, webhook: forum.url },
    );
    expect(again.body['message_ids']).toEqual(first.body['message_ids']);
    const both = await send({ text: 'y', thread_name: 'News' }, { webhook });
    expect(both.body).toMatchObject({ status: 400, code: 'invalid_field', field: 'thread_name' });
    expect(both.body['error']).toMatch(/webhook URL/);
    const bad = await send({ text: 'y' }, { webhook: `${forum.url}?thread_id=1` });
    expect(bad.body).toMatchObject({ status: 400, code: 'invalid_field', field: 'thread_id' });
    expect(forum.messages).toHaveLength(2);
  });

  test.each([
    [' https://a.example/x.png ', 'https://a.example/x.png'],
    ['http:a.example', 'http://a.example/'],
    ['HTTPS://A.example/ü b.png', 'https://a.example/%C3%BC%20b.png'],
  ])('sends the picture %j to Discord with the URL that was checked', async (avatar_url, href) => {
    const { send, discord } = await startService();
    expect((await send({ text: 'x', avatar_url })).status).toBe(200);
    expect(discord.rest.callsTo(POST)[0]?.body).toMatchObject({ avatar_url: href });
  });

  test('refuses a URL of a picture of more than 2,048 characters, also as it reaches Discord', async () => {
    const { send, discord } = await startService();
    for (const path of ['a'.repeat(2_032), 'ü'.repeat(400)]) {
      expect((await send({ text: 'x', avatar_url: `http://a.example/${path}` })).body).toMatchObject({
        status: 400,
        code: 'invalid_field',
        field: 'avatar_url',
      });
    }
    expect(discord.rest.calls).toEqual([]);
  });

  test('makes a thread in a forum, and posts all of it there', async () => {
    const { app, discord, send } = await startService();
    const forum = discord.addWebhook({ guildId: app.guildId, channelType: ChannelType.GuildForum });
    const headers = { webhook: forum.url };
    const { body } = await send({ text: longText(3), thread_name: 'News' }, headers);
    expect([...forum.threads.values()]).toEqual(['News']);
    expect(forum.messages).toHaveLength(3);
    expect(body).toMatchObject({ state: 'sent', channel_id: [...forum.threads.keys()][0] });
    expect((await send({ text: 'x' }, headers)).body).toMatchObject({
      status: 400,
      code: 'invalid_field',
      field: 'thread_name',
    });
    expect((await send({ text: 'x', thread_id: body['channel_id'] }, headers)).status).toBe(200);
    expect((await send({ text: 'x', thread_name: 'News' })).body).toMatchObject({
      status: 400,
      field: 'thread_name',
    });
    expect((await send({ text: 'x', thread_id: '123456789012345678' })).body).toMatchObject({
      status: 404,
      code: 'unknown_channel',
      field: 'thread_id',
    });
  });

  test.each([
    [{}, 400, 'missing_field', 'text'],
    [{ text: '' }, 400, 'missing_field', 'text'],
    [{ text: ' \n ' }, 400, 'missing_field', 'text'],
    [{ text: '{message}' }, 400, 'unresolved_placeholder', 'text'],
    [{ text: 'x', details: true }, 400, 'invalid_field', 'details'],
    [{ text: 'x', index: 1 }, 400, 'invalid_field', 'index'],
    [{ text: 'x', final: false }, 400, 'invalid_field', 'final'],
    [{ text: 'x', overflow: 'truncate' }, 400, 'invalid_field', 'overflow'],
    [{ text: 'x', webhook: 'here' }, 400, 'invalid_field', 'webhook'],
    [{ text: 'x', as: 'poem' }, 400, 'invalid_field', 'as'],
    [{ text: 'x', username: 'x'.repeat(81) }, 400, 'invalid_field', 'username'],
    [{ text: 'x', username: '\u200b\u2060\u3164' }, 400, 'invalid_field', 'username'],
    [{ text: 'x', thread_name: '\u200b' }, 400, 'invalid_field', 'thread_name'],
    [{ text: 'x', avatar_url: 'ftp://x.example/a' }, 400, 'invalid_field', 'avatar_url'],
    [{ text: 'x', avatar_url: 'x.png' }, 400, 'invalid_field', 'avatar_url'],
    [{ text: 'x', avatar_url: 'https://x.example/{user}' }, 400, 'unresolved_placeholder', 'avatar_url'],
    [{ text: 'x', thread_id: 1 }, 400, 'invalid_field', 'thread_id'],
    [{ text: 'x', thread_id: '123456789012345678', thread_name: 'x' }, 400, 'invalid_field', 'thread_name'],
    [{ text: 'x', mentions: 'everyone' }, 400, 'invalid_field', 'mentions'],
    [{ text: 'x', mentions: 'users', as: 'embed' }, 400, 'invalid_field', 'mentions'],
    [{ text: 'x', applied_tags: '123456789012345678' }, 400, 'invalid_field', 'applied_tags'],
    [{ text: 'x', thread_name: 'x', applied_tags: 'news' }, 400, 'invalid_field', 'applied_tags'],
    [
      {
        text: 'x',
        thread_name: 'x',
        applied_tags: Array.from({ length: 6 }, (_, at) => `12345678901234567${at}`),
      },
      400,
      'invalid_field',
      'applied_tags',
    ],
  ] as const)('answers %j with %i %s', async (fields, status, code, field) => {
    const { send, discord } = await startService();
    expect((await send(fields)).body).toMatchObject({ ok: false, status, code, field });
    expect(discord.rest.calls).toEqual([]);
  });

  test('says where the ids of tags are, if one is something else', async () => {
    const { send } = await startService();
    const { body } = await send({ text: 'x', thread_name: 'x', applied_tags: 'news' });
    expect(body).toMatchObject({ hint: expect.stringContaining('available_tags') });
  });

  test.each(['<!-- a note -->', '---', '<br>', '&nbsp;', '[a]: https://example.org'])(
    'answers 400 when nothing is left of %s in Discord, and frees its Idempotency-Key for another text',
    async (text) => {
      const { send, discord, webhook } = await startService();
      const key = { 'idempotency-key': 'k-1' };
      expect((await send({ text, dialect: 'github' }, key)).body).toMatchObject({
        status: 400,
        code: 'missing_field',
        field: 'text',
        error: 'Nothing in this text can be shown in Discord.',
      });
      expect(discord.rest.calls).toEqual([]);
      expect((await send({ text: 'shown' }, key)).status).toBe(200);
      expect(webhook.texts).toEqual(['shown']);
    },
  );

  test('answers 422 for a text of more messages than the caller accepts', async () => {
    const { send, discord } = await startService();
    const { body } = await send({ text: longText(3), max_chunks: 2 });
    expect(body).toMatchObject({ status: 422, code: 'too_many_chunks', field: 'max_chunks' });
    expect(discord.rest.calls).toEqual([]);
  });

  test("answers 413 for a text that is too long in Discord's Markdown for its rest to be sent again", async () => {
    const { send, discord, webhook } = await startService();
    const text = 'a__b__ '.repeat(11_143);
    const { body } = await send({ text, dialect: 'github' });
    expect(body).toMatchObject({ status: 413, code: 'text_too_long', field: 'text' });
    expect(body['error']).toMatch(/has 1\d{5} characters, but at most 100000 /);
    expect(body['hint']).toContain('two parts');
    expect(discord.rest.calls).toEqual([]);
    // What grows less, and code whose back-ticks are separated, goes on with its rest.
    for (const fields of [
      { text: text.slice(0, 60_000), dialect: 'github' },
      { text: '```'.repeat(30_000), mode: 'code' },
    ]) {
      const first = await send(fields);
      expect(first.body).toMatchObject({ state: 'stopped', sent: 10, retry_after: 0 });
      const { mode } = fields;
      expect((await send({ text: first.body['rest'], mode })).body).toMatchObject({
        state: 'stopped',
        sent: 10,
      });
    }
    expect(webhook.messages).toHaveLength(40);
  });

  test('answers 405 to GET and HEAD, posts nothing, and names the right method', async () => {
    const { app, discord, webhook } = await startService();
    for (const method of ['GET', 'HEAD']) {
      const reply = await app.call('/api/send?text=x', { method, headers: { webhook: webhook.url } });
      expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    }
    expect(discord.rest.calls).toEqual([]);
  });

  test('gives the first message of a forum its tags, repeated or with commas', async () => {
    const { app, discord, send } = await startService();
    const forum = discord.addWebhook({ guildId: app.guildId, channelType: ChannelType.GuildForum });
    const tags = ['123456789012345678', '223456789012345678'];
    for (const applied_tags of [tags, tags.join(',')]) {
      await send({ text: longText(2), thread_name: 'News', applied_tags }, { webhook: forum.url });
    }
    const bodies = discord.rest.callsTo(POST).map(({ body }) => body as Record<string, unknown>);
    expect(bodies.map(({ applied_tags }) => applied_tags)).toEqual([tags, undefined, tags, undefined]);
  });

  test.each([
    [50_083, 'thread_id', 'The thread is closed.'],
    [40_067, 'applied_tags', 'This forum requires a tag on new threads.'],
    [200_000, 'text', "The server's AutoMod blocked this text."],
    [200_001, 'thread_name', "The server's AutoMod blocked the name of the thread."],
    [240_000, 'text', 'Discord considers a link in this text harmful.'],
    [50_006, null, 'Discord rejected this message.'],
  ])("explains Discord's code %i", async (code, field, error) => {
    const { send, discord } = await startService();
    discord.rest.faults.fail(POST, 400, { code });
    const { body } = await send({ text: 'x' });
    expect(body).toMatchObject({ status: 400, code: 'invalid_field', field, error });
    expect(body['hint'] === null).toBe(field === null);
  });

  test('names the place in the text that Discord refused, without the words of Discord', async () => {
    const { send, discord } = await startService();
    const refusal = { _errors: [{ code: 'X', message: 'secret words' }] };
    const errors = { embeds: { 0: { description: refusal } } };
    const text = JSON.stringify({ code: 50_035, message: 'secret words', errors });
    discord.rest.faults.garble(POST, { status: 400, text });
    const first = await send({ text: 'hello', as: 'embed' });
    const place = 'Discord rejected the field text. It is about this place: the description of embed 1.';
    expect(first.body).toMatchObject({ code: 'invalid_field', field: 'text', error: place });
    // The second message is refused after the first one has arrived, and a repetition says the same.
    const key = { 'idempotency-key': 'k' };
    let posts = 0;
    discord.rest.faults.choose(POST, () => {
      posts += 1;
      return posts === 2 ? { kind: 'text', status: 400, contentType: 'application/json', text } : null;
    });
    const long = { text: longText(7), as: 'embed' };
    const stopped = await send(long, key);
    expect(stopped.body).toMatchObject({
      state: 'stopped',
      sent: 1,
      reason:
        'Discord rejected the field text. Message 2 of 3 and what follows it were not posted. It is about this place: the description of embed 1.',
    });
    expect((await send(long, key)).body).toEqual(stopped.body);
  });

  test('takes the webhook from its header alone', async () => {
    const { app, send, discord, webhook } = await startService();
    const missing = await app.postJson('/api/send', { text: 'x' });
    expect(missing.body).toMatchObject({ status: 400, code: 'missing_field', field: 'Webhook' });
    const bad = await send({ text: 'x' }, { webhook: `${webhook.url}/slack` });
    expect(bad.body).toMatchObject({ status: 400, code: 'token_malformed', field: 'Webhook' });
    expect(bad.text).not.toContain(webhook.token);
    const foreign = webhook.url.replace('discord.com', 'discord.example');
    expect((await send({ text: 'x' }, { webhook: foreign })).body).toMatchObject({ code: 'token_malformed' });
    for (const query of [
      `webhook=${webhook.url}`,
      `text=${encodeURIComponent(`see ${webhook.url}`)}`,
      `x=${webhook.id}%2F${webhook.token}`,
    ]) {
      const reply = await app.call(`/api/send?${query}`, {
        method: 'POST',
        headers: { webhook: webhook.url },
      });
      expect(reply.body).toMatchObject({ status: 400, code: 'secret_in_url' });
      expect(reply.body['hint']).toContain('a webhook URL in Webhook');
    }
    expect(discord.rest.calls).toEqual([]);
    // In a text it is text.
    expect((await send({ text: `see ${webhook.url}` })).status).toBe(200);
  });

  test.each(['webhook', 'Webhook', 'WEBHOOK'])('refuses a webhook in the body as %s', async (name) => {
    const { app, discord, webhook } = await startService();
    const reply = await app.postJson('/api/send', { text: 'x', [name]: webhook.url });
    expect(reply.body).toMatchObject({
      status: 400,
      code: 'invalid_field',
      field: 'webhook',
      hint: expect.stringContaining('in the header Webhook'),
    });
    expect(reply.text).not.toContain(webhook.token);
    expect(discord.rest.calls).toEqual([]);
  });

  test('counts in a bucket of its own', async () => {
    const { app, send } = await startService({ SEND_RATE_LIMIT: '2' });
    await send({ text: 'x' });
    await send({ text: 'x' });
    const refused = await send({ text: 'x' });
    expect(refused.body).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(refused.headers.get('ratelimit')).toMatch(/^"send";r=0;/);
    expect((await app.call('/api/key')).body['sends_per_minute']).toBe(2);
  });
});

describe('a text of more than ten messages', () => {
  test('stops after ten with its rest, and each call with the rest sends the next ten', async () => {
    const { send, webhook } = await startService();
    const text = longText(25);
    const first = await send({ text });
    const total = Number(first.body['total']);
    expect(total).toBeGreaterThan(20);
    expect([first.status, first.body]).toMatchObject([
      200,
      { state: 'stopped', sent: 10, uncertain: false, retry_after: 0 },
    ]);
    expect(first.body['reason']).toMatch(/at most 10 messages/);
    const second = await send({ text: first.body['rest'] });
    expect(second.body).toMatchObject({ state: 'stopped', total: total - 10, sent: 10, retry_after: 0 });
    const third = await send({ text: second.body['rest'] });
    expect(third.body).toMatchObject({ state: 'sent', sent: total - 20, rest: null, retry_after: null });
    // A paragraph may be cut between two words, so the white space there is not the same.
    expect(webhook.texts.join(' ').split(/\s+/)).toEqual(text.split(/\s+/));
  });

  test('is refused with a counter before anything is posted, because its numbers would begin again', async () => {
    const { send, discord, webhook } = await startService();
    const counted = { counter: '({i}/{n})' };
    expect((await send({ text: longText(11), ...counted })).body).toMatchObject({
      status: 422,
      code: 'too_many_chunks',
      field: 'counter',
    });
    expect(discord.rest.calls).toEqual([]);
    expect((await send({ text: longText(9), ...counted })).body).toMatchObject({ state: 'sent' });
    expect(webhook.texts.at(-1)).toContain('/9)');
  });

  test.each(['embed', 'components'] as const)(
    'is sent as %s with about twice as much in a message',
    async (as) => {
      const { send } = await startService();
      const { body } = await send({ text: longText(30), as });
      expect(body).toMatchObject({ state: 'stopped', sent: 10, retry_after: 0 });
      expect((await send({ text: body['rest'], as })).body).toMatchObject({ state: 'sent' });
    },
  );

  test('makes its thread with the first call, and the rest follows into it', async () => {
    const { app, discord, send } = await startService();
    const forum = discord.addWebhook({ guildId: app.guildId, channelType: ChannelType.GuildForum });
    const headers = { webhook: forum.url };
    const { body } = await send({ text: longText(12), thread_name: 'News' }, headers);
    const { rest, channel_id: thread_id } = body;
    expect((await send({ text: rest, thread_id }, headers)).body).toMatchObject({ state: 'sent' });
    expect([...forum.threads.values()]).toEqual(['News']);
    expect(forum.texts.join('\n\n')).toBe(longText(12));
  });

  test('gets the first response, with the rest, when it is sent again with its Idempotency-Key', async () => {
    const { send, webhook } = await startService();
    const key = { 'idempotency-key': 'k-1' };
    const first = await send({ text: longText(12) }, key);
    expect((await send({ text: longText(12) }, key)).body).toEqual(first.body);
    expect(webhook.messages).toHaveLength(10);
  });

  test('is not posted twice when its caller disconnects before the response', async () => {
    const { app, discord, webhook, send } = await startService();
    const gate = discord.rest.faults.hold(POST);
    const leaving = new AbortController();
    const key = { 'idempotency-key': 'k-1' };
    const first = app
      .call('/api/send', {
        method: 'POST',
        body: 'once',
        headers: { ...key, webhook: webhook.url, 'content-type': 'text/plain' },
        signal: leaving.signal,
      })
      .catch(() => null);
    await gate.reached;
    leaving.abort();
    expect(await first).toBeNull();
    const again = send({ text: 'once' }, key);
    gate.release();
    expect((await again).body).toMatchObject({ state: 'sent', sent: 1 });
    expect(webhook.texts).toEqual(['once']);
  });
});

describe('the rest of a text that was stopped', () => {
  test('begins with the marks that are open there, and completes the text when it is sent', async () => {
    const { send, discord, webhook } = await startService();
    const code = Array.from({ length: 200 }, (_, line) => `const line${line} = ${line};`).join('\n');
    const text = `Before\n\`\`\`js\n${code}\n\`\`\`\n**after**`;
    await send({ text: 'first' });
    const gate = discord.rest.faults.hold(POST);
    const sending = send({ text, dialect: 'github', prepend: 'More:', counter: '({i}/{n})' });
    await gate.reached;
    discord.rest.faults.drop(POST);
    gate.release();
    const stopped = (await sending).body;
    expect(stopped).toMatchObject({ state: 'stopped', sent: 1, uncertain: true });
    expect(String(stopped['rest'])).toMatch(/^```js\nconst line\d+/);
    const rest = await send({ text: stopped['rest'] });
    expect(rest.body).toMatchObject({ state: 'sent' });
    const lines = webhook.texts.join('\n').match(/const line\d+ = \d+;/g);
    expect(lines).toEqual(code.split('\n'));
    expect(webhook.texts.at(-1)).toContain('**after**');
  });

  test('stays code when all of the text is code, to be sent with the same mode', async () => {
    const { send, discord, webhook } = await startService();
    const code = Array.from({ length: 200 }, (_, line) => `line ${line} of this`).join('\n');
    const gate = discord.rest.faults.hold(POST);
    const sending = send({ text: code, mode: 'code', language: 'txt' });
    await gate.reached;
    discord.rest.faults.drop(POST);
    gate.release();
    const { rest } = (await sending).body;
    await send({ text: rest, mode: 'code', language: 'txt' });
    expect(webhook.texts.join('\n').match(/line \d+ of this/g)).toEqual(code.split('\n'));
    expect(webhook.texts.join('\n').match(/```txt/g)).toHaveLength(webhook.texts.length);
  });

  test('stays the same code when it contains back-ticks', async () => {
    const { send } = await startService();
    const code = Array.from({ length: 400 }, (_, at) => `${at} \`\`\`\` ${'x'.repeat(80)}`).join('\n');
    const { body } = await send({ text: code, mode: 'code' });
    expect(body).toMatchObject({ state: 'stopped', sent: 10 });
    expect(code.endsWith(String(body['rest']))).toBe(true);
    expect(String(body['rest'])).toMatch(/^\d+ ````/);
  });
});

describe('the header Idempotency-Key', () => {
  test('posts once, and is a conflict with another text, another webhook or another option', async () => {
    const { app, send, discord, webhook } = await startService();
    const key = { 'idempotency-key': '"k-1"' };
    const first = await send({ text: 'once' }, key);
    const again = await send({ text: 'once', flat: false }, key);
    expect(again.body).toEqual(first.body);
    expect((await send({ text: 'once', flat: true }, key)).body['message_ids_1']).toBe(
      webhook.messages[0]?.id,
    );
    const other = discord.addWebhook({ guildId: app.guildId });
    for (const attempt of [
      send({ text: 'twice' }, key),
      send({ text: 'once', silent: true }, key),
      send({ text: 'once' }, { ...key, webhook: other.url }),
    ]) {
      expect((await attempt).body).toMatchObject({ status: 409, code: 'idempotency_conflict' });
    }
    expect(webhook.texts).toEqual(['once']);
    expect(other.texts).toEqual([]);
  });

  test.each([
    [{}, { max_length: 2000 }],
    [{}, { max_length: 4096 }],
    [{}, { language: 'js', tables: 'list', latex: true }],
    [{ as: 'embed' }, { as: 'embed', max_length: 4096 }],
    [{ as: 'components' }, { as: 'components', max_length: 'text_display' }],
  ])('counts %j and %j as the same input', async (first, second) => {
    const { send, webhook } = await startService();
    const key = { 'idempotency-key': 'k-1' };
    const sent = await send({ text: 'once', ...first }, key);
    expect((await send({ text: 'once', ...second }, key)).body).toEqual(sent.body);
    expect(webhook.messages).toHaveLength(1);
  });

  test.each([
    [{}, { max_length: 1999 }],
    [{ as: 'embed' }, { as: 'embed', max_length: 2000 }],
    [{ mode: 'code' }, { mode: 'code', language: 'js' }],
    [{ dialect: 'github' }, { dialect: 'github', tables: 'list' }],
  ])('treats %j and %j as a conflict', async (first, second) => {
    const { send, webhook } = await startService();
    const key = { 'idempotency-key': 'k-1' };
    await send({ text: 'once', ...first }, key);
    expect((await send({ text: 'once', ...second }, key)).body).toMatchObject({
      status: 409,
      code: 'idempotency_conflict',
    });
    expect(webhook.messages).toHaveLength(1);
  });

  test.each([
    ['with a space', 'a b'],
    ['too long', 'x'.repeat(256)],
  ])('is refused %s', async (_, key) => {
    const { send } = await startService();
    expect((await send({ text: 'x' }, { 'idempotency-key': key })).body).toMatchObject({
      status: 400,
      code: 'invalid_field',
      field: 'Idempotency-Key',
    });
  });
});
