import { isIP } from 'node:net';

import * as z from 'zod';

import { readBuildVersion } from './build-version.ts';
import {
  describeHost,
  describeProxy,
  describeWipedDisk,
  settingsOfHost,
  type Environment,
} from './hosting.ts';
import {
  botToken,
  describeStorage,
  flag,
  listenAddress,
  logLevel,
  redisUrl,
  shardList,
  storageUrl,
  trustProxy,
  webUrl,
  wholeNumber,
} from './setting-types.ts';

/** Settings that hold a secret. Their values never appear in a message or a log. */
const SECRET = { secret: true } as const;

/** Settings that may come in a file, as secrets of Docker and Kubernetes do. */
export const SETTINGS_IN_FILES = ['DISCORD_TOKEN', 'STORAGE_URL', 'REDIS_URL'] as const;

/** Read with the environment, which then has the plain name. */
const secretFile = (name: string) => z.string().optional().describe(`File that holds ${name}`);

const notOurs = z
  .undefined('is a name of discord.js that has no effect here; use GATEWAY_SHARDS and GATEWAY_SHARD_COUNT')
  .optional();

/** The URLs of buttons in Discord append a path to it, and may have 512 characters. */
const PUBLIC_URL_LENGTH_MAX = 400;

/** Every setting, as text from the environment without blanks around it. An empty value counts as not set. */
export const environmentSchema = z.object({
  HOST: listenAddress
    .default('127.0.0.1')
    .describe('IP address to listen on; 0.0.0.0 where a hosting platform is recognised'),
  PORT: wholeNumber(0, 65_535).default(3000).describe('Port of the HTTP API; 0 takes a free one'),
  PUBLIC_URL: webUrl
    .refine(
      (url) => url.length <= PUBLIC_URL_LENGTH_MAX,
      `must have at most ${PUBLIC_URL_LENGTH_MAX} characters`,
    )
    .optional()
    .describe('URL under which callers reach the API; default http://localhost:PORT'),
  DISCORD_TOKEN: botToken
    .optional()
    .meta(SECRET)
    .describe('Token of the bot; without it the service is HTTP only'),
  DISCORD_API_URL: webUrl
    .refine(
      (url) => !/\/v\d+$/i.test(url),
      'must be the URL without the version, such as https://discord.com/api',
    )
    .default('https://discord.com/api')
    .describe('URL of Discord, without the version'),
  STORAGE_URL: storageUrl
    .default('sqlite://data/quartermaster.sqlite')
    .meta(SECRET)
    .describe('Where keys are kept: sqlite://…, memory:, redis://… or postgres://…'),
  REDIS_URL: redisUrl
    .optional()
    .meta(SECRET)
    .describe('Shares limits, revocations and shards among several processes'),
  GATEWAY_SHARDS: shardList.default('all').describe('all, none (HTTP only) or shard ids such as 0-3,8'),
  GATEWAY_SHARD_COUNT: z
    .union(
      [z.string().toLowerCase().pipe(z.literal('auto')), wholeNumber(1, 100_000)],
      'must be auto or a whole number from 1',
    )
    .default('auto')
    .describe('Shards of the whole bot; auto asks Discord'),
  RATE_LIMIT: wholeNumber(1, 1_000_000_000).default(120).describe('Requests a minute per guild'),
  IMAGE_RATE_LIMIT: wholeNumber(1, 1_000_000_000).default(20).describe('Images a minute per guild'),
  SEND_RATE_LIMIT: wholeNumber(1, 1_000_000_000)
    .default(10)
    .describe('Texts that send posts, a minute per guild'),
  ALLOW_CALLER_TOKENS: flag
    .default(true)
    .describe("Whether operations about members take callers' bot tokens"),
  IMAGE_ALLOW_PRIVATE: flag
    .default(false)
    .describe('Lets image-to-base64 into private networks; for tests and closed networks'),
  TRUST_PROXY: trustProxy
    .default(false)
    .describe('off, number of proxies in front, or their IP addresses separated by commas'),
  METRICS_HOST: listenAddress.default('127.0.0.1').describe('IP address of the metrics'),
  METRICS_PORT: wholeNumber(0, 65_535).optional().describe('Port of the metrics; off when not set'),
  LOG_LEVEL: logLevel.default('info').describe('trace, debug, info, warn, error, fatal or silent'),
  SHUTDOWN_TIMEOUT_MS: wholeNumber(0, 600_000)
    .default(15_000)
    .describe('How long running requests may take after SIGTERM'),
  SOURCE_URL: webUrl
    .optional()
    .describe('Where its source can be read: *Source* at the foot of every page leads there'),
  DISCORD_TOKEN_FILE: secretFile('DISCORD_TOKEN'),
  STORAGE_URL_FILE: secretFile('STORAGE_URL'),
  REDIS_URL_FILE: secretFile('REDIS_URL'),
  SHARDS: notOurs,
  SHARD_COUNT: notOurs,
});

/**
 * Settings that are fine alone but not together. All problems are reported together, so other settings may be wrong
 * too.
 */
function findContradictions(given: Environment): string[] {
  const found: string[] = [];
  const { shape } = environmentSchema;
  const shards = shape.GATEWAY_SHARDS.safeParse(given['GATEWAY_SHARDS']).data;
  const count = shape.GATEWAY_SHARD_COUNT.safeParse(given['GATEWAY_SHARD_COUNT']).data;
  const last = Array.isArray(shards) ? (shards.at(-1) ?? 0) : null;
  if (last !== null && count === 'auto') {
    found.push(
      'GATEWAY_SHARD_COUNT must be a number when GATEWAY_SHARDS lists shards, the same in every process',
    );
  } else if (last !== null && typeof count === 'number' && last >= count) {
    found.push(
      `GATEWAY_SHARDS names shard ${last}, but GATEWAY_SHARD_COUNT is ${count}, so the last one is ${count - 1}`,
    );
  }
  return [...found, ...findSharedPorts(given)];
}

