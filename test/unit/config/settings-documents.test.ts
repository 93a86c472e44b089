import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

import { environmentSchema, isSecretSetting, loadConfig } from '../../../src/config/config.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

/** Those that are read to be refused need no words. */
const NAMES = environmentSchema.omit({ SHARDS: true, SHARD_COUNT: true }).keyof().options;

describe('every setting', () => {
  test('has a row in docs/operate.md, and each row has a setting', () => {
    const table = read('docs/operate.md').split('## Settings')[1]?.split('\n## ')[0] ?? '';
    const named = [...table.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap((row) =>
      [...(row[1] ?? '').matchAll(/`([A-Z_]+)`/g)].map((name) => name[1]),
    );
    expect(named).toEqual(NAMES);
  });

  test('is in .env.example, with usable values', () => {
    const lines = [...read('.env.example').matchAll(/^# ([A-Z_]+)=(.*)$/gm)];
    expect(lines.map((line) => line[1])).toEqual(NAMES);
    expect(() =>
      loadConfig(Object.fromEntries(lines.map((line) => [line[1] ?? '', line[2] ?? '']))),
    ).not.toThrow();
  });

  test.each(NAMES)('has its default in docs/operate.md and .env.example: %s', (name) => {
    const row = read('docs/operate.md').match(new RegExp(`^\\| [^|]*\`${name}\`[^|]* \\| ([^|]*) \\|`, 'm'));
    const stated = row?.[1]?.replaceAll('`', '').replace('PORT', '3000');
    expect(stated).toBeDefined();
    const inEffect = loadConfig({});
    expect(loadConfig(stated === 'none' ? {} : { [name]: stated })).toEqual(inEffect);
    // .env.example has other values for what has no default, as examples.
    const hasDefault = environmentSchema.shape[name].parse(undefined) !== undefined;
    expect(stated !== 'none').toBe(hasDefault || name === 'PUBLIC_URL');
    const example = read('.env.example').match(new RegExp(`^# ${name}=(.*)$`, 'm'))?.[1];
    expect(example).toBeDefined();
    expect(loadConfig(hasDefault ? { [name]: example } : {})).toEqual(inEffect);
  });

  test('with a secret is marked as one, and its example has none', () => {
    expect(NAMES.filter((name) => isSecretSetting(name))).toEqual([
      'DISCORD_TOKEN',
      'STORAGE_URL',
      'REDIS_URL',
    ]);
    const examples = [...read('.env.example').matchAll(/^# ([A-Z_]+)=(.*)$/gm)].filter(([, name = '']) =>
      isSecretSetting(name),
    );
    expect(examples).toHaveLength(3);
    for (const [, , value] of examples) expect(value).not.toMatch(/@|^\S{50,}$/);
  });
});
