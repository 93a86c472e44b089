/** What people build bots with, and the form in which it can read our answers. */
interface Builder {
  readonly label: string;
  /** A key made for it gets answers without lists and objects, unless a request asks otherwise. */
  readonly flat: boolean;
  /** A key made for it gets the status 200 even for failures, unless a request asks otherwise. */
  readonly always200: boolean;
  /** True for a library or a shell. Keys are made for all of them together, under the id `code`. */
  readonly isCode: boolean;
}

const READS_LISTS = { flat: false, always200: false, isCode: false };
const CODE = { ...READS_LISTS, isCode: true };

/**
 * Every builder that has recipes, in the order of the documents. BotGhost reliably reads only one flat key and fills
 * its variables only on 2xx. BDFD has no loops. The others read arrays and see the status code, or can do without it.
 */
export const BUILDERS = {
  bdfd: { label: 'BDFD', flat: true, always200: false, isCode: false },
  botghost: { label: 'BotGhost', flat: true, always200: true, isCode: false },
  kite: { label: 'Kite', ...READS_LISTS },
  aoijs: { label: 'aoi.js', ...READS_LISTS },
  forgescript: { label: 'ForgeScript', ...READS_LISTS },
  discord_bot_maker: { label: 'Discord Bot Maker', ...READS_LISTS },
  n8n: { label: 'n8n', ...READS_LISTS },
  make: { label: 'Make', ...READS_LISTS },
  zapier: { label: 'Zapier', ...READS_LISTS },
  discordjs: { label: 'discord.js', ...CODE },
  discordpy: { label: 'discord.py', ...CODE },
  curl: { label: 'curl', ...CODE },
} as const satisfies Record<string, Builder>;

export type BuilderId = keyof typeof BUILDERS;

/** Names of keys that are for several builders. Only older keys have the name `automation`. */
const KEY_GROUPS = {
  code: { label: 'Code', recipesOf: 'discordjs' },
  automation: { label: 'n8n, Make, Zapier', recipesOf: 'make' },
} as const satisfies Record<string, { readonly label: string; readonly recipesOf: BuilderId }>;

export type KeyBuilderId = BuilderId | keyof typeof KEY_GROUPS;

export function isBuilderId(value: string): value is BuilderId {
  return Object.hasOwn(BUILDERS, value);
}

export function isKeyBuilderId(value: string): value is KeyBuilderId {
  return isBuilderId(value) || Object.hasOwn(KEY_GROUPS, value);
}

/** Null for a key without a builder, or for one that only another version knows. */
export function readKeyBuilder(stored: string | null): KeyBuilderId | null {
  return stored !== null && isKeyBuilderId(stored) ? stored : null;
}

/** @returns its name, and the builder whose recipes an owner of such a key gets */
export function keyBuilderOf(id: KeyBuilderId): Omit<Builder, 'isCode'> & { readonly recipesOf: BuilderId } {
  if (isBuilderId(id)) return { ...BUILDERS[id], recipesOf: id };
  const { label, recipesOf } = KEY_GROUPS[id];
  return { ...BUILDERS[recipesOf], label, recipesOf };
}

/** The builders that a new key can be made for. */
export const KEY_BUILDERS: readonly KeyBuilderId[] = [
  'code',
  ...Object.keys(BUILDERS)
    .filter(isBuilderId)
    .filter((id) => !BUILDERS[id].isCode),
];
