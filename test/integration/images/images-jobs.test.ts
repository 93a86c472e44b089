import { describe, expect, test } from 'vitest';

import type { ImageFetcher } from '../../../src/images/image-fetcher.ts';
import { still } from '../../fixtures/fit-pictures.ts';
import { png } from '../../fixtures/image-files.ts';
import { PATIENT } from './images-fit-jobs.ts';
import { sendFile, startOrigin } from './images-origin.ts';
import { admitting, expectNothingLeft, fetcherFor, openResources, outcomeOf } from './images-setup.ts';

const IMAGE = png(8, 8);

function fetchImage(images: ImageFetcher, url: string, signal = new AbortController().signal) {
  return images.fetch(url, 'base64', '0', signal);
}

/** An origin that answers only on command. */
async function startHeldOrigin(file = IMAGE) {
  const held: (() => void)[] = [];
  const origin = await startOrigin((socket) => held.push(() => sendFile(socket, file)));
  const arrived = async (count: number) => {
    await expect.poll(() => held.length).toBeGreaterThanOrEqual(count);
  };
  return Object.assign(origin, { held, arrived });
}

describe('an image job', () => {
  test('runs beside one other job of its guild while eight wait and other guilds continue', async () => {
    await using origin = await startHeldOrigin();
    await using images = fetcherFor({ addressRule: admitting(origin.port) });
    const ofGuild = Array.from({ length: 10 }, () => outcomeOf(images, origin.url, '1'));
    await origin.arrived(2);
    expect(await outcomeOf(images, origin.url, '1')).toMatchObject({ code: 'busy' });
    const other = outcomeOf(images, origin.url, '2');
    await origin.arrived(3);
    expect(origin.connections).toBe(3);
    for (let answered = 0; answered < 11; answered += 1) {
      await origin.arrived(answered + 1);
      origin.held[answered]?.();
    }
    expect(await Promise.all([...ofGuild, other])).toEqual(
      Array.from({ length: 11 }, () => ({ code: 'ok', error: '' })),
    );
  });

  test('is fitted while slow hosts delay others', async () => {
    const photo = await still('jpeg', 400, 300);
    await using slow = await startHeldOrigin(photo);
    await using quick = await startOrigin((socket) => sendFile(socket, photo));
    await using images = fetcherFor({
      addressRule: admitting(slow.port, quick.port),
      fitting: { limits: { ...PATIENT, jobsMax: 1 } },
    });
    const fit = (url: string, guild: string) =>
      images.fetch(url, 'base64', guild, new AbortController().signal, { target: 'sticker', mustFit: true });
    const waiting = [fit(slow.url, '1'), fit(slow.url, '2')];
    await slow.arrived(2);
    const image = await fit(quick.url, '3');
    expect(image).toMatchObject({ width: 320, before: { width: 400 } });
    image.release();
    for (const answer of slow.held) answer();
    for (const each of await Promise.all(waiting)) each.release();
  });

  test('keeps its slot until it is released', async () => {
    await using origin = await startOrigin((socket) => sendFile(socket, IMAGE));
    await using images = fetcherFor({
      addressRule: admitting(origin.port),
      limits: { jobsMax: 1, queueMax: 0 },
    });
    const image = await fetchImage(images, origin.url);
    expect(await outcomeOf(images, origin.url)).toMatchObject({ code: 'busy' });
    image.release();
    expect(await outcomeOf(images, origin.url)).toMatchObject({ code: 'ok' });
  });

  test('loses its slot when its response is not read', async () => {
    await using origin = await startOrigin((socket) => sendFile(socket, IMAGE));
    await using images = fetcherFor({
      addressRule: admitting(origin.port),
      limits: { jobsMax: 1, answerTimeoutMs: 20 },
    });
    const image = await fetchImage(images, origin.url);
    expect(await outcomeOf(images, origin.url)).toMatchObject({ code: 'ok' });
    expect(() => image.base64?.toJSON()).toThrow('released');
  });

  test('frees its slot on a failure', async () => {
    await using origin = await startOrigin((socket) => socket.destroy());
    await using images = fetcherFor({
      addressRule: admitting(origin.port),
      limits: { jobsMax: 1, queueMax: 0 },
    });
    for (let round = 0; round < 3; round += 1) {
      expect(await outcomeOf(images, origin.url)).toMatchObject({ code: 'image_fetch_failed' });
    }
  });

  test('has ten seconds from its start, without its wait', async () => {
    await using origin = await startHeldOrigin();
    const deadlineMs = 400;
    await using images = fetcherFor({
      addressRule: admitting(origin.port),
      limits: { jobsMax: 1, deadlineMs },
    });
    const first = outcomeOf(images, origin.url);
    const second = outcomeOf(images, origin.url);
    expect(await first).toMatchObject({ code: 'image_timeout' });
    await origin.arrived(2);
    origin.held[1]?.();
    expect(await second).toMatchObject({ code: 'ok' });
  });

  test('ends immediately when its caller disconnects, even in the queue', async () => {
    const before = openResources();
    {
      await using origin = await startHeldOrigin();
      await using images = fetcherFor({ addressRule: admitting(origin.port), limits: { jobsMax: 1 } });
      const callers = [new AbortController(), new AbortController()];
      const fetches = callers.map(({ signal }) =>
        fetchImage(images, origin.url, signal).catch((error: unknown) => error),
      );
      await origin.arrived(1);
      for (const caller of callers) caller.abort();
      expect(await Promise.all(fetches)).toMatchObject([
        { code: 'image_fetch_failed' },
        { code: 'image_fetch_failed' },
      ]);
      await expect(fetchImage(images, origin.url, AbortSignal.abort())).rejects.toMatchObject({
        code: 'image_fetch_failed',
      });
      expect(origin.connections).toBe(1);
    }
    await expectNothingLeft(before);
  });

  test('ends on closing, and no other starts after that', async () => {
    await using origin = await startHeldOrigin();
    const images = fetcherFor({ addressRule: admitting(origin.port), limits: { jobsMax: 1 } });
    const fetches = [outcomeOf(images, origin.url), outcomeOf(images, origin.url)];
    await origin.arrived(1);
    await images[Symbol.asyncDispose]();
    expect(await Promise.all(fetches)).toMatchObject([{ code: 'shutting_down' }, { code: 'shutting_down' }]);
    expect(await outcomeOf(images, origin.url)).toMatchObject({ code: 'shutting_down' });
  });
});
