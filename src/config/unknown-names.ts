import { environmentSchema } from './config.ts';

const KNOWN: ReadonlySet<string> = new Set(Object.keys(environmentSchema.shape));
/** Settings that nobody means to write: they are read only to be refused. */
const SETTINGS = [...KNOWN].filter((name) => name !== 'SHARDS' && name !== 'SHARD_COUNT');
/** Read by compose.yaml alone, and a port that panels set. */
const OF_OTHERS: ReadonlySet<string> = new Set([
  'POSTGRES_PASSWORD',
  'QUARTERMASTER_HOST',
  'COMPOSE_PROFILES',
  'SERVER_PORT',
]);
/** Letters that may be wrong. */
const DISTANCE_MAX = 2;
/** In names shorter than this, only one letter may be wrong: HOME, which everybody has, is two away from HOST. */
const SHORT_LENGTH = 5;

/**
 * One sentence for each name that was probably meant for a setting. No sentence contains a value.
 * @param environmentNames of the process; most of them belong to other programs
 * @param fileNames of `.env`, which only this service reads
 */
export function describeUnknownNames(
  environmentNames: readonly string[],
  fileNames: readonly string[],
): readonly string[] {
  const inFile = new Set(fileNames);
  return [...new Set([...environmentNames, ...fileNames])]
    .filter((name) => !KNOWN.has(name) && !OF_OTHERS.has(name))
    .flatMap((name) => {
      const meant = findNearest(name);
      if (meant !== null) return [`${name} is not a setting: did you mean ${meant}?`];
      return inFile.has(name) ? [`${name} in .env is not a setting of this service`] : [];
    });
}

function findNearest(name: string): string | null {
  const upper = name.toUpperCase();
  const [nearest] = SETTINGS.map((setting) => ({ setting, distance: distanceOf(upper, setting) }))
    .filter(({ setting, distance }) => distance <= (setting.length < SHORT_LENGTH ? 1 : DISTANCE_MAX))
    .toSorted((a, b) => a.distance - b.distance);
  return nearest?.setting ?? null;
}

/** Counts letters that are added, left out, changed, or swapped with the next one. Beyond the bound, any larger number. */
function distanceOf(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > DISTANCE_MAX) return Infinity;
  let [twoBefore, before]: readonly [number[], number[]] = [
    [],
    Array.from({ length: b.length + 1 }, (_, n) => n),
  ];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      let distance = Math.min(
        (before[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (before[j - 1] ?? 0) + (isSame ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        distance = Math.min(distance, (twoBefore[j - 2] ?? 0) + 1);
      }
      row.push(distance);
    }
    [twoBefore, before] = [before, row];
  }
  return before[b.length] ?? Infinity;
}
