import { describe, expect, test } from 'vitest';

import { readBuildVersion } from '../../../src/config/build-version.ts';
import { ConfigError, describeSettings, loadConfig } from '../../../src/config/config.ts';

const TOKEN = `${'M'.repeat(24)}.${'a'.repeat(6)}.${'b'.repeat(38)}`;

function messageOf(env: Record<string, string | undefined>): string {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
}

describe('the settings', () => {
  test('have the documented defaults on an empty environment', () => {
    expect(loadConfig({})).toEqual({
      version: readBuildVersion({}),
      hostNote: null,
      diskWarning: null,
      proxyNote: null,
      host: '127.0.0.1',
      port: 3000,
      publicUrl: 'http://localhost:3000',
      discordToken: null,
      discordApiUrl: 'https://discord.com/api',
      storageUrl: 'sqlite://data/quartermaster.sqlite',
      storage: 'sqlite://data/quartermaster.sqlite',
      redisUrl: null,
      gatewayShards: 'all',
      gatewayShardCount: 'auto',
      rateLimit: 120,
      imageRateLimit: 20,
      sendRateLimit: 10,
      allowsCallerTokens: true,
      imageAllowPrivate: false,
      trustProxy: false,
      metricsHost: '127.0.0.1',
      metricsPort: null,
      logLevel: 'info',
      shutdownTimeoutMs: 15_000,
      sourceUrl: null,
    });
  });

  test('treat an empty value as not set', () => {
    expect(loadConfig({ PORT: '', DISCORD_TOKEN: '' })).toMatchObject({ port: 3000, discordToken: null });
  });

  test.each([
    ['0-3,8', [0, 1, 2, 3, 8]],
    ['8,1,1', [1, 8]],
    ['all', 'all'],
    ['none', 'none'],
  ])('read the shards %s', (text, shards) => {
    expect(loadConfig({ GATEWAY_SHARDS: text, GATEWAY_SHARD_COUNT: '16' }).gatewayShards).toEqual(shards);
  });

  test.each([
    ['off', false],
    ['No', false],
    ['0', false],
    ['1', 1],
    ['12', 12],
    ['2001:DB8::/32,::1', ['2001:db8::/32', '::1']],
    ['10.1.2.3,LOOPBACK,uniquelocal , linklocal', ['10.1.2.3', 'loopback', 'uniquelocal', 'linklocal']],
    ['loopback, 10.0.0.0/8', ['loopback', '10.0.0.0/8']],
  ])('read the trusted proxies %s', (text, value) => {
    expect(loadConfig({ TRUST_PROXY: text }).trustProxy).toEqual(value);
  });

  test.each([
    ['https://qm.example/base/', 'https://qm.example/base'],
    ['HTTPS://QM.Example:443', 'https://qm.example'],
    ['https://münchen.example/größe', 'https://xn--mnchen-3ya.example/gr%C3%B6%C3%9Fe'],
  ])('convert the URL %s for use in headers, without a slash at the end', (given, kept) => {
    expect(loadConfig({ PUBLIC_URL: given, DISCORD_API_URL: given })).toMatchObject({
      publicUrl: kept,
      discordApiUrl: kept,
    });
  });

  test.each(['INFO', 'Info', ' info'])('accept the log level %j', (level) => {
    expect(loadConfig({ LOG_LEVEL: level }).logLevel).toBe('info');
  });

  test.each(['"', "'"])('ignore quotes around a value: %s', (quote) => {
    const token = `Bot ${'x'.repeat(60)}`;
    const config = loadConfig({
      DISCORD_TOKEN: `${quote}${token}${quote}`,
      RATE_LIMIT: ` ${quote} 7 ${quote} `,
      IMAGE_RATE_LIMIT: quote + quote,
    });
    expect(config).toMatchObject({ discordToken: 'x'.repeat(60), rateLimit: 7, imageRateLimit: 20 });
  });

  test('ignore blanks around a value, and the case of words', () => {
    const config = loadConfig({
      PORT: ' 18261',
      HOST: '0.0.0.0 ',
      PUBLIC_URL: ' https://x',
      STORAGE_URL: ' memory: ',
      ALLOW_CALLER_TOKENS: ' False\t',
      TRUST_PROXY: ' 2 ',
      GATEWAY_SHARDS: ' NONE ',
      GATEWAY_SHARD_COUNT: ' AUTO',
      METRICS_PORT: ' ',
    });
    expect(config).toMatchObject({
      port: 18_261,
      host: '0.0.0.0',
      publicUrl: 'https://x',
      storageUrl: 'memory:',
      allowsCallerTokens: false,
      trustProxy: 2,
      gatewayShards: 'none',
      gatewayShardCount: 'auto',
      metricsPort: null,
    });
  });

  test.each(['0', '65535'])('accept the port %s', (PORT) => {
    expect(loadConfig({ PORT }).port).toBe(Number(PORT));
  });

  test('accept a token with Bot before it, as Discord documents it', () => {
    expect(loadConfig({ DISCORD_TOKEN: ` Bot ${TOKEN} ` }).discordToken).toBe(TOKEN);
  });

  test.each([
    ['memory:', 'memory:'],
    ['sqlite://a b%20c.sqlite', 'sqlite://a b%20c.sqlite'],
    ['sqlite:///var/lib/qm.sqlite', 'sqlite:///var/lib/qm.sqlite'],
    ['redis://:pw@localhost:6379/3', 'redis://localhost:6379/3'],
    ['redis://:100%25@localhost', 'redis://localhost'],
    ['rediss://x', 'rediss://x'],
    ['postgres://user:p%40ss@db:5432/keys?sslmode=require', 'postgres://db:5432/keys'],
    ['postgres://db/keys?user=a&password=b@c', 'postgres://db/keys'],
    ['postgresql://user@/keys?host=/run/postgresql', 'postgres://localhost'],
  ])('accept the storage %s, which the log calls %s', (url, storage) => {
    expect(loadConfig({ STORAGE_URL: url })).toMatchObject({ storageUrl: url, storage });
  });

  test.each([
    ['PORT', '70000', 'PORT must be a whole number from 0 to 65535'],
    ['PORT', '80a', 'PORT must be a whole number'],
    ['PUBLIC_URL', 'ftp://x', 'PUBLIC_URL must be an http or https URL'],
    ['PUBLIC_URL', 'https://', 'PUBLIC_URL must be an http or https URL'],
    ['PUBLIC_URL', 'https://user:hunter2@x', 'PUBLIC_URL must be a URL without user and password'],
    ['PUBLIC_URL', 'https://user@x', 'PUBLIC_URL must be a URL without user and password'],
    ['PUBLIC_URL', 'https://x/?', 'PUBLIC_URL must be a URL without ? and #'],
    ['PUBLIC_URL', 'https://x/#a', 'PUBLIC_URL must be a URL without ? and #'],
    ['PUBLIC_URL', 'https://x/a b', 'PUBLIC_URL must be a URL without blanks'],
    ['PUBLIC_URL', 'https://x/a\nb', 'PUBLIC_URL must be a URL without blanks'],
    ['PUBLIC_URL', `https://x/${'a'.repeat(391)}`, 'PUBLIC_URL must have at most 400 characters'],
    ['DISCORD_API_URL', 'http://x/api?v=10', 'DISCORD_API_URL must be a URL without ? and #'],
    ['DISCORD_API_URL', 'https://discord.com/api/v10', 'DISCORD_API_URL must be the URL without the version'],
    ['DISCORD_API_URL', 'http://proxy:8080/API/V9/', 'DISCORD_API_URL must be the URL without the version'],
    ['HOST', 'localhost:3000', 'HOST must be an IP address or a name of this machine, without a port'],
    ['HOST', '[::1]', 'HOST must be an IP address or a name of this machine'],
    ['METRICS_HOST', 'http://localhost', 'METRICS_HOST must be an IP address'],
    ['STORAGE_URL', 'mysql://x', 'STORAGE_URL must be sqlite://'],
    ['STORAGE_URL', 'sqlite://%zz', 'STORAGE_URL must name a file'],
    ['STORAGE_URL', 'sqlite://', 'STORAGE_URL must name a file'],
    ['STORAGE_URL', 'sqlite://folder/', 'STORAGE_URL must name a file'],
    ['STORAGE_URL', 'sqlite:file', 'STORAGE_URL must name a file'],
    ['STORAGE_URL', 'sqlite://a%00b', 'STORAGE_URL must name a file'],
    ['STORAGE_URL', 'redis://x:99999', 'STORAGE_URL must be redis://host:6379'],
    ['STORAGE_URL', 'redis://x/one', 'STORAGE_URL must be redis://host:6379'],
    ['STORAGE_URL', 'postgres://x:99999/db', 'STORAGE_URL must be postgres://'],
    ['STORAGE_URL', 'redis://user:pa%ss@x', 'with %25 for a percent sign'],
    ['STORAGE_URL', 'postgres://user@db/100%', 'with %25 for a percent sign'],
    ['STORAGE_URL', 'postgres://user:12#3@host/db', '%23 for #'],
    ['STORAGE_URL', 'postgres://user:pa#ss@host/db', '%23 for #'],
    ['STORAGE_URL', 'postgres://user:pa', '%23 for #'],
    ['REDIS_URL', 'redis://:12#3@host', '%23 for #'],
    ['REDIS_URL', 'redis://us%er@x', 'with %25 for a percent sign'],
    ['REDIS_URL', 'localhost', 'REDIS_URL must be redis://host:6379'],
    ['REDIS_URL', 'redis://', 'REDIS_URL must be redis://host:6379'],
    ['TRUST_PROXY', 'true', 'TRUST_PROXY must say which proxies to believe: their number'],
    ['TRUST_PROXY', 'yes', 'TRUST_PROXY must say which proxies to believe: their number'],
    ['TRUST_PROXY', '1.2.3', 'TRUST_PROXY must be off, the number of proxies in front, or IP addresses'],
    ['TRUST_PROXY', 'loopback,', 'TRUST_PROXY must be off, the number of proxies'],
    ['TRUST_PROXY', '10.0.0.0/33', 'TRUST_PROXY must be off, the number of proxies'],
    ['TRUST_PROXY', '10.0.0.0/0', 'TRUST_PROXY must be off, the number of proxies'],
    ['TRUST_PROXY', '-1', 'TRUST_PROXY must be off, the number of proxies'],
    ['GATEWAY_SHARDS', '3-1', 'GATEWAY_SHARDS must be all, none, or shard ids'],
    ['GATEWAY_SHARDS', '0-3', 'GATEWAY_SHARD_COUNT must be a number when'],
    ['RATE_LIMIT', '0', 'RATE_LIMIT must be a whole number from 1'],
    ['ALLOW_CALLER_TOKENS', 'maybe', 'ALLOW_CALLER_TOKENS must be true or false'],
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL must be trace, debug, info, warn, error, fatal or silent'],
    ['SHARDS', '[0]', 'SHARDS is a name of discord.js that has no effect here'],
    ['DISCORD_TOKEN', 'short', 'DISCORD_TOKEN must be a bot token'],
  ])('refuse %s=%s with a plain sentence', (name, value, message) => {
    expect(messageOf({ [name]: value })).toContain(message);
  });

  test('refuse a shard beyond the count', () => {
    expect(messageOf({ GATEWAY_SHARDS: '0-4', GATEWAY_SHARD_COUNT: '4' })).toContain('names shard 4');
  });

  test.each([
    [{ METRICS_PORT: '3000' }, 'METRICS_PORT must differ from PORT'],
    [{ METRICS_PORT: '3000', HOST: '0.0.0.0' }, 'METRICS_PORT must differ from PORT'],
    [{ METRICS_PORT: '3000', HOST: '::', METRICS_HOST: '10.0.0.1' }, 'METRICS_PORT must differ'],
    [{ METRICS_PORT: '3000', HOST: 'localhost' }, 'METRICS_PORT must differ from PORT'],
  ])('refuse one port for two servers: %j', (env, message) => {
    expect(messageOf(env)).toContain(message);
  });

  test.each([
    { METRICS_PORT: '3000', METRICS_HOST: '10.0.0.1' },
    { METRICS_PORT: '0', PORT: '0' },
  ])('accept one port for two servers that cannot conflict: %j', (env) => {
    expect(messageOf(env)).toBe('');
  });

  test('report a contradiction along with a wrong value', () => {
    const message = messageOf({ PORT: 'x', GATEWAY_SHARDS: '0-3', LOG_LEVEL: 'loud' });
    expect(message.split('\n').map((line) => line.trim().split(' ')[0])).toEqual([
      'The',
      'PORT',
      'LOG_LEVEL',
      'GATEWAY_SHARD_COUNT',
    ]);
  });

  test('are logged as they are used, except for secrets', () => {
    const shown = describeSettings({
      DISCORD_TOKEN: TOKEN,
      STORAGE_URL: 'postgres://user:hunter2@db/keys',
      PORT: '0',
      TRUST_PROXY: '1',
    });
    expect(shown).toMatchObject({
      PORT: 0,
      TRUST_PROXY: 1,
      DISCORD_TOKEN: '[set]',
      STORAGE_URL: '[set]',
      REDIS_URL: '[not set]',
    });
    expect(JSON.stringify(shown)).not.toMatch(/hunter2|MMMM/);
    expect(describeSettings({})).toMatchObject({ STORAGE_URL: 'sqlite://data/quartermaster.sqlite' });
  });

  test('report all problems together, without secrets', () => {
    const secret = 'postgresx://user:hunter2@db/keys';
    const message = messageOf({ PORT: 'x', LOG_LEVEL: 'loud', STORAGE_URL: secret, REDIS_URL: 'hunter2' });
    expect(message.split('\n')).toHaveLength(5);
    expect(message).not.toContain('hunter2');
  });

  test('accept a whole environment', () => {
    expect(loadConfig({ DISCORD_TOKEN: TOKEN, HOST: '::', METRICS_PORT: '9090' })).toMatchObject({
      discordToken: TOKEN,
      host: '::',
      metricsPort: 9090,
    });
  });
});
