import { onTestFinished } from 'vitest';

import { RestMembers } from '../../../src/members/rest/rest-members.ts';
import type { RestMembersOptions } from '../../../src/members/rest/rest-members-options.ts';
import type { MemberDirectory } from '../../../src/members/member-directory.ts';
import type { Answer, OperationContext, SuccessBody } from '../../../src/operations/operation.ts';
import { roleMembers } from '../../../src/operations/role-members/operation.ts';
import { Problem, type ProblemCode } from '../../../src/kernel/problem.ts';
import { startSimulator, type Simulator, type SimulatorOptions } from '../../simulator/simulator.ts';
import { NO_DELIVERIES } from '../../fixtures/no-deliveries.ts';
import { NO_MEMBERS } from '../../fixtures/no-members.ts';

export const GUILD = '300000000000000001';
export const BLUE = '400000000000000001';
export const RED = '400000000000000002';
/** Known to the guild and held by nobody. */
export const EMPTY = '400000000000000003';
export const KEY_GUILD = '310000000000000001';
export const MEMBERS = 'GET /guilds/:guild/members';
export const COUNTS = 'GET /guilds/:guild/roles/member-counts';
export const GUILD_ROUTE = 'GET /guilds/:guild';

/** A guild of `count` members: every third is blue, the first and the last are red. Nobody is a bot by default. */
export function bigGuild(count: number, isBot: (index: number) => boolean = () => false): SimulatorOptions {
  const rolesOf = (index: number) => [
    ...(index % 3 === 0 ? [BLUE] : []),
    ...(index === 0 || index === count - 1 ? [RED] : []),
  ];
  return {
    guilds: [
      { id: GUILD, roles: [{ id: BLUE }, { id: RED }, { id: EMPTY }], members: { count, rolesOf, isBot } },
    ],
  };
}

export interface TokenListing {
  readonly discord: Simulator;
  readonly directory: RestMembers;
  /** Asks for the blue role of the guild with the bot's token, but for what is given. */
  readonly ask: Ask<Answer<SuccessBody>>;
  /** The code of the problem that `ask` throws. */
  readonly askCode: Ask<ProblemCode>;
  /** Asks again while the listing goes on, or a count is late; `onProgress` sees how far a listing is. */
  readonly askUntilDone: (
    input?: Record<string, unknown>,
    onProgress?: (problem: Problem) => void,
    context?: Partial<OperationContext>,
  ) => Promise<Answer<SuccessBody>>;
}

type Ask<T> = (input?: Record<string, unknown>, context?: Partial<OperationContext>) => Promise<T>;

const gatewayOff: MemberDirectory = {
  ...NO_MEMBERS,
  async ask() {
    throw new Problem('member_list_unavailable/off');
  },
};

/** The operation over a directory that speaks HTTP with a simulated Discord. Closed when the test ends. */
export async function startTokenListing(
  simulated: SimulatorOptions,
  options: Partial<RestMembersOptions> = {},
  members: MemberDirectory = gatewayOff,
): Promise<TokenListing> {
  const discord = await startSimulator(simulated);
  // These tests are not about how fast a machine is, unless they say so.
  const patient = { callTimeoutMs: 60_000, callerWaitMs: 60_000, retryDelaysMs: [1, 1] };
  const directory = new RestMembers({ apiUrl: discord.apiUrl, ...patient, ...options });
  onTestFinished(async () => {
    await directory.close();
    await discord.close();
  });
  const ask: TokenListing['ask'] = (input = {}, context = {}) =>
    roleMembers.answer(
      { guild_id: GUILD, role_id: BLUE, ...input },
      {
        // A key's guild is who its calls count for.
        tenantId: context.guildId ?? KEY_GUILD,
        guildId: KEY_GUILD,
        now: Date.now,
        secret: discord.bot().token,
        signal: new AbortController().signal,
        members,
        idempotencyKey: null,
        deliveries: NO_DELIVERIES,
        restMembers: directory,
        images: {
          async fetch() {
            throw new Problem('internal');
          },
        },
        ...context,
      },
    );
  return {
    discord,
    directory,
    ask,
    async askCode(input, context) {
      try {
        await ask(input, context);
      } catch (error) {
        if (error instanceof Problem) return error.code;
        throw error;
      }
      throw new Error('The lookup did not fail.');
    },
    async askUntilDone(input, onProgress, context) {
      for (;;) {
        try {
          return await ask(input, context);
        } catch (error) {
          if (!(error instanceof Problem && (error.isPending || error.code === 'discord_timeout')))
            throw error;
          if (error.isPending) onProgress?.(error);
        }
      }
    },
  };
}

/** Resolves when the timers of this length that were set before have run: Node keeps their order. */
export function untilTimersOf(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** `members` as HTTP sends them. */
export function membersOf(answer: Answer<SuccessBody>): string[] {
  return JSON.parse(JSON.stringify(answer.value['members'])) as string[];
}

export /** Each with two members: its owner and the bot. */
const guilds = (count: number) => ({
  guilds: Array.from({ length: count }, (_, index) => ({ id: `30000000000000${1_000 + index}` })),
});
