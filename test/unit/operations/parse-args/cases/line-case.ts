/** The expected answer; parts that are left out are expected to be null, empty or false. */
export interface ExpectedLine {
  readonly prefix?: string | null;
  readonly command?: string | null;
  readonly subcommand?: string;
  readonly user?: string;
  readonly user_id?: string;
  readonly channel_id?: string;
  readonly role_id?: string;
  readonly duration?: string;
  readonly duration_ms?: number;
  readonly permanent?: true;
  readonly until?: number;
  readonly reason?: string;
  readonly mentions?: readonly string[];
  readonly flags?: Readonly<Record<string, true | string>>;
}

export interface LineCase {
  readonly text: string;
  readonly expected: ExpectedLine;
}

export const A = '100000000000000001';
export const B = '200000000000000002';
export const C = '300000000000000003';
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const WEEK = 7 * DAY;
export const MONTH = 30 * DAY;
export const YEAR = 365 * DAY;

/** A case whose line begins with `!ban`, unless it says otherwise. */
export function line(text: string, expected: ExpectedLine = {}): LineCase {
  return { text, expected: { prefix: '!', command: 'ban', ...expected } };
}

/** `!ban <@A>` and then `rest`, which is a duration, a reason or both. */
export function afterUser(
  rest: string,
  duration: readonly [typed: string, ms: number | 'permanent'] | 'none',
  reason?: string,
): LineCase {
  return line(`!ban <@${A}> ${rest}`, {
    user: `<@${A}>`,
    user_id: A,
    ...(duration === 'none' ? {} : durationFields(...duration)),
    ...(reason === undefined ? {} : { reason }),
  });
}

function durationFields(duration: string, ms: number | 'permanent'): ExpectedLine {
  return ms === 'permanent' ? { duration, permanent: true } : { duration, duration_ms: ms };
}
