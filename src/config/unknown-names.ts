import { countEdits } from '../kernel/edit-distance.ts';
import { environmentSchema } from './config.ts';

const KNOWN: ReadonlySet<string> = new Set(Object.keys(environmentSchema.shape));
/** Names to suggest for a misspelt one. SHARDS and SHARD_COUNT exist only to be refused. */
const SETTINGS = [...KNOWN].filter((name) => name !== 'SHARDS' && name !== 'SHARD_COUNT');
/** Read by compose.yaml alone, and a port that panels set. */
const OF_OTHERS: ReadonlySet<string> = new Set([
  'POSTGRES_PASSWORD',
  'QUARTERMASTER_HOST',
  'COMPOSE_PROFILES',
  'SERVER_PORT',
]);
/** Settings of earlier versions. */
const NO_LONGER_NEEDED: ReadonlySet<string> = new Set(['CLUSTER_HOST', 'CLUSTER_PORT']);
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
      if (NO_LONGER_NEEDED.has(name)) {
        return [`${name} is no longer needed: processes ask each other over Redis`];
      }
      const meant = findNearest(name);
      if (meant !== null) return [`${name} is not a setting: did you mean ${meant}?`];
      return inFile.has(name) ? [`${name} in .env is not a setting of this service`] : [];
    });
}

function findNearest(name: string): string | null {
  const upper = name.toUpperCase();
  const [nearest] = SETTINGS.map((setting) => ({
    setting,
    distance: countEdits(upper, setting, setting.length < SHORT_LENGTH ? 1 : DISTANCE_MAX),
  }))
    .filter(({ distance }) => distance < Infinity)
    .toSorted((a, b) => a.distance - b.distance);
  return nearest?.setting ?? null;
}
