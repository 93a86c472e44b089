import { LatePart } from '../../late-part.ts';
import type { TokenDirectory } from '../member-directory.ts';
import type { TokenDirectoryOptions } from './token-directory-options.ts';

export interface OpenTokenDirectory extends TokenDirectory {
  /** Ends all listings. */
  close(): Promise<void>;
}

/** The listings with callers' tokens. What they need of Discord's REST takes a fifth of a start, so it waits for the first. */
export function openTokenDirectory(options: TokenDirectoryOptions): OpenTokenDirectory {
  const directory = new LatePart<OpenTokenDirectory>(async () => {
    const { CallerTokenDirectory } = await import('./token-directory.ts');
    return new CallerTokenDirectory(options);
  });
  return {
    find: async (...lookup) => (await directory.get()).find(...lookup),
    readFacts: async (...lookup) => (await directory.get()).readFacts(...lookup),
    close: async () => (await directory.whenLoaded())?.close(),
  };
}
