import { readFileSync } from 'node:fs';
import path from 'node:path';

import { VERSION } from '../kernel/version.ts';
import type { Environment } from './hosting.ts';

/** `git archive` writes the commit into this file, and so does the Dockerfile; in a checkout it holds a placeholder. */
const COMMIT_FILE = path.join(import.meta.dirname, 'commit.txt');
const CHECKOUT = path.join(import.meta.dirname, '../..');

/** Set by Railway, Render, Heroku (with dyno metadata), Koyeb and Coolify, as their documents say. */
const COMMIT_VARIABLES = [
  'RAILWAY_GIT_COMMIT_SHA',
  'RENDER_GIT_COMMIT',
  'HEROKU_BUILD_COMMIT',
  'KOYEB_GIT_SHA',
  'SOURCE_COMMIT',
];

/** As Git abbreviates a commit. */
const SHOWN_DIGITS = 7;

/**
 * The version, followed by `.<commit>` where the commit is known, such as `0.4.0-dev.1a2b3c4`.
 * @param commitFile defaults to the file of this build
 * @param checkout folder that has `.git` when the program runs from a clone
 */
export function readBuildVersion(env: Environment, commitFile = COMMIT_FILE, checkout = CHECKOUT): string {
  const commit = [
    () => readText(commitFile),
    () => readGitHead(checkout),
    ...COMMIT_VARIABLES.map((name) => () => env[name]),
  ]
    .values()
    .map((read) => read()?.trim() ?? '')
    .find((text) => /^[\da-f]{7,64}$/.test(text));
  return commit === undefined ? VERSION : `${VERSION}.${commit.slice(0, SHOWN_DIGITS)}`;
}

/** Reads the files of git, because starting git takes longer than the rest of the settings. */
function readGitHead(checkout: string): string | undefined {
  // In a worktree, `.git` is a file that names the folder, and that folder names the one with the branches.
  const link = /^gitdir: (.+)/.exec(readText(path.join(checkout, '.git')) ?? '')?.[1];
  const folder = path.resolve(checkout, link?.trim() ?? '.git');
  const head = readText(path.join(folder, 'HEAD'));
  const branch = /^ref: (refs\/\S+)/.exec(head ?? '')?.[1];
  if (branch === undefined) return head;
  const shared = path.resolve(folder, readText(path.join(folder, 'commondir'))?.trim() ?? '.');
  const packed = readText(path.join(shared, 'packed-refs'))?.split('\n');
  return (
    readText(path.join(shared, branch)) ?? packed?.find((line) => line.endsWith(` ${branch}`))?.split(' ')[0]
  );
}

/** Undefined when it cannot be read. */
function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
