import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** Sent by the child once it listens. */
export interface Listening {
  readonly port: number;
  /** Keys of different guilds. */
  readonly keys: readonly string[];
}

/** Memory after a collection. */
export interface Usage {
  readonly residentBytes: number;
  readonly usedBytes: number;
}

export interface MeasuredService extends Listening, AsyncDisposable {
  usage(): Promise<Usage>;
}

/** The service as a process of its own, so that its memory can be measured separately. */
export async function startMeasuredService(discordApiUrl: string): Promise<MeasuredService> {
  const child = fork(path.join(import.meta.dirname, 'service-server.ts'), [discordApiUrl], {
    execArgv: ['--expose-gc'],
  });
  const failed = once(child, 'exit').then(() => {
    throw new Error('The service ended before it listened.');
  });
  const [listening] = (await Promise.race([once(child, 'message'), failed])) as [Listening];
  return {
    ...listening,
    async usage() {
      const answer = once(child, 'message') as Promise<[Usage]>;
      child.send('usage');
      return (await answer)[0];
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await failed.catch(() => {});
    },
  };
}
