import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, describe, expect, test } from 'vitest';

import { ImageFitter, type ImageFitterOptions } from '../../../src/images/fit/fit-image.ts';
import { fitLimitsFor } from '../../../src/images/fit/fit-limits.ts';
import { ImageBytes } from '../../../src/images/image-bytes.ts';
import { readImageType } from '../../../src/images/image-type.ts';
import type { ImageTargetName } from '../../../src/images/targets.ts';
import { Problem } from '../../../src/problem.ts';
import { DECODER_BOMBS, jpegOfScans } from '../../fixtures/decoder-bombs.ts';
import { encodeAnimation, movingPicture, still } from '../../fixtures/fit-pictures.ts';
import { noise, png } from '../../fixtures/image-files.ts';
import { startOrigin } from './images-origin.ts';

/** Files with changed bytes; `FIT_FILES=5000` for a long look. */
const FILES = Number(process.env['FIT_FILES'] ?? 12);
const PATIENT = { startTimeoutMs: 60_000, stillTimeoutMs: 60_000, animatedTimeoutMs: 120_000 };
const good = await still('jpeg', 400, 300);

const folder = mkdtempSync(path.join(tmpdir(), 'quartermaster-fit-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fitterWith({ limits, ...options }: ImageFitterOptions = {}): ImageFitter {
  return new ImageFitter({ ...options, limits: { ...PATIENT, ...limits } });
}

/** A child of ours that speaks the protocol and then does `onRequest`, written in JavaScript. */
function childFile(name: string, onRequest: string): string {
  const file = path.join(folder, `${name}.mjs`);
  writeFileSync(
    file,
    `const reply = (kind, file = Buffer.alloc(0)) => {
       const head = Buffer.from([kind, 0, 0, 0, 0]);
       head.writeUInt32LE(file.length, 1);
       process.stdout.write(Buffer.concat([head, file]));
     };
     process.stdin.once('data', async () => { ${onRequest} });
     reply(0);`,
  );
  return file;
}

function fit(fitter: ImageFitter, file: Buffer, target: ImageTargetName = 'sticker', guildId = '1') {
  const type = readImageType(new ImageBytes(file, file.length));
  return fitter.fit(file, type, target, guildId, new AbortController().signal);
}

/** The code of what became of it; `ok` for an image. */
async function outcome(fitter: ImageFitter, file: Buffer, target: ImageTargetName = 'sticker') {
  try {
    await fit(fitter, file, target);
    return 'ok';
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
}

function isAlive(pid: number | undefined): boolean {
  try {
    process.kill(pid ?? 0, 0);
    return true;
  } catch {
    return false;
  }
}

describe('the process that decodes', () => {
  test('does one job after the other, and is replaced after a number of them', async () => {
    await using fitter = fitterWith({ limits: { jobsPerChildMax: 2 } });
    expect(fitter.idlePids).toEqual([]);
    await fit(fitter, good);
    const [first] = fitter.idlePids;
    await fit(fitter, good);
    expect(fitter.idlePids).toEqual([]);
    await expect.poll(() => isAlive(first)).toBe(false);
    await fit(fitter, good);
    expect(fitter.idlePids).not.toContain(first);
  });

  test('ends when nobody needs it', async () => {
    await using fitter = fitterWith({ limits: { idleTimeoutMs: 1 } });
    await fit(fitter, good);
    const [pid] = fitter.idlePids;
    await expect.poll(() => [fitter.idlePids, pid !== undefined && isAlive(pid)]).toEqual([[], false]);
    expect(await outcome(fitter, good)).toBe('ok');
  });

  test('ends with the service', async () => {
    const fitter = fitterWith();
    await fit(fitter, good);
    const [pid] = fitter.idlePids;
    expect(isAlive(pid)).toBe(true);
    await fitter[Symbol.asyncDispose]();
    expect(isAlive(pid)).toBe(false);
  });

  test('has no environment of the service, and may open nothing more, as the system says', async () => {
    await using fitter = fitterWith();
    await fit(fitter, good);
    const [pid] = fitter.idlePids;
    const names = readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .map((line) => line.split('=')[0]);
    expect(names.filter((name) => name !== '')).toEqual([
      'UV_THREADPOOL_SIZE',
      'MALLOC_ARENA_MAX',
      'VIPS_DISC_THRESHOLD',
    ]);
    expect(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim()).toBe('1000');
    const limits = readFileSync(`/proc/${pid}/limits`, 'utf8');
    expect(limits).toMatch(/Max open files +0 +0 /);
    expect(limits).toMatch(/Max file size +0 +0 /);
    expect(limits).toMatch(/Max cpu time +900 +900 /);
    expect(limits).toMatch(/Max address space +\d+ +\d+ /);
    expect(Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[18])).toBeGreaterThanOrEqual(10);
  });

  test('cannot read a file, start a process or reach a network', async () => {
    await using origin = await startOrigin(() => {});
    const { port } = origin;
    const answerIfHeld = `
      const { readFileSync, writeFileSync } = await import('node:fs');
      const { spawnSync } = await import('node:child_process');
      const { connect } = await import('node:net');
      const refused = (act) => { try { act(); return false; } catch { return true; } };
      const offline = await new Promise((resolve) => connect(${port}, '127.0.0.1')
        .once('connect', () => resolve(false)).once('error', () => resolve(true)));
      const held = offline
        && refused(() => readFileSync('/etc/hostname'))
        && refused(() => writeFileSync('${folder}/made', ''))
        && refused(() => { if (spawnSync('true').error) throw new Error(); });
      reply(held ? 1 : 2, held ? Buffer.from('${png(64, 64).toString('base64')}', 'base64') : undefined);`;
    await using fitter = fitterWith({ childFile: childFile('probe', answerIfHeld) });
    // The port is there: with a socket of our own it is reached.
    await expect(reaches(port)).resolves.toBe(true);
    expect(await outcome(fitter, good)).toBe('ok');
  });

  test('never brings its library into the service', async () => {
    await using fitter = fitterWith();
    const { execFileSync } = await import('node:child_process');
    const script = `
      const { ImageFitter } = await import(${JSON.stringify(new URL('../../../src/images/fit/fit-image.ts', import.meta.url).href)});
      await using fitter = new ImageFitter({ limits: ${JSON.stringify(PATIENT)} });
      const type = { mimeType: 'image/jpeg', width: 400, height: 300, animated: false, seconds: null };
      const file = Buffer.from('${good.toString('base64')}', 'base64');
      const fitted = await fitter.fit(file, type, 'sticker', '1', new AbortController().signal);
      const loaded = process.report.getReport().sharedObjects.filter((name) => /vips|sharp/.test(name));
      console.log(JSON.stringify([fitted.length > 0, loaded]));`;
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
    });
    expect(JSON.parse(printed)).toEqual([true, []]);
    expect(fitter.idlePids).toEqual([]);
  });
});

