export const DAY_MS = 86_400_000;

/** `2026-11-28 16:05`. @param at milliseconds since 1970 */
export function toUtcMinute(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}

/** `2026-11-28`. @param at milliseconds since 1970 */
export function toUtcDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
