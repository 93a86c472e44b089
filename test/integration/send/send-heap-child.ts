// Sends a text, in a process of its own, and prints how often the token of the webhook and the text are in the heap then,
// while the head of the answer is known. The token comes in hexadecimal and is a string here only for the order; the text
// is the token read backwards.
import { WebhookDeliveries } from '../../../src/deliveries/webhook-deliveries.ts';
import { countInHeap } from '../../fixtures/count-in-heap.ts';

const [apiUrl = '', webhookId = '', tokenHex = ''] = process.argv.slice(2);
const token = Buffer.from(tokenHex, 'hex');
const deliveries = new WebhookDeliveries({
  apiUrl,
  userAgent: () => 'DiscordBot (https://qm.example, 1)',
  onEnd: () => {},
  onInvalidRequest: () => {},
  breaker: { check: () => {}, record: () => {} },
});

const text = Buffer.from(token).reverse();

async function send() {
  const order = {
    webhook: { id: webhookId, token: token.toString() },
    guildId: null,
    tenantId: '0',
    bodies: [text.toString(), 'two'].map((content) => JSON.stringify({ content })),
    total: 2,
    withComponents: false,
    threadId: null,
    makesThread: false,
    idempotencyKey: 'k',
    input: 'x',
    startedAt: performance.now(),
  };
  const { state, messageIds } = await deliveries.send(order);
  return { state, control: Buffer.from(messageIds[0] ?? '') };
}

const { state, control } = await send();
// An idle connection to Discord holds its last call until it closes.
await deliveries.close();
const [inHeap, textInHeap, controlInHeap] = await countInHeap(token, text, control);
process.stdout.write(JSON.stringify({ state, token: inHeap, text: textInHeap, control: controlInHeap }));
