import { findClosest } from '../kernel/edit-distance.ts';
import { Problem } from '../kernel/problem.ts';

/** Longer paths are not compared with names, because comparing them takes time. */
const WRITTEN_LENGTH_MAX = 200;

/**
 * The 404 of a path. It names the path that was probably meant, if a part of the given one is almost its name.
 * @param paths by the name that they are known by, such as their last part
 */
export function noSuchPath(path: string, paths: ReadonlyMap<string, string>): Problem {
  const parts = path.length > WRITTEN_LENGTH_MAX ? [] : path.toLowerCase().replaceAll('_', '-').split('/');
  const names = [...paths.keys()];
  for (const part of parts.toReversed()) {
    const meant = paths.get(findClosest(part, names) ?? '');
    if (meant !== undefined) return new Problem('not_found/misspelt', { values: { meant } });
  }
  return new Problem('not_found');
}

/** The 404 of a tool. It names the tool that was probably meant. */
export function noSuchTool(written: string, names: readonly string[]): Problem {
  const name = written.slice(0, WRITTEN_LENGTH_MAX).toLowerCase().replaceAll('_', '-');
  const meant = findClosest(name, names);
  return meant === null
    ? new Problem('not_found/tool')
    : new Problem('not_found/tool_misspelt', { values: { meant } });
}

/** For `noSuchPath`: callers usually get the beginning of a path right. */
export function byLastPart(paths: readonly string[]): Map<string, string> {
  return new Map(paths.map((path) => [path.slice(path.lastIndexOf('/') + 1), path]));
}
