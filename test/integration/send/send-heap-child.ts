// Sends a text, in a process of its own, and prints how often the token of the webhook is in the heap then, while the end
// of the delivery is known. The token comes in hexadecimal and is a string here only for the order.
import { WebhookDeliveries } from '../../../src/deliveries/webhook-deliveries.ts';
import { countInHeap } from '../../fixtures/count-in-heap.ts';

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

const deliveryId = await send();
// An idle connection to Discord holds its last call until it closes.
await deliveries.close();
const found = { token: await countInHeap(token), control: await countInHeap(deliveryId) };
const { state } = await deliveries.readStatus(deliveryId.toString(), '0');
process.stdout.write(JSON.stringify({ state, ...found }));
