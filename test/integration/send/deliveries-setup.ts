import { onTestFinished } from 'vitest';

import type { Delivery, DeliveryResult } from '../../../src/deliveries/deliveries.ts';
import type { DeliverySettings } from '../../../src/deliveries/delivery-settings.ts';
import type { DeliveryStore } from '../../../src/deliveries/delivery-store.ts';
import { WebhookDeliveries, type DeliveryRecord } from '../../../src/deliveries/webhook-deliveries.ts';
import type { InvalidRequestBreaker } from '../../../src/upstream/invalid-request-breaker.ts';
import { startSimulator, type Simulator } from '../../simulator/simulator.ts';
import type { SimulatedWebhook } from '../../simulator/webhooks.ts';

export const GUILD = '300000000000000001';
export const FOREIGN_GUILD = '300000000000000002';
export const POST = 'POST /webhooks/:application/:token';
export const DESCRIBE = 'GET /webhooks/:application/:token';

/** Pauses that a test has time for. */
const SHORT: Partial<DeliverySettings> = { connectPauseMs: 1, defaultLimitMs: 1, postTimeoutMs: 2_000 };

export interface Sending {
  readonly discord: Simulator;
  readonly webhook: SimulatedWebhook;
  readonly deliveries: WebhookDeliveries;
  /** Records of ended calls. */
  readonly records: readonly DeliveryRecord[];
  /** Statuses that count towards a ban. */
  readonly invalid: readonly number[];
  /** Sends one message for each text through the webhook, with a key of GUILD, but for what is given. */
  readonly send: (texts: readonly string[], delivery?: Partial<Delivery>) => Promise<DeliveryResult>;
  readonly delivery: (texts: readonly string[], delivery?: Partial<Delivery>) => Delivery;
}

/**
 * Deliveries that speak HTTP with a simulated Discord. Closed when the test ends.
 * @param apiUrl of another Discord than the simulated one
 */
export async function startSending(
  settings: Partial<DeliverySettings> = {},
  apiUrl: string | null = null,
  breaker: Pick<InvalidRequestBreaker, 'check' | 'record'> = { check: () => {}, record: () => {} },
  store: DeliveryStore | null = null,
): Promise<Sending> {
  const discord = await startSimulator({ guilds: [{ id: GUILD }, { id: FOREIGN_GUILD }] });
  const records: DeliveryRecord[] = [];
  const invalid: number[] = [];
  const deliveries = new WebhookDeliveries({
    apiUrl: apiUrl ?? discord.apiUrl,
    userAgent: () => 'DiscordBot (https://qm.example, 1)',
    settings: { ...SHORT, ...settings },
    onEnd: (record) => void records.push(record),
    onInvalidRequest: (status) => void invalid.push(status),
    breaker,
    store,
  });
  onTestFinished(async () => {
    await deliveries.close();
    await discord.close();
  });
  const webhook = discord.addWebhook({ guildId: GUILD });
  const delivery: Sending['delivery'] = (texts, more = {}) => ({
    webhook,
    guildId: GUILD,
    tenantId: GUILD,
    bodies: texts.map((text) => JSON.stringify({ content: text })),
    total: texts.length,
    withComponents: false,
    threadId: null,
    makesThread: false,
    idempotencyKey: null,
    input: JSON.stringify(texts),
    startedAt: performance.now(),
    ...more,
  });
  return {
    discord,
    webhook,
    deliveries,
    records,
    invalid,
    delivery,
    send: (texts, more) => deliveries.send(delivery(texts, more)),
  };
}

/** Texts of a few words each. */
export function texts(count: number, name = 'part'): string[] {
  return Array.from({ length: count }, (_, index) => `${name} ${index + 1}`);
}

/** What processes share, where only this one is there. @param more what is different */
export function storeWith(more: Partial<DeliveryStore>): DeliveryStore {
  return {
    lockWebhook: () => Promise.resolve(true),
    hasWebhook: () => Promise.resolve(true),
    unlockWebhook: () => Promise.resolve(),
    reserveKey: () => Promise.resolve(null),
    saveResult: () => Promise.resolve(),
    releaseKey: () => Promise.resolve(),
    ...more,
  };
}
