import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';

import { quickOrFull } from '../../fixtures/full-run.ts';
import type { SimulatedGuild } from '../../simulator/guild-model.ts';
import { Feed } from '../gateway-members/gateway-members-setup.ts';
import {
  BLUE,
  bigGuild,
  EMPTY,
  GUILD,
  MEMBERS,
  membersOf,
  RED,
  startTokenListing,
  type TokenListing,
} from './rest-members-setup.ts';

/** One change of the guild; `at` from 0 to 1 says where in the range of ids. */
const change = fc.record({
  kind: fc.constantFrom('join', 'leave', 'gain', 'lose'),
  at: fc.double({ min: 0, max: 0.999, noNaN: true }),
});

type Change = { readonly kind: string; readonly at: number };

function apply(guild: SimulatedGuild, { kind, at }: Change): void {
  const ids = guild.holdersOf(GUILD);
  const id = ids[Math.floor(at * ids.length)] ?? '';
  if (kind === 'join') guild.addMember({ id: String(BigInt(id) + 7n), roles: [BLUE] });
  else if (kind === 'leave' && id !== guild.ownerId) guild.removeMember(id);
  else guild.updateMember(id, { roles: kind === 'gain' ? [BLUE] : [] });
}

/** Lists while the guild changes before each page. */
async function listWhile(
  { ask, discord }: TokenListing,
  changes: readonly (readonly Change[])[],
  onStep: () => void,
): Promise<string[]> {
  let gate = discord.rest.faults.hold(MEMBERS);
  const listing = ask();
  for (const [step, group] of changes.entries()) {
    await gate.reached;
    for (const each of group) {
      apply(discord.guild(), each);
      onStep();
    }
    const before = gate;
    // After the last group all pages pass.
    if (step < changes.length - 1) gate = discord.rest.faults.hold(MEMBERS);
    before.release();
  }
  return membersOf(await listing);
}

describe('a guild that changes between the pages', () => {
  test('is listed in order, with all members who kept the role and none who never had it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(change, { maxLength: 6 }), { minLength: 3, maxLength: 3 }),
        async (changes) => {
          const listing = await startTokenListing(bigGuild(2_600));
          const holders = () => new Set(listing.discord.guild().holdersOf(BLUE));
          const ever = holders();
          let always = holders();
          const listed = await listWhile(listing, changes, () => {
            const now = holders();
            for (const id of now) ever.add(id);
            always = always.intersection(now);
          });
          expect(listed).toEqual(listed.toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1)));
          const found = new Set(listed);
          expect(found.size).toBe(listed.length);
          expect(found.isSupersetOf(always)).toBe(true);
          expect(found.isSubsetOf(ever)).toBe(true);
        },
      ),
      { seed: 20_260, numRuns: quickOrFull(8, 20) },
    );
  });

  test('is listed completely when it has more or fewer members than counted', async () => {
    for (const difference of [-300, 300]) {
      const { ask, discord } = await startTokenListing(bigGuild(2_000));
      const guild = discord.guild();
      const gate = discord.rest.faults.hold(MEMBERS);
      const answer = ask({ role_id: GUILD });
      await gate.reached;
      for (let count = 0; count < Math.abs(difference); count += 1) {
        if (difference > 0) guild.addMember();
        else guild.removeMember(guild.holdersOf(GUILD)[1] ?? '');
      }
      gate.release();
      expect(membersOf(await answer)).toEqual(guild.holdersOf(GUILD));
    }
  });
});

/** After the first page, the next ones are empty. */
async function startWithEmptyPages(times: number) {
  const listing = await startTokenListing(bigGuild(2_100));
  const { faults } = listing.discord.rest;
  const gate = faults.hold(MEMBERS);
  faults.garble(MEMBERS, { text: '[]', times });
  gate.release();
  return listing;
}

describe('an empty page before the end', () => {
  test('is requested again before the listing continues', async () => {
    const { ask, discord } = await startWithEmptyPages(2);
    expect(membersOf(await ask())).toEqual(discord.guild().holdersOf(BLUE));
  });

  test('leads to an error when it stays empty, because a part never counts as the whole', async () => {
    const { askCode } = await startWithEmptyPages(Infinity);
    expect(await askCode()).toBe('discord_unavailable');
  });

  test('ends the listing when members have left meanwhile', async () => {
    const { ask, discord } = await startTokenListing(bigGuild(2_000));
    const guild = discord.guild();
    const gate = discord.rest.faults.hold(MEMBERS);
    const answer = ask({ role_id: GUILD });
    await gate.reached;
    for (const id of guild.holdersOf(GUILD).slice(900, 1_900)) guild.removeMember(id);
    gate.release();
    expect(membersOf(await answer)).toEqual(guild.holdersOf(GUILD));
    // The page, the empty one after it, and once more to be sure.
    expect(discord.rest.callsTo(MEMBERS).length).toBeLessThanOrEqual(4);
  });
});

describe('the members of a response', () => {
  test('are the same bytes from the gateway and from a token', async () => {
    const { ask, discord } = await startTokenListing(bigGuild(3_000));
    const feed = await new Feed(discord, {}).login();
    onTestFinished(async () => {
      feed.members.close();
      await feed.connection.close();
    });
    const guild = discord.guild();
    guild.updateMember(guild.holdersOf(GUILD)[7] ?? '', { roles: [RED, BLUE] });
    guild.addMember({ id: '18446744073709551615', roles: [BLUE] });
    await feed.caughtUp();
    await feed.untilComplete();
    for (const input of [
      { role_id: BLUE },
      { role_id: RED },
      { role_id: EMPTY },
      { role_id: GUILD },
      { role_id: BLUE, limit: 100 },
      { role_id: BLUE, limit: 100, after: guild.holdersOf(BLUE)[500] },
      { role_id: BLUE, after: '18446744073709551615' },
    ]) {
      const gateway = await ask({ ...input, source: 'gateway' }, { guildId: GUILD, members: feed.members });
      const token = await ask({ ...input, source: 'token' }, { guildId: GUILD });
      const bytes = Buffer.concat([...jsonBytesOf(token.value['members'])]);
      expect(bytes).toEqual(Buffer.concat([...jsonBytesOf(gateway.value['members'])]));
      expect(JSON.parse(bytes.toString())).toEqual(membersOf(token));
      const times = { as_of: expect.any(Number), source: expect.any(String) };
      expect({ ...token.value, ...times }).toEqual({
        ...gateway.value,
        ...times,
        members: token.value['members'],
      });
    }
  });
});

function jsonBytesOf(members: unknown): Iterable<Uint8Array> {
  if (typeof members === 'object' && members !== null && 'jsonBytes' in members) {
    return (members as { jsonBytes(): Iterable<Uint8Array> }).jsonBytes();
  }
  throw new Error('There are no members.');
}
