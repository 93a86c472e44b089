import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect, test } from 'vitest';

import { sendJson } from '../../../src/http/answer/send.ts';
import type { LargeValue } from '../../../src/large-value.ts';

test('gives others a turn between the pieces of a large answer, however fast its reader is', async () => {
  let turn = 0;
  const countTurns = () => {
    turn += 1;
    counting = setImmediate(countTurns);
  };
  let counting = setImmediate(countTurns);
  const turns = new Set<number>();
  const piece = Buffer.alloc(65_536, '7');
  const large: LargeValue = {
    toJSON: () => 0,
    *jsonBytes() {
      for (let taken = 0; taken < 40; taken += 1) {
        turns.add(turn);
        yield piece;
      }
    },
    jsonByteLength: 40 * piece.length,
  };
  const server = createServer((_request, response) => void sendJson(response, 200, [], { large }));
  try {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const reply = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect(await reply.text()).toBe(`{"large":${'7'.repeat(40 * piece.length)}}`);
    expect(turns.size).toBe(40);
  } finally {
    clearImmediate(counting);
    server.close();
  }
});
