import { Problem } from '../problem.ts';
import { anyAddress, publicInternet, type AddressRule } from './address-rule.ts';
import { refuseEndedLink } from './attachment-link.ts';
import { describeImage, factsOf } from './describe-image.ts';
import { fetchBytes } from './fetch-bytes.ts';
import { ImageFitter, type ImageFitterOptions } from './fit/fit-image.ts';
import { IMAGE_FETCH_LIMITS, type ImageFetchLimits } from './image-fetch-limits.ts';
import { ImageBytes } from './image-bytes.ts';
import type { ImageFacts } from './image-facts.ts';
import type { FetchedImage, ImageAim, ImageFetcher, ImageFormat } from './image-fetcher.ts';
import { createImageMemory } from './image-memory.ts';
import { readImageType } from './image-type.ts';
import { parseImageUrl } from './image-url.ts';
import { createJobPlaces, type JobPlaces } from './job-places.ts';
import { ownTurn } from './own-turn.ts';
import { judgeImage, type ImageTargetName } from './targets.ts';

export interface ImageFetcherOptions {
  /** Switches the address and port rule off, and nothing else. Default false. */
  readonly allowPrivate?: boolean;
  /** A rule of one's own, in place of what `allowPrivate` chooses. */
  readonly addressRule?: AddressRule;
  /** Sent to the server of the image; should say who asks. */
  readonly userAgent: string;
  /** `address` or `address:port`; default: the system's. */
  readonly nameServers?: readonly string[];
  /** What differs from the defaults. */
  readonly limits?: Partial<ImageFetchLimits>;
  readonly fitting?: ImageFitterOptions;
  /** Unix milliseconds. Default: the clock. */
  readonly now?: () => number;
}

export interface CreatedImageFetcher extends ImageFetcher, AsyncDisposable {
  /** How many there are now. */
  readonly jobs: Pick<JobPlaces, 'running' | 'waiting'>;
}

interface RunningJob {
  readonly controller: AbortController;
  readonly done: Promise<FetchedImage>;
}

/** Disposing ends all fetches with `shutting_down` and waits until nothing of them is open. */
export function createImageFetcher(options: ImageFetcherOptions): CreatedImageFetcher {
  const limits: ImageFetchLimits = { ...IMAGE_FETCH_LIMITS, ...options.limits };
  const rule = options.addressRule ?? (options.allowPrivate === true ? anyAddress : publicInternet);
  const places = createJobPlaces(limits);
  const memories = createImageMemory(limits.bytesMax);
  const fitter = new ImageFitter(options.fitting);
  const jobs = new Set<RunningJob>();
  let isClosed = false;

  /**
   * @param controller ends the job wherever it is, waiting for its place included; its reason is a Problem
   * @param aim null when nothing is known of the use
   */
  async function runJob(
    url: URL,
    format: ImageFormat,
    guildId: string,
    controller: AbortController,
    aim: ImageAim | null,
  ) {
    const leavePlace = await places.take(guildId, controller.signal);
    const memory = memories.take();
    const bytes = new ImageBytes(memory);
    let held = true;
    const release = () => {
      if (!held) return;
      held = false;
      bytes.detach();
      memories.giveBack(memory);
      leavePlace();
      if (places.running === 0) memories.shrink();
    };
    try {
      await ownTurn(controller.signal);
      await fetchInto(bytes, url, controller);
      await ownTurn(controller.signal);
      const before = aim?.fit === true ? await makeFit(bytes, aim.target, guildId, controller.signal) : null;
      return describeImage(bytes, readImageType(bytes), {
        format,
        target: aim?.target ?? null,
        before,
        timeoutMs: limits.answerTimeoutMs,
        release,
      });
    } catch (error) {
      release();
      throw error;
    }
  }

  async function fetchInto(bytes: ImageBytes, url: URL, controller: AbortController): Promise<void> {
    const deadline = setTimeout(() => controller.abort(new Problem('image_timeout')), limits.deadlineMs);
    try {
      await fetchBytes(url, bytes, { ...options, rule, limits }, controller.signal);
    } finally {
      clearTimeout(deadline);
    }
  }

  /** @returns what the file was before; null when it fits as it is */
  async function makeFit(
    bytes: ImageBytes,
    target: ImageTargetName,
    guildId: string,
    signal: AbortSignal,
  ): Promise<ImageFacts | null> {
    const type = readImageType(bytes);
    if (judgeImage({ ...type, size: bytes.length }, target).length === 0) return null;
    const before = factsOf(bytes, type);
    const fitted = await fitter.fit(bytes.view(), type, target, guildId, signal);
    await ownTurn(signal);
    bytes.replace(fitted);
    return before;
  }

  return {
    jobs: places,
    async fetch(text, format, guildId, signal, aim) {
      if (isClosed) throw new Problem('shutting_down');
      const url = parseImageUrl(text, rule);
      refuseEndedLink(url, (options.now ?? Date.now)());

      const controller = new AbortController();
      const leave = () => controller.abort(new Problem('image_fetch_failed', { cause: signal.reason }));
      signal.addEventListener('abort', leave, { once: true });
      if (signal.aborted) leave();
      const job = { controller, done: runJob(url, format, guildId, controller, aim ?? null) };
      jobs.add(job);
      try {
        return await job.done;
      } finally {
        jobs.delete(job);
        signal.removeEventListener('abort', leave);
      }
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      for (const { controller } of jobs) controller.abort(new Problem('shutting_down'));
      await Promise.allSettled([...jobs].map(({ done }) => done));
      await fitter[Symbol.asyncDispose]();
    },
  };
}
