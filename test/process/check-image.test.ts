import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';

import { newFolder } from './service-process.ts';

const SCRIPT = path.resolve(import.meta.dirname, '../../deploy/check-image.sh');

/** Keys that take no rights away. */
const OTHER_KEYS = [
  'build',
  'image',
  'restart',
  'depends_on',
  'env_file',
  'environment',
  'ports',
  'healthcheck',
  'logging',
];

/** How compose.yaml runs the service: the keys by which it takes rights away, as options of an engine. */
function optionsOfCompose(): string {
  const { services } = z
    .object({
      services: z.object({
        // Strict, so that a further restriction is not forgotten here.
        service: z.strictObject({
          ...Object.fromEntries(OTHER_KEYS.map((key) => [key, z.unknown()])),
          user: z.string(),
          init: z.literal(true),
          read_only: z.literal(true),
          tmpfs: z.array(z.string()),
          cap_drop: z.array(z.string()),
          security_opt: z.array(z.string()),
          mem_limit: z.string(),
          volumes: z.tuple([z.literal('data:/app/data')]),
          stop_grace_period: z.literal('40s'),
        }),
      }),
    })
    .parse(parse(readFileSync(path.resolve(import.meta.dirname, '../../compose.yaml'), 'utf8')));
  const { user, tmpfs, cap_drop: dropped, security_opt: security, mem_limit: memory } = services.service;
  return [
    `--user ${user} --init --read-only`,
    ...tmpfs.map((each) => `--tmpfs ${each}`),
    ...dropped.map((each) => `--cap-drop ${each}`),
    ...security.map((each) => `--security-opt ${each}`),
    `--memory ${memory}`,
  ].join(' ');
}

/** What the engine says when all is well, by the beginning of the command. */
const ANSWERS = {
  'image inspect': '400000000',
  'inspect --format {{.State.Health.Status}}': 'healthy',
  'exec NAME sh': '1000',
  'exec -u node': 'qm_key',
  port: '127.0.0.1:40000',
  'stop -t 40': '',
  'inspect --format {{.State.ExitCode}}': '0',
} as const;

/** The engine says nothing and exits with 7. */
const FAILS = 'fails';

type Answers = Partial<Record<keyof typeof ANSWERS, string>>;

/** Runs the script with an engine and a curl that write down how they are called. */
function checkImage(engine: string | null, changed: Answers = {}, body = '{"ok":true,"duration":"7d"}') {
  const folder = newFolder();
  const calls = path.join(folder, 'calls');
  const addProgram = (name: string, text: string) =>
    writeFileSync(path.join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  for (const tool of ['sh', 'dirname', 'head', 'sleep']) symlinkSync(`/bin/${tool}`, path.join(folder, tool));
  const cases = Object.entries({ ...ANSWERS, ...changed }).map(
    ([start, answer]) => `"${start}"*) ${answer === FAILS ? 'exit 7' : `echo '${answer}'`} ;;`,
  );
  const log = `echo "$*" | /bin/sed "s/quartermaster-check-[0-9]*/NAME/g"`;
  if (engine !== null) {
    addProgram(engine, `said=$(${log}); echo "$said" >> ${calls}\ncase "$said" in ${cases.join(' ')} esac`);
  }
  addProgram('curl', `${log} >> ${calls}\n${body === FAILS ? 'exit 7' : `echo '${body}'`}`);
  const { status, stdout, stderr } = spawnSync(SCRIPT, { env: { PATH: folder }, encoding: 'utf8' });
  const lines = existsSync(calls) ? readFileSync(calls, 'utf8').trimEnd().split('\n') : [];
  return { status, stdout, stderr, lines };
}

test('the documents run it without compose as compose does', () => {
  const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/operate.md'), 'utf8');
  expect(page.replaceAll(' \\\n ', '')).toContain(` ${optionsOfCompose()} -v quartermaster:/app/data `);
});

const REMOVE = ['rm -f NAME', 'volume rm NAME'];
const CLEAN_UP = [...REMOVE, 'rmi NAME'];

test.each([
  ['docker', 'build --build-arg COMMIT= -t NAME .', 'inspect --format {{.State.Health.Status}} NAME'],
  ['podman', 'build --format docker --build-arg COMMIT= -t NAME .', 'healthcheck run NAME'],
])(
  '%s builds, starts, calls and stops the image, as root and as in compose.yaml, and leaves nothing behind',
  (engine, build, health) => {
    const { status, stdout, stderr, lines } = checkImage(engine);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const said = ['healthy', 'user: 1000', 'call: answered', 'stopped in order'];
    expect(stdout.split('\n')).toEqual([
      `built with ${engine}`,
      'size: 400 MB',
      'started as root, as hosting platforms do',
      ...said,
      'started as in compose.yaml',
      ...said,
      '',
    ]);
    const callsOf = (options: string) => [
      `run -d --name NAME ${options} -v NAME:/app/data -p 127.0.0.1::3000 NAME`,
      health,
      'exec NAME sh -c awk "/^Uid:/ { print \\$2 }" /proc/1/status',
      'port NAME 3000',
      'exec -u node NAME npm run --silent key -- create 0',
      '-sS -m 10 -H Authorization: qm_key -d text=!ban <@123456789012345678> 7d spam http://127.0.0.1:40000/api/parse-args',
      'stop -t 40 NAME',
      'inspect --format {{.State.ExitCode}} NAME',
      ...REMOVE,
    ];
    expect(lines).toEqual([
      'info',
      build,
      'image inspect --format {{.Size}} NAME',
      ...callsOf('--read-only --tmpfs /tmp'),
      ...callsOf(optionsOfCompose()),
      ...CLEAN_UP,
    ]);
  },
);

test.each<[string, Answers, string]>([
  ['cannot be inspected', { 'image inspect': FAILS }, 'the image cannot be inspected'],
  ['runs no command', { 'exec NAME sh': FAILS }, 'no command runs in the container'],
  ['makes no key', { 'exec -u node': FAILS }, 'no key can be made'],
  ['cannot be stopped', { 'stop -t 40': FAILS }, 'it cannot be stopped'],
  ['is too large', { 'image inspect': '600000001' }, 'the image has 600000001 bytes, more than 600000000'],
  ['runs as root', { 'exec NAME sh': '0' }, 'the service runs as root'],
  [
    'does not stop in order',
    { 'inspect --format {{.State.ExitCode}}': '137' },
    'it exits with 137 when it is stopped',
  ],
])('an image that %s fails the check and is removed', (_, changed, sentence) => {
  const { status, stderr, lines } = checkImage('docker', changed);
  expect({ status, stderr }).toEqual({ status: 1, stderr: `FAILED: ${sentence}\n` });
  expect(lines.slice(-CLEAN_UP.length)).toEqual(CLEAN_UP);
});

test('an image with a wrong response fails the check', () => {
  const { status, stderr } = checkImage('docker', {}, '{"ok":false}');
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: 'FAILED: the answer to a call is not as documented: {"ok":false}\n',
  });
});

test('a call without a response fails the check', () => {
  const { status, stderr } = checkImage('docker', {}, FAILS);
  expect({ status, stderr }).toEqual({ status: 1, stderr: 'FAILED: a call is not answered\n' });
});

test('a missing engine is reported in one line', () => {
  const { status, stdout, stderr } = checkImage(null);
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: '',
    stderr: 'Neither podman nor docker runs here: the image cannot be checked.\n',
  });
});
