// The floor: an Express 5 that sends ready arrays of ids.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import express from 'express';

const [firstId = '0', idStep = '0', ...sizes] = process.argv.slice(2);
const app = express();
app.disable('etag');
app.disable('x-powered-by');
for (const size of sizes) {
  const members = Array.from({ length: Number(size) }, (_, at) =>
    String(BigInt(firstId) + BigInt(at) * BigInt(idStep)),
  );
  const answer = {
    ok: true,
    guild_id: firstId,
    role_id: firstId,
    count: members.length,
    members,
    returned: members.length,
    next_after: null,
    source: 'gateway',
    as_of: 1_767_225_600,
    pending: false,
  };
  app.get(`/${size}`, (_request, response) => {
    response.json(answer);
  });
}
const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
console.log(JSON.stringify({ port }));
