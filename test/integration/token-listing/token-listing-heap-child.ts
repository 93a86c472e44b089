// Lists a role once, in a process of its own, and prints how often the token is in the heap then, while the result
// of the listing is kept. The token comes in hexadecimal and is never a string here but for the lookup.
import { setImmediate } from 'node:timers/promises';
import v8 from 'node:v8';

import { CallerTokenDirectory } from '../../../src/members/token/token-directory.ts';
import { askMembers } from '../../../src/members/role-question.ts';

const [apiUrl = '', tokenHex = '', guildId = '', roleId = ''] = process.argv.slice(2);
const token = Buffer.from(tokenHex, 'hex');
const directory = new CallerTokenDirectory({ apiUrl });

async function countHolders(): Promise<number | null> {
  const query = askMembers({ guildId, all: [roleId] });
  const listing = await directory.find(token.toString(), '0', query, new AbortController().signal);
  return listing.pending ? null : listing.count;
}

async function countInHeap(secret: Buffer): Promise<number> {
  const chunks: Buffer[] = [];
  for await (const chunk of v8.getHeapSnapshot()) chunks.push(Buffer.from(chunk as Uint8Array));
  const heap = Buffer.concat(chunks);
  let found = 0;
  for (let at = heap.indexOf(secret); at !== -1; at = heap.indexOf(secret, at + 1)) found += 1;
  return found;
}

const holders = await countHolders();
// What the last call was made of is let go with this turn of the event loop, and RegExp keeps the text that it
// matched last in its static properties.
await setImmediate();
/other/.test('another text');
const control = Buffer.from(roleId);
process.stdout.write(
  JSON.stringify({ holders, token: await countInHeap(token), control: await countInHeap(control) }),
);
await directory.close();