function reaches(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.on('close', () => {}).once('connect', () => socket.destroy());
  });
}

describe('a process that misbehaves is killed, and the next job has a new one', () => {
  const tinyFile = png(8, 8).toString('base64');
  test.each([
    ['hangs', '', { stillTimeoutMs: 50 }, 'image_timeout'],
    ['spins', 'for (;;);', { stillTimeoutMs: 50 }, 'image_timeout'],
    ['exits', 'process.exit(0)', {}, 'image_cannot_fit'],
    ['aborts', 'process.abort()', {}, 'image_cannot_fit'],
    ['sends no image', "reply(1, Buffer.from('<svg/>'))", {}, 'image_cannot_fit'],
    [
      'sends an image that does not fit',
      `reply(1, Buffer.from('${good.toString('base64')}', 'base64'))`,
      {},
      'image_cannot_fit',
    ],
    [
      'sends more than it says',
      `const file = Buffer.from('${tinyFile}', 'base64');
       const head = Buffer.from([1, 0, 0, 0, 0]);
       head.writeUInt32LE(file.length, 1);
       process.stdout.write(Buffer.concat([head, file, head]));`,
      {},
      'image_cannot_fit',
    ],
    [
      'says that a gigabyte comes',
      'process.stdout.write(Buffer.from([1, 255, 255, 255, 63]))',
      {},
      'image_cannot_fit',
    ],
    ['sends what nobody knows', 'reply(77)', {}, 'image_cannot_fit'],
    ['takes much memory', '', { residentBytesMax: 1, residentCheckMs: 1 }, 'image_cannot_fit'],
  ])('one that %s', async (name, onRequest, limits, code) => {
    await using fitter = fitterWith({ childFile: childFile(name.replaceAll(' ', '-'), onRequest), limits });
    expect(await outcome(fitter, good)).toBe(code);
    expect(fitter.idlePids).toEqual([]);
    expect(await outcome(fitter, good)).toBe(code);
  });

  test('one that does not come up: the answer says that images cannot be changed here', async () => {
    const file = path.join(folder, 'dead.mjs');
    writeFileSync(file, "throw new Error('no binary for this machine')");
    await using fitter = fitterWith({ childFile: file });
    await expect(fit(fitter, good)).rejects.toMatchObject({
      code: 'image_cannot_fit',
      hint: expect.stringContaining('install the package sharp') as string,
    });
  });

  test('one whose caller has left: the work ends at once', async () => {
    await using fitter = fitterWith({ childFile: childFile('left', '') });
    const caller = new AbortController();
    const type = readImageType(new ImageBytes(good, good.length));
    const work = fitter.fit(good, type, 'sticker', '1', caller.signal);
    caller.abort(new Problem('image_fetch_failed'));
    await expect(work).rejects.toMatchObject({ code: 'image_fetch_failed' });
    expect(fitter.idlePids).toEqual([]);
  });

  test('a guild waits for itself, and too many wait for nobody', async () => {
    const limits = { queuePerGuildMax: 1, stillTimeoutMs: 300 };
    await using fitter = fitterWith({ childFile: childFile('queue', ''), limits });
    const jobs = [fit(fitter, good), fit(fitter, good), fit(fitter, good)];
    const codes = (await Promise.allSettled(jobs)).map((job) =>
      job.status === 'rejected' && job.reason instanceof Problem ? job.reason.code : job.status,
    );
    expect(codes).toEqual(['image_timeout', 'image_timeout', 'busy']);
  });
});

