import type {
  APIGuildMember,
  GatewayGuildCreateDispatchData,
  GatewayGuildMembersChunkDispatchData,
  GatewayGuildMemberUpdateDispatchData,
} from 'discord-api-types/v10';

/** Roles of the guild, the most common first: role r is held by 85 % / r^1.1, four roles a member on average. */
const ROLES = 250;
const CHUNK_MEMBERS = 1_000;
/** The member with the number 0, the first of every guild. */
export const BOT_ID = '60000000000000000';

/** The same sequence of numbers from 0 to 1 for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A synthetic guild as its packets; equal parameters give equal packets in every process. */
export class SyntheticGuild {
  readonly id: string;
  readonly memberCount: number;
  readonly roleIds: readonly string[];
  /** Held by 18 members of 500,000, 1 % and 85 %. */
  readonly small: string;
  readonly medium: string;
  readonly large: string;
  readonly #cumulated: readonly number[];
  readonly #ascending: boolean;
  readonly #firstMember: number;

  /** Guilds have members in common unless they begin with another one. All have the bot. */
  constructor(
    memberCount: number,
    { id = '81384788765712384', roles = ROLES, ascending = false, firstMember = 0 } = {},
  ) {
    this.id = id;
    this.memberCount = memberCount;
    this.roleIds = Array.from({ length: roles }, (_, at) =>
      String(BigInt(id) + 4_194_304_000n * BigInt(at + 1)),
    );
    this.#cumulated = Array.from({ length: roles - 1 }, (_, at) => 0.85 / (at + 1) ** 1.1);
    this.#ascending = ascending;
    this.#firstMember = firstMember;
    this.large = this.roleIds[0]!;
    this.medium = this.roleIds[56] ?? this.large;
    this.small = this.roleIds.at(-1)!;
  }

  /** Chunks of 1,000 members each, made while they are taken. */
  *chunks(nonce: string): Generator<GatewayGuildMembersChunkDispatchData> {
    const chunkCount = Math.ceil(this.memberCount / CHUNK_MEMBERS);
    for (let index = 0; index < chunkCount; index += 1) {
      const from = index * CHUNK_MEMBERS;
      const length = Math.min(CHUNK_MEMBERS, this.memberCount - from);
      yield {
        guild_id: this.id,
        nonce,
        chunk_index: index,
        chunk_count: chunkCount,
        members: Array.from({ length }, (_, at) =>
          this.#member(from + at === 0 ? 0 : this.#firstMember + from + at),
        ),
      };
    }
  }

  guildCreate(): GatewayGuildCreateDispatchData {
    const roles = [this.id, ...this.roleIds].map((id, position) => ({
      id,
      name: `role ${position}`,
      position,
      permissions: '0',
      color: 0,
      colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
      hoist: false,
      managed: false,
      mentionable: false,
      flags: 0,
    }));
    const guild = {
      id: this.id,
      name: 'Synthetic',
      owner_id: '1',
      member_count: this.memberCount,
      large: true,
      unavailable: false,
      joined_at: '2024-01-01T00:00:00.000000+00:00',
      roles,
      members: [],
      channels: [],
      threads: [],
      presences: [],
      voice_states: [],
      stage_instances: [],
      guild_scheduled_events: [],
      soundboard_sounds: [],
      emojis: [],
      stickers: [],
      features: [],
    };
    return guild as unknown as GatewayGuildCreateDispatchData;
  }

  /**
   * Updates of random members, another batch for each seed: one gets a role that it lacks or loses one that it has.
   * Nine in ten change the roles of a member, far more than at Discord, where most are about a name or a picture.
   */
  updates(count: number, seed: number): GatewayGuildMemberUpdateDispatchData[] {
    const random = randomFrom(seed);
    return Array.from({ length: count }, () => {
      const member = this.#randomMember(random);
      const role = this.roleIds[Math.floor(random() * this.roleIds.length)]!;
      let { roles } = member;
      if (roles.includes(role)) roles = roles.filter((id) => id !== role);
      else roles = random() < 0.5 ? [...roles, role] : roles.slice(1);
      return { ...member, roles, guild_id: this.id } as GatewayGuildMemberUpdateDispatchData;
    });
  }

  /** Updates of random members that leave their roles as they were sent in a chunk. */
  renames(count: number, seed: number): GatewayGuildMemberUpdateDispatchData[] {
    const random = randomFrom(seed);
    return Array.from({ length: count }, () => {
      const member = this.#randomMember(random);
      return { ...member, nick: `nick ${seed}`, guild_id: this.id } as GatewayGuildMemberUpdateDispatchData;
    });
  }

  #randomMember(random: () => number): APIGuildMember {
    return this.#member(this.#firstMember + Math.floor(random() * this.memberCount));
  }

  #member(at: number): APIGuildMember {
    const random = randomFrom(at * 2_654_435_761 + 1);
    const roles: string[] = [];
    for (let role = 0; role < this.#cumulated.length; role += 1) {
      if (random() < this.#cumulated[role]!) roles.push(this.roleIds[role]!);
    }
    // 18 of 500,000 hold the rarest one.
    if (at % 27_777 === 0) roles.push(this.small);
    const name = `member-${at.toString(36)}`;
    const member: unknown = {
      user: {
        id: this.#idAt(at),
        username: name,
        discriminator: '0',
        global_name: `Member ${name}`,
        avatar: 'a_5f4dcc3b5aa765d61d8327deb882cf99',
        public_flags: 64,
        avatar_decoration_data: null,
        primary_guild: null,
      },
      nick: at % 4 === 0 ? `nick ${name}` : null,
      avatar: null,
      banner: null,
      roles,
      joined_at: '2023-05-17T09:41:26.583000+00:00',
      premium_since: null,
      communication_disabled_until: null,
      deaf: false,
      mute: false,
      pending: false,
      flags: 0,
    };
    return member as APIGuildMember;
  }

  /** 17 to 19 digits, scattered, or one after the other. */
  #idAt(at: number): string {
    const order = this.#ascending ? at : (at * 2_654_435_761) % 4_294_967_296;
    const scale = this.#ascending ? 2_000_000_000_003n : 312_000_007n;
    return String(60_000_000_000_000_000n + BigInt(order) * scale + BigInt(at % 7));
  }
}
