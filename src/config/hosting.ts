import { statSync } from 'node:fs';
import path from 'node:path';

/** Names to values, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

interface Platform {
  readonly name: string;
  /** A variable that only this platform sets. */
  readonly variable: string;
  /** True when files survive a restart without a volume. */
  readonly keepsDisk: boolean;
}

/**
 * Platforms that pass requests on to a port of the process, so that it has to listen on all addresses. The first match
 * counts.
 */
const PLATFORMS: readonly Platform[] = [
  { name: 'Railway', variable: 'RAILWAY_ENVIRONMENT', keepsDisk: false },
  { name: 'Railway', variable: 'RAILWAY_ENVIRONMENT_NAME', keepsDisk: false },
  { name: 'Render', variable: 'RENDER', keepsDisk: false },
  { name: 'Fly', variable: 'FLY_APP_NAME', keepsDisk: false },
  { name: 'Heroku', variable: 'DYNO', keepsDisk: false },
  { name: 'Koyeb', variable: 'KOYEB_APP_NAME', keepsDisk: false },
  { name: 'Cloud Run', variable: 'K_SERVICE', keepsDisk: false },
  { name: 'a panel such as Pterodactyl', variable: 'P_SERVER_UUID', keepsDisk: true },
];

/** null for any other machine. */
function findPlatform(env: Environment): Platform | null {
  return PLATFORMS.find(({ variable }) => (env[variable] ?? '') !== '') ?? null;
}

/** HOST and PORT as the platform decides them. Settings of the environment win over these. */
export function settingsOfHost(env: Environment): Readonly<Record<string, string>> {
  const port = env['SERVER_PORT'] ?? '';
  return {
    ...(findPlatform(env) === null ? {} : { HOST: '0.0.0.0' }),
    // Kubernetes gives this name an address when a service is called "server".
    ...(/^\d{1,5}$/.test(port) ? { PORT: port } : {}),
  };
}

/** One sentence for the log that names the settings that the host has decided; null when it has decided none. */
export function describeHost(env: Environment): string | null {
  const platform = findPlatform(env);
  const { HOST, PORT } = settingsOfHost(env);
  const decided = [
    HOST === undefined || (env['HOST'] ?? '') !== ''
      ? ''
      : `HOST is ${HOST}, because ${platform?.variable} says that this is ${platform?.name}`,
    PORT === undefined || (env['PORT'] ?? '') !== '' ? '' : `PORT is ${PORT}, from SERVER_PORT`,
  ].filter((part) => part !== '');
  return decided.length === 0 ? null : decided.join('; ');
}

const PROXY_NAMES = ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'];

/** A sentence for the log about a proxy that other programs would use; null where none is set. */
export function describeProxy(env: Environment): string | null {
  const name = PROXY_NAMES.find((each) => (env[each] ?? '').trim() !== '');
  return name === undefined
    ? null
    : `${name} has no effect: this service asks Discord and the hosts of images directly`;
}

/**
 * A sentence for operators whose database is a file on a disk that the platform wipes; null when the file is safe.
 * @param isMounted true for a folder on a volume of its own
 */
export function describeWipedDisk(
  env: Environment,
  storageUrl: string,
  isMounted: (folder: string) => boolean = isOnVolume,
): string | null {
  const platform = findPlatform(env);
  if (platform === null || platform.keepsDisk || !storageUrl.startsWith('sqlite://')) return null;
  const folder = path.resolve(path.dirname(decodeURI(storageUrl.slice('sqlite://'.length))));
  const volume = env['RAILWAY_VOLUME_MOUNT_PATH'] ?? '';
  const isOnRailwaysVolume = volume !== '' && !path.relative(volume, folder).startsWith('..');
  if (isOnRailwaysVolume || isMounted(folder)) return null;
  return (
    `${platform.name} wipes this disk at each deployment, and the keys in it: mount a volume at ${folder}, or set ` +
    'STORAGE_URL to the URL of a PostgreSQL database'
  );
}

/** True when the folder, or the nearest existing one above it, is on another file system than the root. */
function isOnVolume(folder: string): boolean {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) return folder !== path.dirname(folder) && isOnVolume(path.dirname(folder));
  return stats.dev !== statSync('/').dev;
}
