import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { environmentSchema } from '../../../src/config/config.ts';
import { describeUnknownNames } from '../../../src/config/unknown-names.ts';

const OURS = Object.keys(environmentSchema.shape);

describe('a name that is not a setting', () => {
  test.each([
    ['DISCORD_TOKN', 'DISCORD_TOKEN'],
    ['DISCROD_TOKEN', 'DISCORD_TOKEN'],
    ['DISCORDTOKENS', 'DISCORD_TOKEN'],
    ['discord_token', 'DISCORD_TOKEN'],
    ['STORAGE_URI', 'STORAGE_URL'],
    ['REDIS_URLS', 'REDIS_URL'],
    ['PROT', 'PORT'],
    ['TRUST_PROXYS', 'TRUST_PROXY'],
  ])('%s in the environment is recognised as %s', (name, meant) => {
    expect(describeUnknownNames([name], [])).toEqual([`${name} is not a setting: did you mean ${meant}?`]);
  });

  test('is ignored if it belongs to another program', () => {
    const others = [
      'HOME',
      'PATH',
      'PWD',
      'TERM',
      'SHELL',
      'USER',
      'LANG',
      'TZ',
      'HOSTNAME',
      'NODE_ENV',
      'LOGNAME',
    ];
    const more = ['DATABASE_URL', 'npm_config_user_agent', 'KUBERNETES_PORT', 'REDIS_PORT', 'EDITOR', 'MAIL'];
    expect(describeUnknownNames([...others, ...more], [])).toEqual([]);
  });

  test('of an earlier version is reported as unneeded, wherever it is set', () => {
    expect(describeUnknownNames(['CLUSTER_HOST', 'CLUSTER_PORT'], ['CLUSTER_PORT'])).toEqual([
      'CLUSTER_HOST is no longer needed: processes ask each other over Redis',
      'CLUSTER_PORT is no longer needed: processes ask each other over Redis',
    ]);
  });

  test('is always reported if it is in .env, but only once', () => {
    expect(
      describeUnknownNames(['DATABASE_URL', 'PORTT', 'PORT'], ['DATABASE_URL', 'PORTT', 'PORT']),
    ).toEqual([
      'DATABASE_URL in .env is not a setting of this service',
      'PORTT is not a setting: did you mean PORT?',
    ]);
  });

  test('is recognised with any letter missing, added or swapped', () => {
    const setting = fc.constantFrom(...OURS.filter((name) => name !== 'SHARDS' && name !== 'SHARD_COUNT'));
    fc.assert(
      fc.property(setting, fc.nat(), fc.constantFrom('', '_', 'XY'), (name, at, put) => {
        const index = at % name.length;
        const misspelt = name.slice(0, index) + put + name.slice(index + (put === 'XY' ? 2 : 1));
        fc.pre(!OURS.includes(misspelt) && (name.length > 4 || put !== 'XY'));
        expect(describeUnknownNames([misspelt], [])[0]).toContain('did you mean ');
      }),
      { seed: 9, numRuns: 300 },
    );
  });
});
