import { once } from 'node:events';
import { get, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import express, { type Response } from 'express';
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { answerWith } from '../../../src/http/answer/write-answer.ts';
import { SUCCESS_TYPE, toJsonText, writeJson } from '../../../src/http/answer/write-json.ts';
import { beginRequest } from '../../../src/http/middleware/begin-request.ts';
import type { StreamedValue } from '../../../src/kernel/streamed-value.ts';
import { MemberIndex } from '../../../src/members/index/member-index.ts';
import { countPerIteration } from '../../fixtures/iteration-counter.ts';
import { quickOrFull } from '../../fixtures/full-run.ts';
import { settle } from '../../fixtures/settle.ts';
import { rolePage } from '../../fixtures/role-page.ts';

/** Several times what a connection holds. */
const PIECES = 400;
const PIECE_BYTES = 64 * 1024;
/** Enough for a reader that stops after each chunk. */
const SENT_PIECES = quickOrFull(150, PIECES);

/** A number with very many digits; `onPiece` sees each piece that is made. */
function longNumber(onPiece = (_made: number) => {}, pieces = PIECES): StreamedValue {
  return {
    toJSON: () => 0,
    *jsonBytes() {
      for (let made = 0; made < pieces; made += 1) {
        onPiece(made);
        yield Buffer.alloc(PIECE_BYTES, String(made % 10));
      }
    },
    jsonByteLength: pieces * PIECE_BYTES,
  };
}

const LONG_NUMBER = Array.from({ length: PIECES }, (_, made) => String(made % 10).repeat(PIECE_BYTES)).join(
  '',
);

/** Serves one body. @returns what `read` makes of the answer */
async function send<Result>(
  body: Readonly<Record<string, unknown>>,
  read: (answer: IncomingMessage) => Promise<Result>,
  method = 'GET',
): Promise<Result> {
  const app = express().use((_request, response) => writeJson(response, SUCCESS_TYPE, body));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const asked = request({ port: (server.address() as AddressInfo).port, method }).end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return await read(answer);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function iterations(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await new Promise((resolve) => setImmediate(resolve));
}

test('a streamed value is sent whole, though its reader stops again and again', async () => {
  const sent = await send(
    { ok: true, large: longNumber(undefined, SENT_PIECES), after: 1 },
    async (answer) => {
      let read = '';
      for await (const chunk of answer as AsyncIterable<Buffer>) {
        read += chunk.toString('latin1');
        await iterations(3);
      }
      return read;
    },
  );
  const number = LONG_NUMBER.slice(0, SENT_PIECES * PIECE_BYTES);
  expect(sent === `{"ok":true,"large":${number},"after":1}`).toBe(true);
});

test('a reader who stops delays what the connection holds, and the rest is made when it reads on', async () => {
  let made = 0;
  const large = longNumber((piece) => (made = piece));
  const sent = await send({ large }, async (answer) => {
    let before = -1;
    while (before !== made) {
      before = made;
      await iterations(50);
    }
    expect(made).toBeLessThan(PIECES / 2);
    return text(answer);
  });
  expect(sent.length).toBe('{"large":}'.length + LONG_NUMBER.length);
});

test('a value that fails half-way ends the response, so half of it never looks complete', async () => {
  const large = longNumber((made) => {
    if (made === 10) throw new Error('There is no more of it.');
  });
  await expect(send({ large }, text)).rejects.toThrow('aborted');
});

test('long responses that are ready together begin one in each iteration of the event loop', async () => {
  const allAsked = Promise.withResolvers<void>();
  const begun = countPerIteration();
  let asked = 0;
  const app = express().use(async (_request, response) => {
    asked += 1;
    if (asked === 20) allAsked.resolve();
    await allAsked.promise;
    const large = longNumber((piece) => piece === 0 && begun.note(), 20);
    await writeJson(response, SUCCESS_TYPE, { large });
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const answers = Array.from({ length: 20 }, async () => {
    const [answer] = (await once(get({ port, agent: false }), 'response')) as [IncomingMessage];
    return text(answer);
  });
  expect(new Set(await Promise.all(answers)).size).toBe(1);
  expect(begun.counts()).toEqual(Array.from({ length: 20 }, () => 1));
  server.close();
});

test('a reader who disconnects ends the work', async () => {
  let made = 0;
  const ended = Promise.withResolvers<void>();
  const app = express().use(async (_request, response) => {
    await writeJson(response, SUCCESS_TYPE, { large: longNumber((piece) => (made = piece)) });
    ended.resolve();
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const asked = get({ port: (server.address() as AddressInfo).port });
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.destroy();
  await ended.promise;
  expect(made).toBeLessThan(PIECES - 1);
  server.close();
});

test.each([
  ['short', 10],
  ['long', quickOrFull(4_000, 10_000)],
])(
  'a %s list is sent as of the moment of the request, whatever changes before it leaves',
  async (_name, count) => {
    const index = new MemberIndex({ guildId: '900000000000000001' });
    const members = Array.from({ length: count }, (_, at) => String(100_000_000_000_000_000 + at * 1_024));
    for (const id of members) index.upsert(id, ['5']);
    const { ids } = rolePage(index, '5');
    const app = express().use(async (_request, response) => {
      const written = writeJson(response, SUCCESS_TYPE, { returned: ids.length, members: ids });
      for (const id of members) index.remove(id);
      await written;
    });
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const asked = get({ port: (server.address() as AddressInfo).port, agent: false });
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    expect(await text(answer)).toBe(JSON.stringify({ returned: count, members }));
    server.close();
  },
);

test('short responses of one iteration of the event loop are sent together at its end', async () => {
  const both = Promise.withResolvers<void>();
  const responses: Response[] = [];
  const app = express().use(
    beginRequest(() => {}, 0),
    answerWith(async (response) => {
      responses.push(response);
      if (responses.length === 2) both.resolve();
      await both.promise;
      return { value: { ok: true }, version: '"1"' };
    }),
  );
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const answers = [{}, { 'If-None-Match': '*' }].map((headers) => once(get({ port, headers }), 'response'));
  await both.promise;
  await settle();
  expect(responses.map(({ writableEnded }) => writableEnded)).toEqual([false, false]);
  await iterations(1);
  expect(responses.map(({ writableEnded }) => writableEnded)).toEqual([true, true]);
  const sent = (await Promise.all(answers)) as [IncomingMessage][];
  expect(sent.map(([{ statusCode }]) => statusCode)).toEqual(expect.arrayContaining([200, 304]));
  server.closeAllConnections();
  server.close();
});

async function lengths(answer: IncomingMessage) {
  const sent = await text(answer);
  return [answer.headers['content-length'], Buffer.byteLength(sent)] as const;
}

test.each([
  ['short', { ok: true, text: 'é💙' }],
  ['large', { ok: true, text: 'é💙', large: longNumber(undefined, 20) }],
])('HEAD of a %s response has its length and no body', async (_name, body) => {
  const [length, sent] = await send(body, lengths);
  expect(sent).toBe(Number(length));
  expect(await send(body, lengths, 'HEAD')).toEqual([length, 0]);
});

test('any body is sent as JSON.stringify writes it, and a tool gets the same text', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), fc.constant(undefined))),
      async (body) => {
        const plain = JSON.stringify(body);
        expect(await send(body, text)).toBe(plain);
        expect(toJsonText(body, plain.length)).toBe(plain);
        expect(toJsonText(body, plain.length - 1)).toBeNull();
      },
    ),
    { seed: 11, numRuns: quickOrFull(20, 60) },
  );
});

function fail(): never {
  throw new Error('It was made.');
}

test('a tool gets no text of a value that is too large, and the value is not made', () => {
  const large = { ...longNumber(fail), toJSON: fail };
  expect(toJsonText({ large }, 1_000_000)).toBeNull();
});
