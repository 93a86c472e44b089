// Sends a text, in a process of its own, and prints how often the token of the webhook is in the heap then, while the end
// of the delivery is known. The token comes in hexadecimal and is a string here only for the order.
import { setImmediate } from 'node:timers/promises';
import v8 from 'node:v8';

import { WebhookDeliveries } from '../../../src/deliveries/webhook-deliveries.ts';

const [apiUrl = '', webhookId = '', tokenHex = ''] = process.argv.slice(2);
const token = Buffer.from(tokenHex, 'hex');
const deliveries = new WebhookDeliveries({
  apiUrl,
  userAgent: () => 'DiscordBot (https://qm.example, 1)',
  onEnd: () => {},
  onInvalidAnswer: () => {},
  breaker: { check: () => {} },
});

async function send(): Promise<Buffer> {
  const order = {
    webhook: { id: webhookId, token: token.toString() },
    guildId: null,
    ownerId: '0',
    messages: ['one', 'two'].map((text) => ({ json: JSON.stringify({ content: text }), opening: '', text })),
    withComponents: false,
    threadId: null,
    makesThread: false,
    idempotencyKey: 'k',
    input: 'x',
  };
  return Buffer.from((await deliveries.send(order, new AbortController().signal)).deliveryId);
}

async function countInHeap(secret: Buffer): Promise<number> {
  const chunks: Buffer[] = [];
  for await (const chunk of v8.getHeapSnapshot()) chunks.push(Buffer.from(chunk as Uint8Array));
  const heap = Buffer.concat(chunks);
  let found = 0;
  for (let at = heap.indexOf(secret); at !== -1; at = heap.indexOf(secret, at + 1)) found += 1;
  return found;
}

const deliveryId = await send();
// An idle connection to Discord holds its last call until it closes.
await deliveries.close();
// What the last call was made of is let go with this turn of the event loop, and RegExp keeps the text that it
// matched last in its static properties.
await setImmediate();
/other/.test('another text');
const found = { token: await countInHeap(token), control: await countInHeap(deliveryId) };
const { state } = deliveries.lookHere(deliveryId.toString(), '0');
process.stdout.write(JSON.stringify({ state, ...found }));
