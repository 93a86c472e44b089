import type { Agent } from 'undici';

export interface ProcessAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly pieces: readonly Buffer[];
  readonly byteLength: number;
}

export interface Ask {
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** For the whole answer. */
  readonly timeoutMs: number;
  /** Told how long the body will be before it comes. What it throws ends the request. */
  readonly onLength: (bytes: number) => void;
}

/**
 * One GET to another process. The body is kept as it arrives: in pieces, and without a copy.
 * @throws Error when no whole answer comes in time
 */
export function askProcess(
  agent: Agent,
  { origin, path, headers, timeoutMs, onLength }: Ask,
): Promise<ProcessAnswer> {
  return new Promise((resolve, reject) => {
    let late: Error | null = null;
    let stop: (reason: Error) => void = reject;
    const timer = setTimeout(() => {
      late = new Error('no answer in time');
      stop(late);
    }, timeoutMs);
    let status = 0;
    let answerHeaders: ProcessAnswer['headers'] = {};
    const pieces: Buffer[] = [];
    let byteLength = 0;
    agent.dispatch(
      { origin, path, method: 'GET', headers: { ...headers } },
      {
        onRequestStart(controller) {
          stop = (reason) => controller.abort(reason);
          // It has waited for a connection until now.
          if (late !== null) stop(late);
        },
        onResponseStart(controller, statusCode, given) {
          status = statusCode;
          answerHeaders = given;
          try {
            onLength(Number(given['content-length'] ?? 0));
          } catch (error) {
            controller.abort(error instanceof Error ? error : new Error(String(error)));
          }
        },
        onResponseData(_controller, chunk) {
          pieces.push(chunk);
          byteLength += chunk.length;
        },
        onResponseEnd() {
          clearTimeout(timer);
          resolve({ status, headers: answerHeaders, pieces, byteLength });
        },
        onResponseError(_controller, error) {
          clearTimeout(timer);
          reject(error);
        },
      },
    );
  });
}
