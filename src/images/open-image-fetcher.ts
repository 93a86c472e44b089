import { Problem } from '../problem.ts';
import type { CreatedImageFetcher, ImageFetcherOptions } from './create-image-fetcher.ts';

/**
 * Fetches images. What that needs, an HTTP client and readers of five formats, takes a third of a start, so it waits
 * for the first image.
 */
export function openImageFetcher(options: ImageFetcherOptions): CreatedImageFetcher {
  let opening: Promise<CreatedImageFetcher> | null = null;
  let opened: CreatedImageFetcher | null = null;
  let isClosed = false;
  const open = () =>
    (opening ??= import('./create-image-fetcher.ts').then(
      ({ createImageFetcher }) => (opened = createImageFetcher(options)),
    ));
  return {
    jobs: {
      get running() {
        return opened?.jobs.running ?? 0;
      },
      get waiting() {
        return opened?.jobs.waiting ?? 0;
      },
    },
    async fetch(...request) {
      if (isClosed) throw new Problem('shutting_down');
      return (await open()).fetch(...request);
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      await (await opening)?.[Symbol.asyncDispose]();
    },
  };
}
