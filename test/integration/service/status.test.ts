import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { startDiscordApp, startTestApp } from '../../fixtures/test-app.ts';

test('the status says since when Discord is unreachable, what the last failure was, and that it recovered', async () => {
  await using app = await startDiscordApp({ guilds: [{}] });
  const { gateway } = app.discord;
  const readStatus = async () => {
    const page = await (await fetch(`${app.url}/status`)).text();
    const [, says = '', works = '', since = ''] =
      /<strong>Discord<\/strong><span>([^<]*)<\/span>\s*<span class="soft">(.*?) <time datetime="([^"]*)"/.exec(
        page,
      ) ?? [];
    const [, title = ''] = /<h1>([^<]*)/.exec(page) ?? [];
    const [, trouble = ''] = /Last trouble<\/h2>.*?<p>(.*?)<\/p>/s.exec(page) ?? [];
    const times = [...trouble.matchAll(/datetime="([^"]*)"/g)].map(([, time]) => time);
    return {
      title,
      says,
      works,
      since,
      trouble: trouble
        .replaceAll(/<[^>]*>/g, '')
        .replaceAll(/\s+/g, ' ')
        .trim(),
      times,
    };
  };

  await expect
    .poll(readStatus)
    .toMatchObject({ title: 'Everything works.', works: 'since', trouble: 'None since the start.' });
  expect((await readStatus()).says).toContain('connected; in 1 server');

  gateway.refuseHandshakes(520, 100_000);
  gateway.shard(0).drop();
  await expect.poll(readStatus).toMatchObject({ works: 'away since' });
  const away = await readStatus();
  expect(away.title).not.toBe('Everything works.');
  expect(away.times).toEqual([away.since]);
  expect(away.trouble).toMatch(/^Discord, from .* until now: \S/);
  // Another request does not begin it again.
  expect(await readStatus()).toMatchObject({ works: 'away since', since: away.since, times: [away.since] });

  gateway.acceptHandshakes();
  await expect.poll(readStatus).toMatchObject({ title: 'Everything works.', works: 'since' });
  const back = await readStatus();
  expect(back.says).toContain('connected; in 1 server');
  expect(back.times).toEqual([away.since, back.since]);
  expect(back.trouble).toMatch(/^Discord, from .* to .*: \S/);
});

test('the status says after a session that could not be resumed that everything works and lists are being read', async () => {
  await using app = await startDiscordApp({ guilds: [{ members: { count: 1_500 } }] });
  const readTitle = async () => /<h1>([^<]*)/.exec(await (await fetch(`${app.url}/status`)).text())?.[1];
  await expect.poll(readTitle).toBe('Everything works.');
  // All members of a server may be asked for once in 30 s, so the list stays as it is for a while.
  app.discord.gateway.shard(0).invalidateSession(false);
  await expect
    .poll(readTitle)
    .toBe('Everything works; the member lists of some servers are still being read.');
});

test('the log has one line when the storage goes away and one when it is back, and each failed check is counted', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quartermaster-away-'));
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rm(folder, { recursive: true }));
  const file = join(folder, 'store.sqlite');
  const app = stack.use(await startTestApp({ STORAGE_URL: `sqlite://${file}`, METRICS_PORT: '0' }));
  const ready = async () => (await fetch(`${app.url}/health/ready`)).status;
  const readLines = () =>
    app.logLines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ msg }) => String(msg).startsWith('the storage is'));

  expect(await ready()).toBe(200);
  expect(readLines()).toEqual([]);
  await rename(file, `${file}.away`);
  expect([await ready(), await ready()]).toEqual([503, 503]);
  const away = {
    level: 'warn',
    msg: 'the storage is away: keys cannot be checked or changed until it is back',
    cause: { message: expect.stringContaining('The storage file was deleted or replaced') as unknown },
  };
  expect(readLines()).toMatchObject([away]);
  expect(await app.metrics()).toContain('quartermaster_storage_errors_total 2\n');
  await rename(`${file}.away`, file);
  expect([await ready(), await ready()]).toEqual([200, 200]);
  const back = { level: 'info', msg: 'the storage is back: keys can be checked and changed again' };
  expect(readLines()).toMatchObject([away, back]);
});
