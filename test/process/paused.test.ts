import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';

import { expect, test, vi } from 'vitest';

import { KEY } from '../fixtures/key-pattern.ts';
import { POLL } from '../fixtures/poll.ts';
import { startSimulator } from '../simulator/simulator.ts';
import { afterTest, startProcess } from './service-process.ts';

const ADMIN = '200000000000000001';
const ROLE = '400000000000000001';
const LIST = `/api/role-members?role_id=${ROLE}`;

/** Calls on a connection that stays open. `sent` resolves also while the service is paused. */
function openCaller(port: number, authorization: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  afterTest(() => agent.destroy());
  return () => {
    const asked = request({ port, path: LIST, agent, headers: { authorization } });
    const sent = once(asked, 'finish');
    const answer = once(asked, 'response').then(async ([response]: readonly IncomingMessage[]) => ({
      status: response!.statusCode,
      body: (await json(response!)) as Readonly<Record<string, unknown>>,
    }));
    asked.end();
    return { sent, answer };
  };
}

test('a paused process never answers an old list, and soon answers the new one', async () => {
  await using discord = await startSimulator({
    guilds: [
      {
        ownerId: ADMIN,
        roles: [{ id: ROLE, name: 'Blue' }],
        members: { count: 30, rolesOf: (index) => (index % 3 === 0 ? [] : [ROLE]) },
      },
    ],
  });
  const service = startProcess({
    STORAGE_URL: 'memory:',
    DISCORD_TOKEN: discord.bot().token,
    DISCORD_API_URL: discord.apiUrl,
  });
  const port = await service.ready();
  const guild = discord.guild();
  const key = KEY.exec(
    (
      await discord.interact
        .slash('settings key create', { name: 'k' }, { guildId: guild.id, userId: ADMIN })
        .reply()
    ).text,
  )![0];
  const callers = Array.from({ length: 8 }, () => openCaller(port, key));
  const listed = () =>
    vi.waitUntil(async () => {
      const answer = await callers[0]!().answer;
      return answer.status === 200 && answer.body['members'];
    }, POLL);
  await listed();
  await Promise.all(callers.map((ask) => ask().answer));
  service.child.kill('SIGSTOP');
  afterTest(() => service.child.kill('SIGCONT'));
  // Longer than a pause that does not count. Time in another process cannot be moved by hand.
  await new Promise((resolve) => setTimeout(resolve, 3_500));
  // Each request has left before the gateway hears of the change, so it is read first.
  const asked = callers.map((ask) => ask());
  await Promise.all(asked.map(({ sent }) => sent));
  guild.updateMember(guild.holdersOf(ROLE)[0] ?? '', { roles: [] });
  const expected = guild.holdersOf(ROLE);
  service.child.kill('SIGCONT');
  const wrong = (await Promise.all(asked.map(({ answer }) => answer))).filter(({ status, body }) =>
    status === 200
      ? JSON.stringify(body['members']) !== JSON.stringify(expected)
      : body['code'] !== 'member_list_unavailable',
  );
  expect(wrong).toEqual([]);
  expect(await listed()).toEqual(expected);
  expect(discord.gateway.identifies).toHaveLength(1);
});
