import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';

import { untilAborted } from '../../kernel/until-aborted.ts';
import { boundChild, flagsFor, makeNice, readMemory, type ChildPaths } from './child-bounds.ts';
import type { FitLimits } from './fit-limits.ts';
import { encodeRequestHeader, REPLY, REPLY_HEADER_BYTES, type FitSpec } from './fit-protocol.ts';

export type ChildFailure = 'timeout' | 'cannot_fit' | 'misbehaved' | 'not_loaded';

/** A failed request. The child is dead or about to be. */
export class ChildError extends Error {
  override readonly name = 'ChildError';
  readonly failure: ChildFailure;

  constructor(failure: ChildFailure, options?: ErrorOptions) {
    super(failure, options);
    this.failure = failure;
  }
}

/** Length of stderr that is kept while the child loads. */
const LAST_WORDS_LENGTH_MAX = 4_096;
/** Length of it that the log shows: the error of Node or sharp without its stack. */
const REASON_LENGTH_MAX = 300;

interface Reply {
  readonly kind: number;
  readonly file: Buffer;
}

/** One process that fits images, one after the other. After any failure it is not used again. */
export class FitChildProcess {
  readonly #process: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #limits: FitLimits;
  readonly #closed: Promise<unknown>;
  #received: Buffer[] = [];
  #receivedBytes = 0;
  #onReply: ((reply: Reply) => void) | null = null;
  #onFailure: ((error: ChildError) => void) | null = null;
  #isDead = false;
  #jobs = 0;
  /** The child's stderr from before it got any file. */
  #lastWords = '';
  #ending = '';