describe('files made to do harm', () => {
  // The others are in the benchmark `image-fit bombs`.
  const QUICK = /profile|300 frames|500 frames|20,000 scans|3,000 frames|64 pixels/;

  // Stills end by themselves; animations are stopped early, so that the test does not wait for that.
  const fitter = fitterWith({ limits: { animatedTimeoutMs: 1_000 } });
  afterAll(() => fitter[Symbol.asyncDispose]());

  test.each(DECODER_BOMBS.filter(([name]) => QUICK.test(name)))(
    '%s ends in an answer, and the next image is made to fit',
    async (_name, makeFile) => {
      const answer = await outcome(fitter, await makeFile(), 'role_icon');
      expect(['ok', 'image_cannot_fit', 'image_timeout']).toContain(answer);
      expect(await outcome(fitter, good)).toBe('ok');
    },
  );

  test('on a machine of 512 MiB a picture that needs more ends in an answer, and others are made to fit', async () => {
    await using fitter = fitterWith({ limits: { ...fitLimitsFor(512 * 2 ** 20), ...PATIENT } });
    expect(await outcome(fitter, jpegOfScans(1, 3))).toBe('image_cannot_fit');
    expect(await outcome(fitter, good)).toBe('ok');
    expect(await outcome(fitter, await encodeAnimation(movingPicture(200, 12, 80), 'gif'), 'emoji')).toBe(
      'ok',
    );
  });

  test.each([
    [512, 1, 256],
    [1_024, 1, 512],
    [2_048, 2, 512],
    [24_576, 2, 768],
  ])('of %i MiB at most %i processes have %i MiB each', (machine, processes, each) => {
    expect(fitLimitsFor(machine * 2 ** 20)).toMatchObject({
      jobsMax: processes,
      residentBytesMax: each * 2 ** 20,
      addressBytesMax: each * 2 ** 20,
    });
  });

  test(
    'files with changed bytes end in an answer, each of them, and good ones between them are served',
    async () => {
      await using fitter = fitterWith();
      const sources = [
        await still('png', 330, 8),
        await still('jpeg', 32, 32),
        await still('webp', 32, 32),
        await still('avif', 32, 32),
        await encodeAnimation(movingPicture(16, 3, 60), 'webp'),
        await still('gif', 330, 8),
      ];
      const random = noise(100_000);
      let at = 0;
      const next = (below: number) => {
        at += 4;
        return random.readUInt32BE(at % 99_990) % below;
      };
      const answers = new Map<string, number>();
      for (let round = 0; round < FILES; round += 1) {
        const source = sources[round % sources.length] ?? good;
        const file = Buffer.from(source);
        for (let change = 0; change < 1 + next(6); change += 1) {
          file[40 + next(file.length - 40)] = next(256);
        }
        let answer;
        try {
          answer = await outcome(fitter, file);
        } catch (error) {
          answer = `fault: ${String(error)}`;
        }
        answers.set(answer, (answers.get(answer) ?? 0) + 1);
      }
      const expected = ['ok', 'image_cannot_fit', 'image_not_an_image', 'image_too_many_pixels'];
      expect([...answers.keys()].filter((answer) => !expected.includes(answer))).toEqual([]);
      expect(answers.get('ok')).toBeGreaterThan(0);
      expect(await outcome(fitter, good)).toBe('ok');
    },
    Infinity,
  );
});
