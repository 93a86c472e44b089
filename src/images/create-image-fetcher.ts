import { Problem } from '../problem.ts';
import { describeImage, factsOf } from './describe-image.ts';
import { fetchBytes } from './fetch-bytes.ts';
import { ImageFitter, type ImageFitterOptions } from './fit/fit-image.ts';
import { anyAddress, publicInternet, type AddressRule } from './guard/address-rule.ts';
import { parseImageUrl, refuseEndedLink } from './guard/image-url.ts';
import { IMAGE_FETCH_LIMITS, type ImageFetchLimits } from './image-fetch-limits.ts';
import { ImageBytes } from './image-bytes.ts';
import type { FetchedImage, ImageAim, ImageFetcher, ImageFormat } from './image-fetcher.ts';
import { readImageType } from './image-type.ts';
import { JobPlaces } from './job-places.ts';
import { judgeImage } from './targets.ts';

export interface ImageFetcherOptions {
  /** Switches the address and port rule off, and nothing else. Default false. */
  readonly allowPrivate?: boolean;
  /** Replaces the rule that `allowPrivate` chooses. */
  readonly addressRule?: AddressRule;
  /** Sent to the server of the image; should say who is asking. */
  readonly userAgent: string;
  /** `address` or `address:port`; default: the system's. */
  readonly nameServers?: readonly string[];
  /** Differences from the defaults. */
  readonly limits?: Partial<ImageFetchLimits>;
  readonly fitting?: ImageFitterOptions;
  /** Unix milliseconds. Default: the clock. */
  readonly now?: () => number;
}

export interface CreatedImageFetcher extends ImageFetcher, AsyncDisposable {
  /** Counts of the moment. */
  readonly jobs: Pick<JobPlaces, 'running' | 'waiting'>;
}

interface RunningJob {
  readonly controller: AbortController;
  readonly done: Promise<FetchedImage>;
}

/** Disposing ends all fetches with `shutting_down` and waits until everything of them is closed. */
export function createImageFetcher(options: ImageFetcherOptions): CreatedImageFetcher {
  const limits: ImageFetchLimits = { ...IMAGE_FETCH_LIMITS, ...options.limits };
  const rule = options.addressRule ?? (options.allowPrivate === true ? anyAddress : publicInternet);
  const fitter = new ImageFitter(options.fitting);
  const places = new JobPlaces({ ...limits, fitsMax: fitter.jobsMax });
  const jobs = new Set<RunningJob>();
  let isClosed = false;

  /**
   * @param controller ends the job at any step, also while it waits for its place; its reason is a Problem
   * @param aim null when the use is not known
   */
  async function runJob(
    url: URL,
    format: ImageFormat,
    guildId: string,
    controller: AbortController,
    aim: ImageAim | null,
  ) {
    const place = await places.take(guildId, controller.signal);
    let bytes = new ImageBytes();
    const release = () => {
      bytes.detach();
      place.leave();
    };
    try {
      await fetchInto(bytes, url, controller);
      let type = readImageType(bytes);
      let before = null;
      if (aim?.fit === true && judgeImage({ ...type, size: bytes.length }, aim.target).length > 0) {
        before = factsOf(bytes, type);
        await place.beginFit(controller.signal);
        ({ bytes, type } = await fitter.fit(bytes.view(), type, aim.target, controller.signal));
      }
      place.endFit();
      const target = aim?.target ?? null;
      return describeImage(bytes, type, {
        format,
        target,
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
