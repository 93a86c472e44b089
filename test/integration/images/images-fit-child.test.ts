import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { FIT_LIMITS } from '../../../src/images/fit/fit-limits.ts';
import { still } from '../../fixtures/fit-pictures.ts';
import { png } from '../../fixtures/image-files.ts';
import { childFile, fit, fitterWith, outcome, PATIENT, temporaryFolder } from './images-fit-jobs.ts';
import { startOrigin } from './images-origin.ts';

const good = await still('jpeg', 400, 300);

function isAlive(pid: number | undefined): boolean {
  try {
    process.kill(pid ?? 0, 0);
    return true;
  } catch {
    return false;
  }
}

describe('the process that decodes', () => {
  test('runs one job after the other, and is replaced after its number of jobs', async () => {
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

  test('ends when it is idle', async () => {
    await using fitter = fitterWith({ limits: { idleTimeoutMs: 1 } });
    await fit(fitter, good);
    const [pid] = fitter.idlePids;
    await expect.poll(() => [fitter.idlePids, pid !== undefined && isAlive(pid)]).toEqual([[], false]);
    expect(await outcome(fitter, good)).toBe('ok');
  });

  describe('of a running service', () => {
    const running = fitterWith({ limits: { niceness: FIT_LIMITS.niceness } });
    beforeAll(async () => {
      await fit(running, good);
    });
    afterAll(() => running[Symbol.asyncDispose]());

    test('gets no environment variables of the service, and cannot open more files', async () => {
      const [pid] = running.idlePids;
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
      expect(limits).toMatch(/Max cpu time +4500 +4500 /);
      expect(limits).toMatch(/Max address space +\d+ +\d+ /);
    });

    test('has a lower priority than the service, in all its threads', async () => {
      const tasks = `/proc/${running.idlePids[0]}/task`;
      const niceness = readdirSync(tasks).map((task) => {
        const stat = readFileSync(path.join(tasks, task, 'stat'), 'utf8');
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
      });
      expect(niceness.length).toBeGreaterThan(1);
      expect(niceness.every((each) => each >= 10 && each < 19)).toBe(true);
    });

    test('ends with the service', async () => {
      const [pid] = running.idlePids;
      expect(isAlive(pid)).toBe(true);
      await running[Symbol.asyncDispose]();
      expect(isAlive(pid)).toBe(false);
    });
  });

  test('finds its libraries when package folders are links', async () => {
    const folder = temporaryFolder();
    for (const part of ['src/images/fit', 'src/images/formats', 'package.json']) {
      cpSync(path.resolve(import.meta.dirname, '../../..', part), path.join(folder, part), {
        recursive: true,
      });
    }
    await using fitter = fitterWith({ childFile: path.join(folder, 'src/images/fit/fit-child.ts') });
    expect(await outcome(fitter, good)).toBe('ok');
  });

  test('cannot read a file, start a process or reach a network', async () => {
    await using origin = await startOrigin(() => {});
    const { port } = origin;
    const folder = temporaryFolder();
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
    await using fitter = fitterWith({ childFile: childFile(answerIfHeld) });
    // The port is there: with a socket of our own it is reached.
    await expect(reaches(port)).resolves.toBe(true);
    expect(await outcome(fitter, good)).toBe('ok');
  });

  test('never loads its library into the service', async () => {
    await using fitter = fitterWith();
    const { execFileSync } = await import('node:child_process');
    const script = `
      const { ImageFitter } = await import(${JSON.stringify(new URL('../../../src/images/fit/fit-image.ts', import.meta.url).href)});
      await using fitter = new ImageFitter({ limits: ${JSON.stringify(PATIENT)} });
      const type = { mimeType: 'image/jpeg', width: 400, height: 300, animated: false, seconds: null };
      const file = Buffer.from('${good.toString('base64')}', 'base64');
      const fitted = await fitter.fit(file, type, 'sticker', new AbortController().signal);
      const loaded = process.report.getReport().sharedObjects.filter((name) => /vips|sharp/.test(name));
      console.log(JSON.stringify([fitted.bytes.length > 0, loaded]));`;
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
