import { isIP } from 'node:net';
import * as z from 'zod';

export const wholeNumber = (min: number, max: number) => {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,12}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
};

export const flag = z
  .string()
  .toLowerCase()
  .pipe(z.enum(['true', 'false', '1', '0', 'yes', 'no', 'on', 'off'], 'must be true or false'))
  .transform((value) => ['true', '1', 'yes', 'on'].includes(value));

const BLANK = /[\s\p{Cc}]/u;
/** In a password, `#` would end the URL, and its rest would name another host. */
const HASH_OR_BLANK = /[\s\p{Cc}#]/u;

/** We append paths to it and show it to people, so it has no user, query or fragment. */
export const webUrl = z
  .string()
  .superRefine((value, context) => {
    const fail = (message: string) => context.addIssue({ code: 'custom', message });
    if (BLANK.test(value)) fail('must be a URL without blanks');
    else if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) {
      fail('must be an http or https URL');
    } else if (/[?#]/.test(value)) fail('must be a URL without ? and #');
    else if (new URL(value).href !== withoutUser(value)) fail('must be a URL without user and password');
  })
  .transform((value) => new URL(value).href.replace(/(?<!\/)\/+$/, ''));

function withoutUser(value: string): string {
  const url = new URL(value);
  url.username = '';
  url.password = '';
  return url.href;
}

export const listenAddress = z
  .string()
  .refine(
    (value) => isIP(value) !== 0 || /^[\w.-]+$/.test(value),
    'must be an IP address or a name of this machine, without a port',
  );

const REDIS_URL_FORM =
  'redis://host:6379, rediss://… or with the number of a database, redis://host:6379/1, with %25 for a percent sign and %23 for #';

function isRedisUrl(value: string): boolean {
  if (!/^rediss?:\/\//.test(value) || HASH_OR_BLANK.test(value) || !URL.canParse(value)) return false;
  const { username, password, hostname, pathname } = new URL(value);
  return hostname !== '' && /^\/?\d{0,5}$/.test(pathname) && canBeDecoded(username) && canBeDecoded(password);
}

function isPostgresUrl(value: string): boolean {
  if (!/^postgres(ql)?:\/\/[^/]/.test(value) || HASH_OR_BLANK.test(value)) return false;
  // Without a host it is a local socket, and its folder is in the query.
  const url = URL.parse(value) ?? URL.parse(value.replace('@/', '@localhost/'));
  return url !== null && canBeDecoded(url.pathname);
}

function isSqliteUrl(value: string): boolean {
  return /^sqlite:\/\/.*[^/]$/.test(value) && canBeDecoded(value) && !/\p{Cc}/u.test(decodeURI(value));
}

/**
 * False for a percent sign that encodes nothing: drivers decode the URL, and would fail with words that name no
 * setting.
 */
function canBeDecoded(text: string): boolean {
  try {
    decodeURI(text);
    return true;
  } catch {
    return false;
  }
}

export const storageUrl = z.string().superRefine((value, context) => {
  const fail = (message: string) => context.addIssue({ code: 'custom', message });
  if (value.startsWith('sqlite:')) {
    if (!isSqliteUrl(value)) {
      fail('must name a file, sqlite://file or sqlite:///absolute/file, with %25 for a percent sign');
    }
  } else if (/^rediss?:/.test(value)) {
    if (!isRedisUrl(value)) fail(`must be ${REDIS_URL_FORM}`);
  } else if (/^postgres(ql)?:/.test(value)) {
    if (!isPostgresUrl(value))
      fail('must be postgres://user:password@host:5432/database, with %25 for a percent sign and %23 for #');
  } else if (value !== 'memory:') {
    fail('must be sqlite://file, sqlite:///absolute/file, memory:, redis://host or postgres://host/database');
  }
});

/** The same for the log: without user, password and query, which may hold them too. */
export function describeStorage(url: string): string {
  if (!/^(?:redis|postgres)/.test(url)) return url;
  // Without a host it is a local socket.
  const { protocol, host, pathname } = URL.parse(url) ?? new URL('postgres://localhost');
  return `${protocol}//${host}${pathname}`;
}

export const shardList = z.string().transform((value, context): 'all' | 'none' | number[] => {
  const word = value.toLowerCase();
  if (word === 'all' || word === 'none') return word;
  const shards = new Set<number>();
  for (const part of word.split(',')) {
    const range = /^\s*(\d{1,5})\s*(?:-\s*(\d{1,5})\s*)?$/.exec(part);
    const first = Number(range?.[1]);
    const last = Number(range?.[2] ?? first);
    if (range === null || last < first || last - first >= 10_000) {
      context.addIssue({ code: 'custom', message: 'must be all, none, or shard ids such as 0-3,8' });
      return z.NEVER;
    }
    for (let shard = first; shard <= last; shard += 1) shards.add(shard);
  }
  return [...shards].toSorted((a, b) => a - b);
});

const PROXY_RANGES = ['loopback', 'linklocal', 'uniquelocal'];

/** The proxies whose X-Forwarded-For is trusted: https://expressjs.com/en/guide/behind-proxies.html */
export const trustProxy = z.string().transform((value, context): false | number | string[] => {
  const word = value.toLowerCase();
  if (['off', 'false', 'no', '0'].includes(word)) return false;
  if (/^\d{1,2}$/.test(word)) return Number(word);
  const parts = word.split(',').map((part) => part.trim());
  if (parts.every((part) => PROXY_RANGES.includes(part) || isAddressRange(part))) return parts;
  context.addIssue({
    code: 'custom',
    message: ['true', 'yes', 'on'].includes(word)
      ? 'must say which proxies to believe: their number, or their IP addresses. Believing all would let callers make theirs up'
      : 'must be off, the number of proxies in front, or IP addresses such as 10.0.0.0/8,::1,loopback',
  });
  return z.NEVER;
});

/** An address, optionally with a prefix length. */
function isAddressRange(text: string): boolean {
  const [, address = '', , prefix] = /^([\d.a-f:]{2,45})(\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0) return false;
  return prefix === undefined || (Number(prefix) >= 1 && Number(prefix) <= (version === 4 ? 32 : 128));
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export const logLevel = z
  .string()
  .toLowerCase()
  .pipe(z.enum(LOG_LEVELS, `must be ${LOG_LEVELS.slice(0, -1).join(', ')} or silent`));

export const redisUrl = z.string().refine(isRedisUrl, `must be ${REDIS_URL_FORM}`);

export const botToken = z
  .string()
  .regex(/^(?:Bot +)?[!-~]{50,}$/i, 'must be a bot token from the Discord developer portal')
  .transform((value) => value.replace(/^Bot +/i, ''));
