import type { TokenDirectory } from '../member-directory.ts';
import type { TokenDirectoryOptions } from './token-directory-options.ts';

export interface OpenTokenDirectory extends TokenDirectory {
  /** Ends all listings. */
  close(): Promise<void>;
}

/** The listings with callers' tokens. What they need of Discord's REST takes a fifth of a start, so it waits for the first. */
export function openTokenDirectory(options: TokenDirectoryOptions): OpenTokenDirectory {
  let opening: Promise<OpenTokenDirectory> | null = null;
  const open = () =>
    (opening ??= import('./token-directory.ts').then(
      ({ CallerTokenDirectory }) => new CallerTokenDirectory(options),
    ));
  return {
    find: async (...lookup) => (await open()).find(...lookup),
    readFacts: async (...lookup) => (await open()).readFacts(...lookup),
    close: async () => (await opening)?.close(),
  };
}
