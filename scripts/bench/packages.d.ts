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

declare module 'remark' {
  interface Reader {
    use(plugin: () => void): Reader;
    parse(text: string): object;
    processSync(text: string): object;
  }
  export function remark(): Reader;
}

declare module 'remark-gfm' {
  export default function remarkGfm(): void;
}

declare module '@chonkiejs/core' {
  export class RecursiveChunker {
    static create(options: { chunkSize: number; minCharactersPerChunk: number }): Promise<RecursiveChunker>;
    chunk(text: string): Promise<{ readonly text: string }[]>;
  }
}

declare module '@langchain/textsplitters' {
  class TextSplitter {
    constructor(options: { chunkSize: number; chunkOverlap: number });
    splitText(text: string): Promise<string[]>;
  }
  export class MarkdownTextSplitter extends TextSplitter {}
  export class RecursiveCharacterTextSplitter extends TextSplitter {}
}

declare module 'llm-splitter' {
  export function split(
    text: string,
    options: { chunkSize: number; chunkStrategy: 'paragraph'; splitter: (text: string) => string[] },
  ): { readonly start: number; readonly end: number }[];
}

declare module '@sapphire/utilities' {
  export function splitText(text: string, length: number): string;
}

declare module '@sapphire/duration' {
  export class Duration {
    constructor(pattern: string);
    readonly offset: number;
  }
}

declare module '@sapphire/lexure' {
  interface Token {
    readonly value: string;
  }
  interface Option<T> {
    unwrapOr<D>(value: D): T | D;
  }
  interface ParserResult {
    readonly ordered: Token[];
  }
  export class Lexer {
    constructor(options: { quotes: [string, string][] });
    run(line: string): Iterable<Token>;
  }
  export class PrefixedStrategy {
    constructor(prefixes: string[], separators: string[]);
    readonly prefixes: readonly string[];
  }
  export class Parser {
    constructor(strategy: PrefixedStrategy);
    run(tokens: Iterable<Token>): ParserResult;
  }
  export class ArgumentStream {
    constructor(results: ParserResult);
    readonly results: ParserResult;
    single(): Option<string>;
  }
  export function joinRaw(tokens: readonly Token[]): string;
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
