/**
 * BotGhost reliably reads only one flat key and fills its variables only on 2xx. BDFD has no loops. The others read
 * arrays and see the status code, or can do without it.
 */
export const BUILDERS = {
  code: { label: 'Code', flat: false, always200: false },
  bdfd: { label: 'BDFD', flat: true, always200: false },
  botghost: { label: 'BotGhost', flat: true, always200: true },
  kite: { label: 'Kite', flat: false, always200: false },
  aoijs: { label: 'aoi.js', flat: false, always200: false },
  forgescript: { label: 'ForgeScript', flat: false, always200: false },
  discord_bot_maker: { label: 'Discord Bot Maker', flat: false, always200: false },
  automation: { label: 'n8n, Make, Zapier', flat: false, always200: false },
} as const satisfies Record<string, { label: string; flat: boolean; always200: boolean }>;

export type BuilderId = keyof typeof BUILDERS;

export function isBuilderId(value: string): value is BuilderId {
  return Object.hasOwn(BUILDERS, value);
}
