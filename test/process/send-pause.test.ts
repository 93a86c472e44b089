import { expect, test } from 'vitest';

import { newRedisUrl } from '../fixtures/cluster-setup.ts';
import { isMissing, REDIS_URL } from '../fixtures/storage-services.ts';
import { POST } from '../integration/send/deliveries-setup.ts';
import { longText } from '../integration/send/send-http-setup.ts';
import { startSimulator } from '../simulator/simulator.ts';
import { ServiceProcess } from './cluster-setup.ts';
import { afterTest, makeKey, newFolder } from './service-process.ts';

const isWithoutRedis = await isMissing('Redis', REDIS_URL, 6379);

/** A webhook stays this long with a process that has gone silent. */
const TERM_MS = 2_000;

test.skipIf(isWithoutRedis)(
  "a process that was paused in the middle of a text does not mix it with another process's text",
  { timeout: 120_000 },
  async () => {
    await using discord = await startSimulator();
    const webhook = discord.addWebhook({ guildId: null });
    const STORAGE_URL = `sqlite://${newFolder()}/store.sqlite`;
    const key = await makeKey(STORAGE_URL);
    const env = {
      STORAGE_URL,
      REDIS_URL: newRedisUrl(),
      DISCORD_API_URL: discord.apiUrl,
      APP_OPTIONS: JSON.stringify({ cluster: { webhookLockMs: TERM_MS } }),
    };
    const start = async () => {
      const service = await ServiceProcess.start(env, 'test/process/cluster-child.ts');
      afterTest(() => void service.stop('SIGKILL'));
      return service;
    };
    const [one, other] = [await start(), await start()];
    const send = (service: ServiceProcess, text: string) => service.send(text, webhook.url, key);

    // Discord takes the second message, and its answer finds nobody.
    const first = longText(5);
    await send(one, 'before');
    const gate = discord.rest.faults.hold(POST);
    const sending = send(one, first);
    await gate.reached;
    one.signal('SIGSTOP');
    gate.release();
    const second = longText(3).replaceAll('word', 'lord');
    expect((await send(other, second)).body).toMatchObject({ state: 'sent', sent: 3 });
    one.signal('SIGCONT');

    const { body } = await sending;
    expect(body).toMatchObject({ state: 'stopped', sent: 1, total: 5, uncertain: false });
    expect(String(body['reason'])).toContain('another message may have come in between');
    const texts = webhook.texts.slice(1);
    expect(texts.slice(1).join('\n\n')).toBe(second);
    // Nothing of it is lost, and the rest can be sent after the other text.
    expect((await send(other, String(body['rest']))).body).toMatchObject({ state: 'sent', sent: 4 });
    expect([texts[0], ...webhook.texts.slice(5)].join('\n\n')).toBe(first);
  },
);
