/** One request to an operation and what it answers; the documents show it and a test sends it. */
export interface OperationExample {
  readonly input: Readonly<Record<string, unknown>>;
  readonly answer: Readonly<Record<string, unknown>>;
  /** The real answer lists more of the same. */
  readonly isExcerpt?: true;
}

/** PNG of one pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

export const EXAMPLE_GUILD_ID = '876543210987654321';
export const EXAMPLE_ROLE_ID = '765432109876543210';

/** By the name of the operation. */
export const OPERATION_EXAMPLES: Readonly<Record<string, OperationExample>> = {
  'parse-args': {
    input: { text: '!tempban <@123456789012345678> 7d spamming links' },
    answer: {
      ok: true,
      prefix: '!',
      command: 'tempban',
      subcommand: null,
      user: '<@123456789012345678>',
      user_id: '123456789012345678',
      channel_id: null,
      role_id: null,
      duration: '7d',
      duration_ms: 604_800_000,
      duration_seconds: 604_800,
      permanent: false,
      until: null,
      reason: 'spamming links',
      args: ['<@123456789012345678>', '7d', 'spamming', 'links'],
      mentions: ['123456789012345678'],
      flags: {},
    },
  },
  'permission-encoder': {
    input: { permissions: ['SEND_MESSAGES', 'ADD_REACTIONS'] },
    answer: {
      ok: true,
      bitfield: '2112',
      hex: '0x840',
      count: 2,
      permissions: ['ADD_REACTIONS', 'SEND_MESSAGES'],
      elevated: [],
    },
  },
  'permission-decoder': {
    input: { bitfield: '0x840' },
    answer: {
      ok: true,
      bitfield: '2112',
      hex: '0x840',
      count: 2,
      permissions: ['ADD_REACTIONS', 'SEND_MESSAGES'],
      elevated: [],
      unknown_bits: [],
      hints: [],
    },
  },
  permissions: {
    input: {},
    answer: {
      ok: true,
      count: 1,
      permissions: [
        {
          name: 'CREATE_INSTANT_INVITE',
          bit: 0,
          value: '1',
          elevated: false,
          description: 'Create invites.',
          channel_types: ['text', 'voice', 'stage'],
        },
      ],
    },
    isExcerpt: true,
  },
  'text-splitter': {
    input: { text: '||The butler did it. Nobody else was home.||', max_length: 30 },
    answer: {
      ok: true,
      count: 2,
      chunks: ['||The butler did it.||', '||Nobody else was home.||'],
      max_length: 30,
      total_length: 44,
      truncated: false,
    },
  },
  'image-to-base64': {
    input: { url: 'https://cdn.discordapp.com/embed/avatars/0.png', format: 'data_uri' },
    answer: {
      ok: true,
      base64: null,
      data_uri: `data:image/png;base64,${PIXEL}`,
      mime_type: 'image/png',
      size: 70,
      width: 1,
      height: 1,
      animated: false,
      emoji_ok: true,
    },
  },
  'role-members': {
    input: { guild_id: EXAMPLE_GUILD_ID, role_id: EXAMPLE_ROLE_ID },
    answer: {
      ok: true,
      guild_id: EXAMPLE_GUILD_ID,
      role_id: EXAMPLE_ROLE_ID,
      count: 2,
      members: ['123456789012345678', '234567890123456789'],
      returned: 2,
      next_after: null,
      source: 'token',
      as_of: 1_767_225_600,
      pending: false,
    },
  },
};

/** @throws Error for an operation that has none */
export function exampleOf(operation: { readonly name: string }): OperationExample {
  const example = OPERATION_EXAMPLES[operation.name];
  if (example === undefined) throw new Error(`The operation ${operation.name} has no example.`);
  return example;
}
