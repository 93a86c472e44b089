import { once } from 'node:events';
import net from 'node:net';

import { expect, onTestFinished, test } from 'vitest';

import { OwnerConnections } from '../../../src/cluster/owner-connections.ts';

const HEAD = 'HTTP/1.1 200 OK\r\nListing: {"a": 1}\r\nContent-Length: 10\r\n\r\n';

/** An owner that answers each request with these pieces, one after the other has left; null closes. */
async function owner(...answers: (readonly (string | null)[])[]) {
  const sockets: net.Socket[] = [];
  const requests: string[] = [];
  const server = net.createServer((socket) => {
    sockets.push(socket);
    socket.setNoDelay();
    socket.on('error', () => undefined);
    const answer = async (pieces: readonly (string | null)[]) => {
      for (const piece of pieces) {
        if (piece === null) socket.destroy();
        else await new Promise((resolve) => socket.write(piece, 'latin1', () => setImmediate(resolve)));
      }
    };
    socket.on('data', (data) => void answer(answers[requests.push(data.toString()) - 1] ?? []));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connections = new OwnerConnections();
  onTestFinished(() => {
    connections[Symbol.dispose]();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as net.AddressInfo;
  /** The body of each answer as far as it came, in the order of their heads. */
  const bodies: string[] = [];
  const ask = async (timeoutMs = 20_000) => {
    let at = -1;
    const { status, header } = await connections.ask({
      origin: `http://127.0.0.1:${port}`,
      path: '/x',
      headers: { authorization: 'secret' },
      timeoutMs,
      makeRoom: (length) => {
        if (length > 10) throw new Error('There is no room.');
        at = bodies.push('') - 1;
        return (piece) => void (bodies[at] += piece.toString('latin1'));
      },
    });
    return { status, listing: header('listing'), body: bodies[at] };
  };
  return { ask, requests, sockets, bodies };
}

test('an answer is read whole, wherever the network cuts it, on one connection', async () => {
  const text = `${HEAD}0123456789`;
  const cuts = [
    [text],
    text.split(''),
    [HEAD, '01234', '56789'],
    [HEAD.slice(0, -1), '\n0', '123456789'],
    [HEAD.slice(0, -3), text.slice(HEAD.length - 3)],
  ];
  const { ask, sockets, requests } = await owner(...cuts);
  for (const _ of cuts) {
    expect(await ask()).toEqual({ status: 200, listing: '{"a": 1}', body: '0123456789' });
  }
  expect(sockets).toHaveLength(1);
  expect(requests[0]).toMatch(/^GET \/x HTTP\/1.1\r\nhost: owner\r\nauthorization: secret\r\n\r\n$/);
});

test('answers that come at the same time do not mix, although all are read into the same memory', async () => {
  const texts = Array.from({ length: 10 }, (_, digit) => String(digit).repeat(10));
  const { ask, sockets } = await owner(...texts.map((text) => [HEAD + text[0], ...text.slice(1).split('')]));
  const answers = await Promise.all(texts.map(() => ask()));
  expect(answers.map(({ body }) => String(body)).toSorted()).toEqual(texts);
  expect(sockets).toHaveLength(10);
});

test('an answer without a body is read', async () => {
  const { ask } = await owner(
    ['HTTP/1.1 204 No Content\r\n\r\n'],
    ['HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n'],
  );
  expect(await ask()).toMatchObject({ status: 204, body: '' });
  expect(await ask()).toMatchObject({ status: 401, body: '' });
});

test.each([
  ['the owner closes in the middle of the body', [HEAD, '01234', null], 'closed the connection'],
  ['the owner closes in the middle of the head', [HEAD.slice(0, 30), null], 'closed the connection'],
  ['more comes than was announced', [`${HEAD}0123456789x`], 'more than it announced'],
  ['no length is announced', ['HTTP/1.1 200 OK\r\n\r\n'], 'cannot be understood'],
  ['the length is no number', ['HTTP/1.1 200 OK\r\nContent-Length: ten\r\n\r\n'], 'cannot be understood'],
  ['it is not HTTP', ['-ERR unknown command\r\n\r\n'], 'cannot be understood'],
  ['the head does not end', ['HTTP/1.1 200 OK\r\n', 'x: y\r\n'.repeat(20_000)], 'cannot be understood'],
  ['there is no room', ['HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n'], 'There is no room.'],
])('there is no answer when %s, and the next question has a new connection', async (_, pieces, reason) => {
  const { ask, sockets } = await owner(pieces, [`${HEAD}9876543210`]);
  await expect(ask()).rejects.toThrow(reason);
  expect(await ask()).toMatchObject({ body: '9876543210' });
  expect(sockets).toHaveLength(2);
});

test('there is no answer when it does not come in time, and what comes later goes nowhere', async () => {
  const { ask, bodies, sockets } = await owner([HEAD, '01234'], [`${HEAD}9876543210`]);
  await expect(ask(200)).rejects.toThrow('no answer in time');
  sockets[0]?.write('56789');
  expect(await ask()).toMatchObject({ body: '9876543210' });
  expect(bodies).toEqual([expect.not.stringContaining('5'), '9876543210']);
});

test('a connection on which something comes unasked is not used again', async () => {
  const { ask, sockets } = await owner([`${HEAD}0123456789`], [`${HEAD}9876543210`]);
  await ask();
  sockets[0]?.write('HTTP/1.1 200 OK\r\n');
  await once(sockets[0] ?? new net.Socket(), 'close');
  expect(await ask()).toMatchObject({ body: '9876543210' });
  expect(sockets).toHaveLength(2);
});

test('there is no answer from where nobody listens', async () => {
  using connections = new OwnerConnections();
  const request = { path: '/', headers: {}, timeoutMs: 20_000, makeRoom: () => () => {} };
  await expect(connections.ask({ ...request, origin: 'http://127.0.0.1:1' })).rejects.toThrow('ECONNREFUSED');
  await expect(connections.ask({ ...request, origin: 'http://[::1]:1' })).rejects.toThrow(/::1/);
});
