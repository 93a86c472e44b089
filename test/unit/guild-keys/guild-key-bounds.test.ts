import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import type { ExpiresInDays, OverlapSeconds } from '../../../src/guild-keys/guild-keys.ts';
import { Problem } from '../../../src/kernel/problem.ts';
import { GUILD, HOUR_MS, setUp } from '../../fixtures/guild-key-harness.ts';

const STEP = fc.record({
  what: fc.constantFrom('create', 'rotate', 'revoke', 'withdraw', 'wait'),
  which: fc.nat(12),
  overlapSeconds: fc.constantFrom<OverlapSeconds>(0, 3_600, 86_400, 604_800),
  expiresInDays: fc.constantFrom<ExpiresInDays>(null, 30),
});

test('a server never has more than ten working keys, nor a name more than two working secrets', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { maxLength: 60 }), async (steps) => {
      const { keys, create, clock } = setUp();
      for (const { what, which, overlapSeconds, expiresInDays } of steps) {
        const entries = await keys.list(GUILD);
        const keyId = entries[which % Math.max(1, entries.length)]?.keyId ?? 'aaaaa';
        const actions = {
          create: () => create({ name: `bot ${which}`, expiresInDays }),
          rotate: () => keys.rotate({ guildId: GUILD, keyId, overlapSeconds, createdBy: '42' }),
          revoke: () => keys.revoke(GUILD, keyId),
          withdraw: () => keys.withdraw(GUILD, keyId),
          wait: async () => clock.advance(HOUR_MS * which * 10),
        };
        // A refusal is one of the documented ones.
        const failure = await actions[what]().then(
          () => null,
          (error: unknown) => error,
        );
        expect(failure === null || failure instanceof Problem).toBe(true);

        const working = (await keys.list(GUILD)).filter(
          ({ state }) => state === 'current' || state === 'replaced',
        );
        expect(working.filter(({ state }) => state === 'current').length).toBeLessThanOrEqual(10);
        for (const same of Object.values(Object.groupBy(working, ({ name }) => name))) {
          const states = same?.map(({ state }) => state);
          expect(states).toEqual(['current', 'replaced'].slice(0, same?.length));
        }
      }
    }),
    { seed: 7, numRuns: 60 },
  );
});
