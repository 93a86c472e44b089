import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';

/**
 * Makes a folder for its owner alone, and its missing parents. A folder that exists keeps its mode. `recursive` of
 * `mkdir` would never end in a folder that takes no new ones, such as /proc.
 */
export function makePrivateFolder(folder: string): void {
  if (existsSync(folder)) return;
  const parent = path.dirname(folder);
  if (parent !== folder) makePrivateFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!existsSync(folder)) throw error;
  }
}