  private constructor(paths: ChildPaths, limits: FitLimits) {
    this.#limits = limits;
    const libraries = [paths.sharp, paths.gifenc].map((each) => pathToFileURL(each).href);
    this.#process = spawn(process.execPath, [...flagsFor(paths), paths.program, ...libraries], {
      // Pass none of the service's variables, which include tokens. These three are for libuv, glibc and libvips.
      env: { UV_THREADPOOL_SIZE: '1', MALLOC_ARENA_MAX: '1', VIPS_DISC_THRESHOLD: '1g' },
      cwd: path.dirname(paths.program),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    makeNice(this.#process.pid, limits.niceness);
    this.#closed = once(this.#process, 'close').catch(() => undefined);
    this.#process.on('error', (cause) => this.#fail(new ChildError('misbehaved', { cause })));
    this.#process.on('exit', (code, signal) => {
      this.#ending = signal ?? `exit code ${code}`;
      this.#fail(new ChildError('misbehaved'));
    });
    this.#process.stderr.on('data', (piece: Buffer) => {
      this.#lastWords = (this.#lastWords + piece.toString()).slice(0, LAST_WORDS_LENGTH_MAX);
    });
    // Ignore errors of writing to a dead child, because its exit event reports them.
    this.#process.stdin.on('error', () => {});
    this.#process.stdout.on('data', (piece: Buffer) => this.#receive(piece));
  }

  /** @throws ChildError `not_loaded` usually means that sharp has no binary for this machine */
  static async start(paths: ChildPaths, limits: FitLimits, signal: AbortSignal): Promise<FitChildProcess> {
    const child = new FitChildProcess(paths, limits);
    try {
      const { kind } = await child.#waitForReply(limits.startTimeoutMs, signal, () => {});
      if (kind !== REPLY.ready) throw await child.#end(new ChildError('misbehaved'));
    } catch (error) {
      const isEnded = error instanceof ChildError && error.failure === 'misbehaved';
      throw isEnded ? new ChildError('not_loaded', { cause: new Error(child.#reason()) }) : error;
    }
    // From now on the child works on untrusted files, and its stderr may contain private data.
    child.#process.stderr.destroy();
    child.#lastWords = '';
    await boundChild(child.#process.pid ?? 0, limits);
    return child;
  }

  /** True while it may get another request. */
  get isUsable(): boolean {
    return !this.#isDead && this.#jobs < this.#limits.jobsPerChildMax;
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /**
   * @param file is read until the promise settles, and not after that
   * @throws ChildError, or the signal's reason. The child is then gone
   */
  async run(spec: FitSpec, file: Uint8Array, timeoutMs: number, signal: AbortSignal): Promise<Buffer> {
    this.#jobs += 1;
    const watch = setInterval(() => void this.#checkMemory(), this.#limits.residentCheckMs);
    try {
      const { kind, file: fitted } = await this.#waitForReply(timeoutMs, signal, () => {
        const { stdin } = this.#process;
        stdin.cork();
        stdin.write(encodeRequestHeader(spec, file.length));
        stdin.write(file);
        stdin.uncork();
      });
      if (kind === REPLY.fitted && this.#process.stdin.writableLength === 0) return fitted;
      throw await this.#end(new ChildError(kind === REPLY.cannotFit ? 'cannot_fit' : 'misbehaved'));
    } finally {
      clearInterval(watch);
    }
  }

  /** Kills the child immediately. Settles when all of it is gone. */
  async kill(): Promise<void> {
    this.#isDead = true;
    this.#process.stdin.destroy();
    this.#process.kill('SIGKILL');
    await this.#closed;
  }

  async #waitForReply(timeoutMs: number, signal: AbortSignal, begin: () => void): Promise<Reply> {
    const reply = Promise.withResolvers<Reply>();
    this.#onReply = reply.resolve;
    this.#onFailure = reply.reject;
    const timer = setTimeout(() => reply.reject(new ChildError('timeout')), timeoutMs);
    try {
      signal.throwIfAborted();
      if (this.#isDead) throw new ChildError('misbehaved');
      begin();
      return await untilAborted(signal, reply.promise);
    } catch (error) {
      throw await this.#end(error);
    } finally {
      clearTimeout(timer);
      this.#onReply = null;
      this.#onFailure = null;
    }
  }

  /**
   * Returns the first line that mentions an error, and as many following lines as fit, because the first line only says
   * that sharp failed.
   */
  #reason(): string {
    const lines = this.#lastWords.split('\n').map((line) => line.trim());
    const from = Math.max(
      0,
      lines.findIndex((line) => /^(?:Uncaught )?\w*Error\b/.test(line)),
    );
    const said = lines
      .slice(from)
      .filter((line) => line !== '')
      .join(' ');
    return `sharp does not load (${this.#ending || 'no process'}): ${said.slice(0, REASON_LENGTH_MAX)}`;
  }

  async #end<Reason>(reason: Reason): Promise<Reason> {
    await this.kill();
    return reason;
  }

  #fail(error: ChildError): void {
    this.#isDead = true;
    this.#onFailure?.(error);
  }

  #receive(piece: Buffer): void {
    this.#received.push(piece);
    this.#receivedBytes += piece.length;
    if (this.#receivedBytes < REPLY_HEADER_BYTES) return;
    const [first = piece] = this.#received;
    if (first.length < REPLY_HEADER_BYTES) this.#received = [Buffer.concat(this.#received)];
    const whole = REPLY_HEADER_BYTES + (this.#received[0]?.readUInt32LE(1) ?? 0);
    const isTooMuch = whole > REPLY_HEADER_BYTES + this.#limits.bytesMax || this.#receivedBytes > whole;
    if (isTooMuch || this.#onReply === null) {
      this.#fail(new ChildError('misbehaved'));
      void this.kill();
      return;
    }
    if (this.#receivedBytes < whole) return;
    const reply = Buffer.concat(this.#received);
    this.#received = [];
    this.#receivedBytes = 0;
    this.#onReply({ kind: reply.readUInt8(0), file: reply.subarray(REPLY_HEADER_BYTES) });
  }

  async #checkMemory(): Promise<void> {
    try {
      const { residentBytes } = await readMemory(this.#process.pid ?? 0);
      if (residentBytes > this.#limits.residentBytesMax) this.#fail(new ChildError('cannot_fit'));
    } catch {
      // Not Linux, or the process has ended.
    }
  }
}
