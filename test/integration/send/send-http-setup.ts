import { onTestFinished } from 'vitest';

import type { DeliverySettings } from '../../../src/deliveries/delivery-settings.ts';
import { startTestApp, type Reply, type TestApp } from '../../fixtures/test-app.ts';
import { startSimulator, type Simulator } from '../../simulator/simulator.ts';
import type { SimulatedWebhook } from '../../simulator/webhooks.ts';

export interface SendingService {
  readonly app: TestApp;
  readonly discord: Simulator;
  /** Belongs to the server of the key. */
  readonly webhook: SimulatedWebhook;
  /** Sends fields as JSON through the webhook, but for what is given. */
  readonly send: (fields: object, headers?: Record<string, string>) => Promise<Reply>;
}

/** The whole service beside a simulated Discord. Closed when the test ends. */
export async function startService(
  env: Record<string, string> = {},
  deliveries: Partial<DeliverySettings> = {},
): Promise<SendingService> {
  const discord = await startSimulator();
  const app = await startTestApp(
    { DISCORD_API_URL: discord.apiUrl, SEND_RATE_LIMIT: '1000', ...env },
    { deliveries },
  );
  onTestFinished(async () => {
    await app[Symbol.asyncDispose]();
    await discord.close();
  });
  const webhook = discord.addWebhook({ guildId: app.guildId });
  return {
    app,
    discord,
    webhook,
    send: (fields, headers = {}) => app.postJson('/api/send', fields, { webhook: webhook.url, ...headers }),
  };
}

/** A paragraph for each message of 2,000 characters. */
export function longText(messages: number): string {
  return Array.from({ length: messages }, (_, index) => `${index + 1} ${'word '.repeat(380)}end`).join(
    '\n\n',
  );
}
