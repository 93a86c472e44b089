// Lists a role once, in a process of its own, and prints how often the token is in the heap then, while the result
// of the listing is kept. The token comes in hexadecimal and is never a string here but for the lookup.
import { RestMembers } from '../../../src/members/rest/rest-members.ts';
import { membersQuestion, membersQuery } from '../../../src/members/members-query.ts';
import { countInHeap } from '../../fixtures/count-in-heap.ts';

const [apiUrl = '', tokenHex = '', guildId = '', roleId = ''] = process.argv.slice(2);
const token = Buffer.from(tokenHex, 'hex');
const directory = new RestMembers({ apiUrl });

async function countHolders(): Promise<number> {
  const question = membersQuestion({ guildId, all: [roleId] });
  const listing = await directory.ask(membersQuery, question, {
    token: token.toString(),
    tenantId: '0',
    signal: new AbortController().signal,
  });
  return listing.count;
}

const holders = await countHolders();
const [inHeap, controlInHeap] = await countInHeap(token, Buffer.from(roleId));
process.stdout.write(JSON.stringify({ holders, token: inHeap, control: controlInHeap }));
await directory.close();
