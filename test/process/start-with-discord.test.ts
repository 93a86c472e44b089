import { expect, test } from 'vitest';

import { startSimulator } from '../simulator/simulator.ts';
import { startProcess } from './service-process.ts';

/** Says in the order in which they happen, on standard error, that a port is open and that discord.js is asked for. */
const WATCH = `
  import { writeSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  import { Server } from 'node:net';
  const { listen } = Server.prototype;
  Server.prototype.listen = function (...options) {
    this.once('listening', () => writeSync(2, 'a port is open\\n'));
    return listen.apply(this, options);
  };
  registerHooks({
    resolve(name, context, next) {
      if (name === 'discord.js') writeSync(2, 'discord.js is loaded\\n');
      return next(name, context);
    },
  });
`;

test('HTTP opens before discord.js is loaded, a quoted token of docker run --env-file works, and the log warns of an unreachable PUBLIC_URL', async () => {
  await using discord = await startSimulator();
  const service = startProcess(
    { STORAGE_URL: 'memory:', DISCORD_TOKEN: `"${discord.bot().token}"`, DISCORD_API_URL: discord.apiUrl },
    undefined,
    ['--import', `data:text/javascript,${encodeURIComponent(WATCH)}`],
  );
  await service.ready();
  const events = service.output.stderr.split('\n').filter((line) => /^(?:a port|discord\.js) is /.test(line));
  expect(events.slice(0, 2)).toEqual(['a port is open', 'discord.js is loaded']);
  expect(discord.gateway.live).toHaveLength(1);
  expect(service.output.stdout).toContain(
    'bot builders cannot reach PUBLIC_URL, because localhost is a name',
  );
});
