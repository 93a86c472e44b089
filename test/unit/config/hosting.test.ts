import { describe, expect, test } from 'vitest';

import { loadConfig } from '../../../src/config/config.ts';
import { describeWipedDisk } from '../../../src/config/hosting.ts';
import { describeUnknownNames } from '../../../src/config/unknown-names.ts';

const PLATFORMS = [
  ['RAILWAY_ENVIRONMENT', 'Railway'],
  ['RAILWAY_ENVIRONMENT_NAME', 'Railway'],
  ['RENDER', 'Render'],
  ['FLY_APP_NAME', 'Fly'],
  ['DYNO', 'Heroku'],
  ['KOYEB_APP_NAME', 'Koyeb'],
  ['K_SERVICE', 'Cloud Run'],
  ['P_SERVER_UUID', 'a panel such as Pterodactyl'],
] as const;
const SQLITE = 'sqlite://data/quartermaster.sqlite';
const onRoot = () => false;

describe('a hosting platform', () => {
  test.each(PLATFORMS)(
    'with %s makes the service listen on all addresses, which the log says',
    (variable, name) => {
      expect(loadConfig({ [variable]: 'x' })).toMatchObject({
        host: '0.0.0.0',
        port: 3000,
        hostNote: `HOST is 0.0.0.0, because ${variable} says that this is ${name}`,
      });
      expect(loadConfig({ [variable]: 'x', HOST: '127.0.0.1' })).toMatchObject({
        host: '127.0.0.1',
        hostNote: null,
      });
    },
  );

  test('is not detected when its variable is empty or missing', () => {
    expect(loadConfig({ RENDER: '' })).toMatchObject({
      host: '127.0.0.1',
      hostNote: null,
      diskWarning: null,
    });
    expect(loadConfig({})).toMatchObject({ host: '127.0.0.1', port: 3000, hostNote: null });
  });

  test('names the port when it is a panel, unless PORT does', () => {
    expect(loadConfig({ SERVER_PORT: '25565' })).toMatchObject({
      port: 25_565,
      hostNote: 'PORT is 25565, from SERVER_PORT',
    });
    expect(loadConfig({ SERVER_PORT: '25565', PORT: '80' })).toMatchObject({ port: 80, hostNote: null });
    // Kubernetes sets it for a service that is called "server".
    expect(loadConfig({ SERVER_PORT: 'tcp://10.0.0.1:80' }).port).toBe(3000);
  });
});

describe('a disk that a platform wipes', () => {
  test('causes a warning that says how to keep the data', () => {
    expect(describeWipedDisk({ RENDER: 'true' }, 'sqlite:///app/data/q.sqlite', onRoot)).toBe(
      'Render wipes this disk at each deployment, and the keys in it: mount a volume at /app/data, or set STORAGE_URL to the URL of a PostgreSQL database',
    );
  });

  test.each([
    ['on a panel', { P_SERVER_UUID: 'x' }, SQLITE, onRoot],
    ["on a machine of one's own", {}, SQLITE, onRoot],
    ['with another storage', { RENDER: 'true' }, 'postgres://db/keys', onRoot],
    ['in memory', { RENDER: 'true' }, 'memory:', onRoot],
    ['on a volume', { RENDER: 'true' }, SQLITE, () => true],
    [
      "on Railway's volume",
      { RAILWAY_ENVIRONMENT: 'x', RAILWAY_VOLUME_MOUNT_PATH: '/data' },
      'sqlite:///data/keys/q.sqlite',
      onRoot,
    ],
  ])('causes no warning %s', (_, env, storageUrl, isMounted) => {
    expect(describeWipedDisk(env, storageUrl, isMounted)).toBeNull();
  });
});

test('names that only compose and panels read cause no warning', () => {
  const names = ['POSTGRES_PASSWORD', 'QUARTERMASTER_HOST', 'COMPOSE_PROFILES', 'SERVER_PORT'];
  expect(describeUnknownNames(names, names)).toEqual([]);
});
