import { LatePart } from '../late-part.ts';
import { Problem } from '../problem.ts';
import type { CreatedImageFetcher, ImageFetcherOptions } from './create-image-fetcher.ts';

/**
 * Fetches images. What that needs, an HTTP client and readers of five formats, takes a third of a start, so it waits
 * for the first image.
 */
export function openImageFetcher(options: ImageFetcherOptions): CreatedImageFetcher {
  const fetcher = new LatePart<CreatedImageFetcher>(async () => {
    const { createImageFetcher } = await import('./create-image-fetcher.ts');
    return createImageFetcher(options);
  });
  let isClosed = false;
  return {
    jobs: {
      get running() {
        return fetcher.loaded?.jobs.running ?? 0;
      },
      get waiting() {
        return fetcher.loaded?.jobs.waiting ?? 0;
      },
    },
    async fetch(...request) {
      if (isClosed) throw new Problem('shutting_down');
      return (await fetcher.get()).fetch(...request);
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      await (await fetcher.whenLoaded())?.[Symbol.asyncDispose]();
    },
  };
}
