import { Problem } from '../kernel/problem.ts';
import { describeImage, imageInfoOf } from './describe-image.ts';
import { fetchBytes } from './fetch-bytes.ts';
import { ImageFitter, type ImageFitterOptions } from './fit/fit-image.ts';
import { anyAddress, publicInternet, type AddressRule } from './guard/address-rule.ts';
import { parseImageUrl, refuseEndedLink } from './guard/image-url.ts';
import { IMAGE_FETCH_LIMITS, type ImageFetchLimits } from './image-fetch-limits.ts';
import { ImageBytes } from './image-bytes.ts';
import type { FetchedImage, ImagePurpose, ImageFetcher, ImageFormat } from './image-fetcher.ts';
import { readImageType } from './image-type.ts';
import { ImageJobQueue } from './image-job-queue.ts';
import { judgeImage } from './targets.ts';

export interface ImageFetcherOptions {
  /** Turns off only the rule about addresses and ports. Default false. */
  readonly allowsPrivate?: boolean;
  /** Replaces the rule that `allowsPrivate` chooses. */
  readonly addressRule?: AddressRule;
  /** Sent to the server of the image. It should identify the sender. */
  readonly userAgent: string;
  /** `address` or `address:port`. Default: the system's. */
  readonly nameServers?: readonly string[];
  /** Differences from the defaults. */
  readonly limits?: Partial<ImageFetchLimits>;
  readonly fitting?: ImageFitterOptions;
  /** Unix milliseconds. Default: the clock. */
  readonly now?: () => number;
}

/** A job that has a slot or waits for one. */
interface PendingJob {
  readonly controller: AbortController;
  readonly done: Promise<FetchedImage>;
}

/**
 * Opens no connection until a fetch needs one, and starts no process until an image must be fitted. Disposing ends all
 * fetches with `shutting_down` and waits until their connections and processes are closed.
 */
export class GuardedImageFetcher implements ImageFetcher, AsyncDisposable {
  readonly #options: ImageFetcherOptions;
  readonly #limits: ImageFetchLimits;
  readonly #rule: AddressRule;
  readonly #fitter: ImageFitter;
  readonly #queue: ImageJobQueue;
  readonly #pending = new Set<PendingJob>();
  #isClosed = false;

  constructor(options: ImageFetcherOptions) {
    this.#options = options;
    this.#limits = { ...IMAGE_FETCH_LIMITS, ...options.limits };
    this.#rule = options.addressRule ?? (options.allowsPrivate === true ? anyAddress : publicInternet);
    this.#fitter = new ImageFitter(options.fitting);
    this.#queue = new ImageJobQueue({ ...this.#limits, fitsMax: this.#fitter.jobsMax });
  }

  /** Current counts. */
  get jobs(): Pick<ImageJobQueue, 'running' | 'waiting'> {
    return this.#queue;
  }

  async fetch(
    text: string,
    format: ImageFormat,
    guildId: string,
    signal: AbortSignal,
    purpose?: ImagePurpose,
  ): Promise<FetchedImage> {
    if (this.#isClosed) throw new Problem('shutting_down');
    const url = parseImageUrl(text, this.#rule);
    refuseEndedLink(url, (this.#options.now ?? Date.now)());

    const controller = new AbortController();
    const leave = () => controller.abort(new Problem('image_fetch_failed', { cause: signal.reason }));
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    const job = { controller, done: this.#run(url, format, guildId, controller, purpose ?? null) };
    this.#pending.add(job);
    try {
      return await job.done;
    } finally {
      this.#pending.delete(job);
      signal.removeEventListener('abort', leave);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    for (const { controller } of this.#pending) controller.abort(new Problem('shutting_down'));
    await Promise.allSettled([...this.#pending].map(({ done }) => done));
    await this.#fitter[Symbol.asyncDispose]();
  }

  /**
   * @param controller ends the job at any step, also while it waits for a slot; its reason is a Problem
   * @param purpose null if unknown
   */
  async #run(
    url: URL,
    format: ImageFormat,
    guildId: string,
    controller: AbortController,
    purpose: ImagePurpose | null,
  ): Promise<FetchedImage> {
    const slot = await this.#queue.acquire(guildId, controller.signal);
    let bytes = new ImageBytes();
    const release = () => {
      bytes.detach();
      slot.release();
    };
    try {
      await this.#fetchInto(bytes, url, controller);
      let type = readImageType(bytes);
      let before = null;
      if (
        purpose?.mustFit === true &&
        judgeImage({ ...type, size: bytes.length }, purpose.target).length > 0
      ) {
        before = imageInfoOf(bytes, type);
        await slot.beginFit(controller.signal);
        ({ bytes, type } = await this.#fitter.fit(bytes.view(), type, purpose.target, controller.signal));
      }
      slot.endFit();
      return describeImage(bytes, type, {
        format,
        target: purpose?.target ?? null,
        before,
        timeoutMs: this.#limits.answerTimeoutMs,
        release,
      });
    } catch (error) {
      release();
      throw error;
    }
  }

  async #fetchInto(bytes: ImageBytes, url: URL, controller: AbortController): Promise<void> {
    const options = { ...this.#options, rule: this.#rule, limits: this.#limits };
    const timeOut = () => controller.abort(new Problem('image_timeout'));
    const deadline = setTimeout(timeOut, this.#limits.deadlineMs);
    try {
      await fetchBytes(url, bytes, options, controller.signal);
    } finally {
      clearTimeout(deadline);
    }
  }
}
