import net from 'node:net';

export const REDIS_URL = process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379';
export const POSTGRES_URL = process.env['TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test';

export function addressOf(url: string, defaultPort: number): { host: string; port: number } {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: port === '' ? defaultPort : Number(port) };
}

/** The same service by way of another port of this machine. */
export function throughPort(url: string, port: number): string {
  const moved = new URL(url);
  moved.host = `127.0.0.1:${port}`;
  return moved.href;
}

/** Whether tests that need it are left out. They never are with REQUIRE_SERVICES=1: there they fail. */
export async function isMissing(name: string, url: string, defaultPort: number): Promise<boolean> {
  if (process.env['REQUIRE_SERVICES'] === '1') return false;
  const { host, port } = addressOf(url, defaultPort);
  const answers = await new Promise<boolean>((resolve) => {
    const socket = net.connect({ host, port, timeout: 1_000 });
    const done = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.on('connect', () => done(true));
    socket.on('error', () => done(false));
    socket.on('timeout', () => done(false));
  });
  if (!answers) process.stderr.write(`Skipped: tests on ${name}, nothing answers at ${host}:${port}\n`);
  return !answers;
}
