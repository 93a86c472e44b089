import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';

import { readBuildVersion } from '../../../src/config/build-version.ts';
import { VERSION } from '../../../src/kernel/version.ts';

const COMMIT = '1a2b3c4d5e6f708192a3b4c5d6e7f80910213243';
const WITH_COMMIT = `${VERSION}.1a2b3c4`;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'quartermaster-version-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

/** @param files their texts, by paths below the checkout */
function versionIn(files: Readonly<Record<string, string>>, env = {}): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  return readBuildVersion(env, path.join(folder, 'commit.txt'), folder);
}

describe('the version contains the commit', () => {
  test.each([
    ['of an archive or image', { 'commit.txt': `${COMMIT}\n` }],
    ['of a branch', { '.git/HEAD': 'ref: refs/heads/main\n', '.git/refs/heads/main': `${COMMIT}\n` }],
    ['of no branch', { '.git/HEAD': `${COMMIT}\n` }],
    [
      'of a packed branch',
      {
        '.git/HEAD': 'ref: refs/heads/main\n',
        '.git/packed-refs': `# pack-refs with: peeled\n${'0'.repeat(40)} refs/heads/other-refs/heads/main\n${COMMIT} refs/heads/main\n`,
      },
    ],
    [
      'of a worktree',
      {
        '.git': 'gitdir: all/.git/worktrees/one\n',
        'all/.git/worktrees/one/HEAD': 'ref: refs/heads/one\n',
        'all/.git/worktrees/one/commondir': '../..\n',
        'all/.git/refs/heads/one': COMMIT,
      },
    ],
  ])('of %s', (_, files) => {
    expect(versionIn(files)).toBe(WITH_COMMIT);
  });

  test.each([
    'RAILWAY_GIT_COMMIT_SHA',
    'RENDER_GIT_COMMIT',
    'HEROKU_BUILD_COMMIT',
    'KOYEB_GIT_SHA',
    'SOURCE_COMMIT',
  ])('that %s names', (name) => {
    expect(versionIn({}, { [name]: COMMIT })).toBe(WITH_COMMIT);
  });
});

test.each([
  ['there is no commit', {}, {}],
  ['the placeholder of the file was not replaced', { 'commit.txt': '$Format:%H$\n' }, {}],
  ['a variable holds no commit', {}, { SOURCE_COMMIT: 'HEAD' }],
  ['a branch has no commit yet', { '.git/HEAD': 'ref: refs/heads/main\n' }, {}],
])('the version stands alone when %s', (_, files, env) => {
  expect(versionIn(files, env)).toBe(VERSION);
});
