import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

/** Installs the packages that only this folder needs, the first time: `npm ci` of the project leaves them out. */
export function installPackages(folder: string): void {
  if (existsSync(path.join(folder, 'node_modules'))) return;
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts'], { cwd: folder, stdio: 'inherit' });
  if (status !== 0) throw new Error(`npm ci failed in ${folder}.`);
}
