import { createRequire } from 'node:module';
import path from 'node:path';

import { Problem } from '../../kernel/problem.ts';
import { ImageBytes } from '../image-bytes.ts';
import { readImageType, type ImageType } from '../image-type.ts';
import { IMAGE_TARGETS, judgeImage, type ImageTargetName } from '../targets.ts';
import type { ChildPaths } from './child-bounds.ts';
import { ChildError, FitChildProcess } from './fit-child-process.ts';
import { fitLimitsFor, memoryHere, type FitLimits } from './fit-limits.ts';
import type { FitSpec } from './fit-protocol.ts';

/** Sharp reads only the first picture of these animations. */
const UNREAD_ANIMATIONS = new Map([
  ['image/png', 'PNG'],
  ['image/avif', 'AVIF'],
]);

export interface ImageFitterOptions {
  /** The package that decodes. Default `sharp`. Tests use another name. */
  readonly packageName?: string;
  /** The child's program. Default: fit-child.ts in this folder. */
  readonly childFile?: string;
  /** Differences from the bounds for the memory of this machine. */
  readonly limits?: Partial<FitLimits>;
}

export interface FittedImage {
  readonly bytes: ImageBytes;
  readonly type: ImageType;
}

/** Fits images in separate processes, which start when first needed and end when idle. */
export class ImageFitter implements AsyncDisposable {
  readonly #options: ImageFitterOptions;
  readonly #limits: FitLimits;
  readonly #idle = new Map<FitChildProcess, NodeJS.Timeout>();

  constructor(options: ImageFitterOptions = {}) {
    this.#options = options;
    this.#limits = { ...fitLimitsFor(memoryHere()), ...options.limits };
  }

  /** Processes without work now. */
  get idlePids(): readonly (number | undefined)[] {
    return [...this.#idle.keys()].map((child) => child.pid);
  }

  /** The allowed number of concurrent calls of `fit`, which the caller must enforce. */
  get jobsMax(): number {
    return this.#limits.jobsMax;
  }

  /** @throws Problem `image_cannot_fit` or `image_timeout`, or the signal's reason */
  async fit(
    file: Uint8Array,
    type: ImageType,
    target: ImageTargetName,
    signal: AbortSignal,
  ): Promise<FittedImage> {
    const spec = this.#specFor(type, target);
    const child = await this.#takeChild(signal);
    const timeoutMs = type.animated ? this.#limits.animatedTimeoutMs : this.#limits.stillTimeoutMs;
    try {
      const fitted = readResult(await child.run(spec, file, timeoutMs, signal), target);
      this.#returnChild(child);
      return fitted;
    } catch (error) {
      await child.kill();
      throw toProblem(error);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const children = [...this.#idle.keys()];
    for (const timer of this.#idle.values()) clearTimeout(timer);
    this.#idle.clear();
    await Promise.all(children.map((child) => child.kill()));
  }

  #specFor({ mimeType, animated, seconds }: ImageType, target: ImageTargetName): FitSpec {
    const { animatedAs, bytesMax, madeSideMax, isPadded, secondsMax } = IMAGE_TARGETS[target];
    const unread = animated ? UNREAD_ANIMATIONS.get(mimeType) : undefined;
    if (unread !== undefined) {
      throw new Problem('image_cannot_fit/animation_unread', { values: { type: unread } });
    }
    if (animated && animatedAs === null) {
      throw new Problem('image_cannot_fit/animation_refused', { values: { target } });
    }
    if (secondsMax !== null && seconds !== null && seconds > secondsMax) {
      throw new Problem('image_cannot_fit/animation_long', { values: { seconds: secondsMax } });
    }
    const timeoutMs = animated ? this.#limits.animatedTimeoutMs : this.#limits.stillTimeoutMs;
    return {
      animatedAs: animated ? animatedAs : null,
      sideMax: madeSideMax,
      isPadded,
      bytesMax: bytesMax ?? this.#limits.bytesMax,
      enoughMs: timeoutMs * this.#limits.enoughShare,
    };
  }

  /**
   * Searches folders, which takes as long as several answers do. It never loads the modules, because sharp would bring
   * native code into the service.
   */
  #findFiles(): ChildPaths {
    const require = createRequire(import.meta.url);
    try {
      return {
        program: this.#options.childFile ?? path.join(import.meta.dirname, 'fit-child.ts'),
        sharp: require.resolve(this.#options.packageName ?? 'sharp'),
        gifenc: require.resolve('gifenc/dist/gifenc.esm.js'),
      };
    } catch (cause) {
      throw new Problem('image_cannot_fit/not_installed', { cause });
    }
  }

  async #takeChild(signal: AbortSignal): Promise<FitChildProcess> {
    for (const [child, timer] of this.#idle) {
      clearTimeout(timer);
      this.#idle.delete(child);
      if (child.isUsable) return child;
      void child.kill();
    }
    return FitChildProcess.start(this.#findFiles(), this.#limits, signal).catch((error: unknown) => {
      throw error instanceof ChildError && error.failure === 'not_loaded'
        ? new Problem('image_cannot_fit/not_loaded', { cause: error.cause })
        : toProblem(error);
    });
  }

  #returnChild(child: FitChildProcess): void {
    if (!child.isUsable) {
      void child.kill();
      return;
    }
    const timer = setTimeout(() => {
      this.#idle.delete(child);
      void child.kill();
    }, this.#limits.idleTimeoutMs);
    this.#idle.set(child, timer.unref());
  }
}

/** A hijacked child may send anything, so the result is again untrusted. */
function readResult(file: Buffer, target: ImageTargetName): FittedImage {
  const bytes = new ImageBytes(file);
  try {
    const type = readImageType(bytes);
    const isSmall = Math.max(type.width, type.height) <= IMAGE_TARGETS[target].madeSideMax;
    if (isSmall && judgeImage({ ...type, size: file.length }, target).length === 0) return { bytes, type };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
  throw new Problem('image_cannot_fit', { cause: new Error('the child made a file that does not fit') });
}

function toProblem(error: unknown): unknown {
  if (!(error instanceof ChildError)) return error;
  return error.failure === 'timeout'
    ? new Problem('image_timeout/fit', { cause: error })
    : new Problem('image_cannot_fit', { cause: error });
}
