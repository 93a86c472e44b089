/**
 * The parts that are used of the packages that benchmarks compare with. They are installed by the first benchmark and
 * not by `npm ci`, so that types cannot be read from them.
 */
declare module 'autocannon' {
  interface Options {
    readonly url: string;
    readonly method: 'GET' | 'POST';
    readonly headers: Record<string, string>;
    readonly connections: number;
    readonly duration: number;
    readonly body?: string;
  }
  interface Result {
    readonly non2xx: number;
    readonly '3xx'?: number;
    readonly errors: number;
    readonly requests: { readonly average: number; readonly total: number };
    readonly latency: { readonly p99: number };
  }
  export default function autocannon(options: Options): Promise<Result>;
}

declare module '@langchain/textsplitters' {
  class TextSplitter {
    constructor(options: { chunkSize: number; chunkOverlap: number });
    splitText(text: string): Promise<string[]>;
  }
  export class RecursiveCharacterTextSplitter extends TextSplitter {}
}

declare module 'discord-command-parser' {
  interface Message {
    readonly content: string;
    readonly author: { readonly bot: boolean };
  }
  interface Reader {
    getUserID(peek: boolean): string | null;
    getString(peek: boolean): string | null;
    getRemaining(): string | null;
    seek(words: number): void;
  }
  type Parsed =
    | { readonly success: true; readonly command: string; readonly reader: Reader }
    | { readonly success: false };
  export function parse(
    message: Message,
    prefix: string,
    options: { allowSpaceBeforeCommand: boolean },
  ): Parsed;
}

declare module 'ms' {
  /** NaN or undefined for what is no length of time. */
  export default function ms(text: string): number | undefined;
}
