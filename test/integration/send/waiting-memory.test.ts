import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { expect, test } from 'vitest';

import { DESCRIBE } from './deliveries-setup.ts';
import { startService } from './send-http-setup.ts';

const MEBIBYTE = 2 ** 20;
/** Two under way and eight that wait: no server may have more. */
const TEXTS = 10;
/** Almost as much as a text may have. */
const TEXT_LENGTH = 99_000;

test('texts that wait hold their messages, and not what was sent with them', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const { app, send, discord } = await startService({}, { patienceMs: 1 });
  const gate = discord.rest.faults.hold(DESCRIBE, { times: Infinity });
  const heldAfter = async (texts: number): Promise<number> => {
    for (let at = 0; at < texts; at += 1) {
      const webhook = discord.addWebhook({ guildId: app.guildId }).url;
      const { status } = await send({ text: `Begin${' '.repeat(TEXT_LENGTH)}end` }, { webhook });
      expect(status).toBe(202);
    }
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = await heldAfter(1);
  expect((await heldAfter(TEXTS - 1)) - before).toBeLessThan(MEBIBYTE / 2);
  gate.release();
});
