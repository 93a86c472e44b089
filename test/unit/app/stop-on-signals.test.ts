import { EventEmitter } from 'node:events';
import { describe, expect, test } from 'vitest';

import { createLog } from '../../../src/telemetry/log.ts';
import { stopOnSignals, type Stoppable } from '../../../src/app/stop-on-signals.ts';

function setUp(close: () => Promise<void>, periods: { timeoutMs: number; closingMs?: number }) {
  const lines: string[] = [];
  const signals = new EventEmitter();
  const { promise: exited, resolve } = Promise.withResolvers<number>();
  const exitCodes: number[] = [];
  const exit = (code: number) => {
    exitCodes.push(code);
    resolve(code);
  };
  let closings = 0;
  const app: Stoppable = {
    close() {
      closings += 1;
      return close();
    },
    closingPart: () => 'storage',
  };
  const log = createLog('info', { destination: { write: (line) => void lines.push(line) } });
  let nowMs = 0;
  stopOnSignals(app, log, { ...periods, signals, exit, now: () => nowMs });
  const pass = (ms: number) => (nowMs += ms);
  return { signals, exited, exitCodes, lines, closings: () => closings, pass };
}

const never = () => new Promise<void>(() => {});

describe('a signal', () => {
  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'])('closes the app and ends with 0: %s', async (signal) => {
    const { signals, exited, lines } = setUp(async () => {}, { timeoutMs: 60_000 });
    signals.emit(signal, signal);
    expect(await exited).toBe(0);
    expect(lines.at(-1)).toContain('"msg":"stopped"');
  });

  test('ends with 1 and names the part that takes too long', async () => {
    const { signals, exited, lines } = setUp(never, { timeoutMs: 0, closingMs: 1 });
    signals.emit('SIGTERM', 'SIGTERM');
    expect(await exited).toBe(1);
    expect(lines.at(-1)).toContain('"part":"storage","msg":"stopping takes too long: the process exits now"');
  });

  test('ends with 1 when a part cannot be closed', async () => {
    const { signals, exited, lines } = setUp(() => Promise.reject(new Error('stuck')), { timeoutMs: 60_000 });
    signals.emit('SIGTERM', 'SIGTERM');
    expect(await exited).toBe(1);
    expect(lines.at(-1)).toContain('"msg":"the service could not be stopped cleanly"');
  });

  test('counts once when a process group sends it twice, but ends the process immediately if it comes a second later', () => {
    const { signals, exitCodes, lines, pass } = setUp(never, { timeoutMs: 60_000 });
    signals.emit('SIGINT', 'SIGINT');
    pass(999);
    signals.emit('SIGINT', 'SIGINT');
    expect([exitCodes.length, lines.length]).toEqual([0, 1]);
    pass(1);
    signals.emit('SIGINT', 'SIGINT');
    expect(exitCodes).toEqual([1]);
  });

  test('ends the process immediately if it follows one of another kind', () => {
    const { signals, exitCodes, closings } = setUp(never, { timeoutMs: 60_000 });
    signals.emit('SIGHUP', 'SIGHUP');
    signals.emit('SIGINT', 'SIGINT');
    expect(exitCodes).toEqual([1]);
    expect(closings()).toBe(1);
  });
});
