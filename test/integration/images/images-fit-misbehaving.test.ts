import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, test } from 'vitest';

import { Problem } from '../../../src/kernel/problem.ts';
import { still } from '../../fixtures/fit-pictures.ts';
import { png } from '../../fixtures/image-files.ts';
import { childFile, fit, fitterWith, outcome, temporaryFolder } from './images-fit-jobs.ts';

const good = await still('jpeg', 400, 300);

test('a reply is read completely, in pieces of any size', async () => {
  const small = (await still('png', 320, 320)).toString('base64');
  const sendBytes = `
    const file = Buffer.from('${small}', 'base64');
    const head = Buffer.from([1, 0, 0, 0, 0]);
    head.writeUInt32LE(file.length, 1);
    const pieces = [...head].map((byte) => Buffer.from([byte])).concat(file.subarray(0, 9), file.subarray(9));
    const send = () => pieces.length > 0 && process.stdout.write(pieces.shift(), () => setImmediate(send));
    send();`;
  await using fitter = fitterWith({ childFile: childFile(sendBytes) });
  expect(await outcome(fitter, good)).toBe('ok');
});

describe('a process that misbehaves is killed', () => {
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
    ['sends an unknown reply', 'reply(77)', {}, 'image_cannot_fit'],
    ['uses much memory', '', { residentBytesMax: 1, residentCheckMs: 1 }, 'image_cannot_fit'],
  ])('when it %s', async (_name, onRequest, limits, code) => {
    await using fitter = fitterWith({ childFile: childFile(onRequest), limits });
    expect(await outcome(fitter, good)).toBe(code);
    expect(fitter.idlePids).toEqual([]);
  });

  test('and replaced for the next job', async () => {
    await using fitter = fitterWith({ childFile: childFile('process.exit(0)') });
    expect(await outcome(fitter, good)).toBe('image_cannot_fit');
    expect(await outcome(fitter, good)).toBe('image_cannot_fit');
  });

  test('when it does not start, with a hint that images cannot be changed here', async () => {
    const file = path.join(temporaryFolder(), 'dead.mjs');
    writeFileSync(file, "throw new Error('no binary for this machine')");
    await using fitter = fitterWith({ childFile: file });
    await expect(fit(fitter, good)).rejects.toMatchObject({
      code: 'image_cannot_fit',
      hint: expect.stringContaining('finds the reason in the log') as string,
      cause: { message: expect.stringContaining('no binary for this machine') as string },
    });
  });

  test('immediately when its caller disconnects', async () => {
    await using fitter = fitterWith({ childFile: childFile('') });
    const caller = new AbortController();
    const work = fit(fitter, good, 'sticker', caller.signal);
    caller.abort(new Problem('image_fetch_failed'));
    await expect(work).rejects.toMatchObject({ code: 'image_fetch_failed' });
    expect(fitter.idlePids).toEqual([]);
  });
});