/** Checked here, because the second server would report that another program uses its port. */
function findSharedPorts(given: Environment): string[] {
  const { shape } = environmentSchema;
  const api = shape.PORT.safeParse(given['PORT']).data ?? 0;
  const metrics = shape.METRICS_PORT.safeParse(given['METRICS_PORT']).data ?? 0;
  const hosts = [shape.HOST.safeParse(given['HOST']), shape.METRICS_HOST.safeParse(given['METRICS_HOST'])];
  const [host = '', metricsHost = ''] = hosts.map(({ data }) => data);
  if (metrics === 0 || metrics !== api || !canMeet(host, metricsHost)) return [];
  return ['METRICS_PORT must differ from PORT'];
}

/** A host name may mean any address, and so may a host that is known only at startup. */
function canMeet(a: string, b: string): boolean {
  return a === b || [a, b].some((host) => isIP(host) === 0 || host === '0.0.0.0' || host === '::');
}

export type Config = ReturnType<typeof toConfig>;

function toConfig(env: z.output<typeof environmentSchema>, given: Environment) {
  return {
    /** The version with the commit, where it is known. */
    version: readBuildVersion(given),
    /** A sentence for the log about settings that the host has decided; null when it has decided none. */
    hostNote: describeHost(given),
    /** A sentence for the log about a disk that the host wipes; null when the keys are safe. */
    diskWarning: describeWipedDisk(given, env.STORAGE_URL),
    /** A sentence for the log about a proxy that is not used; null without one. */
    proxyNote: describeProxy(given),
    host: env.HOST,
    port: env.PORT,
    /** Without a trailing slash; null until the port is known. */
    publicUrl: env.PUBLIC_URL ?? (env.PORT === 0 ? null : `http://localhost:${env.PORT}`),
    discordToken: env.DISCORD_TOKEN ?? null,
    discordApiUrl: env.DISCORD_API_URL,
    storageUrl: env.STORAGE_URL,
    /** The same without user and password, for the log. */
    storage: describeStorage(env.STORAGE_URL),
    redisUrl: env.REDIS_URL ?? null,
    gatewayShards: env.GATEWAY_SHARDS,
    gatewayShardCount: env.GATEWAY_SHARD_COUNT,
    rateLimit: env.RATE_LIMIT,
    imageRateLimit: env.IMAGE_RATE_LIMIT,
    sendRateLimit: env.SEND_RATE_LIMIT,
    allowsCallerTokens: env.ALLOW_CALLER_TOKENS,
    imageAllowPrivate: env.IMAGE_ALLOW_PRIVATE,
    trustProxy: env.TRUST_PROXY,
    metricsHost: env.METRICS_HOST,
    metricsPort: env.METRICS_PORT ?? null,
    logLevel: env.LOG_LEVEL,
    shutdownTimeoutMs: env.SHUTDOWN_TIMEOUT_MS,
    sourceUrl: env.SOURCE_URL ?? null,
  };
}

/** Lists everything that is wrong with the environment, one line each, without the values of secrets. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(['The settings cannot be used:', ...problems.map((problem) => `  ${problem}`)].join('\n'));
    this.name = 'ConfigError';
  }
}

/** @throws ConfigError that lists every problem */
export function loadConfig(env: Environment): Config {
  return toConfig(readSettings(env), env);
}

/** All settings in effect, for the log. For those that hold a secret it only says whether they are set. */
export function describeSettings(env: Environment): Readonly<Record<string, unknown>> {
  const settings: Readonly<Record<string, unknown>> = readSettings(env);
  const given = withoutEmpty(env);
  const describe = (name: string) => {
    if (!isSecretSetting(name)) return settings[name];
    // A default is no secret.
    return given[name] === undefined ? (settings[name] ?? '[not set]') : '[set]';
  };
  return Object.fromEntries(Object.keys(environmentSchema.shape).map((name) => [name, describe(name)]));
}

export function isSecretSetting(name: string): boolean {
  const schema = Object.hasOwn(environmentSchema.shape, name)
    ? environmentSchema.shape[name as keyof typeof environmentSchema.shape]
    : undefined;
  return schema?.meta()?.['secret'] === true;
}

/** `docker run --env-file` keeps the quotes around a value, and so do forms of panels. */
const IN_QUOTES = /^(["'])(.*)\1$/s;

/** What is set, without the blanks and quotes that files and forms leave around it. */
function withoutEmpty(env: Environment): Environment {
  const trimmed = Object.entries(env).map(
    ([name, value = '']) => [name, value.trim().replace(IN_QUOTES, '$2').trim()] as const,
  );
  return Object.fromEntries(trimmed.filter(([, value]) => value !== ''));
}

function readSettings(env: Environment): z.output<typeof environmentSchema> {
  const given = { ...settingsOfHost(env), ...withoutEmpty(env) };
  const result = environmentSchema.safeParse(given);
  const problems = [
    ...(result.error?.issues ?? []).map((issue) => `${issue.path.join('.')} ${issue.message}`),
    ...findContradictions(given),
  ];
  if (!result.success || problems.length > 0) throw new ConfigError(problems);
  return result.data;
}
