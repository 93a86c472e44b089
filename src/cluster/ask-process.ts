import type { Agent } from 'undici';

export interface ProcessAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body as it arrived, without a copy. */
  readonly pieces: readonly Buffer[];
}

/**
 * One GET to another process.
 * @param onLength told how long the body will be, before it comes; what it throws ends the request
 * @throws Error when the whole answer has not come after `timeoutMs`
 */
export function askProcess(
  agent: Agent,
  request: { readonly origin: string; readonly path: string; readonly headers: Record<string, string> },
  timeoutMs: number,
  onLength: (bytes: number) => void = () => {},
): Promise<ProcessAnswer> {
  return new Promise((resolve, reject) => {
    let late: Error | null = null;
    let stop: (reason: Error) => void = reject;
    const timer = setTimeout(() => {
      late = new Error('no answer in time');
      stop(late);
    }, timeoutMs);
    let status = 0;
    let headers: ProcessAnswer['headers'] = {};
    const pieces: Buffer[] = [];
    // Half the work of `agent.request`, whose body is a stream.
    agent.dispatch(
      { ...request, method: 'GET' },
      {
        onRequestStart(controller) {
          stop = (reason) => controller.abort(reason);
          // It has waited for a connection until now.
          if (late !== null) stop(late);
        },
        onResponseStart(controller, statusCode, given) {
          status = statusCode;
          headers = given;
          try {
            onLength(Number(given['content-length'] ?? 0));
          } catch (error) {
            controller.abort(error instanceof Error ? error : new Error(String(error)));
          }
        },
        onResponseData: (_controller, piece) => void pieces.push(piece),
        onResponseEnd() {
          clearTimeout(timer);
          resolve({ status, headers, pieces });
        },
        onResponseError(_controller, error) {
          clearTimeout(timer);
          reject(error);
        },
      },
    );
  });
}
