import net from 'node:net';

export interface RawAnswer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Writes bytes as they are, for requests that no client would send; resolves when the server ends the connection. */
export async function sendRaw(
  port: number,
  bytes: string | Buffer,
  { end = false } = {},
): Promise<RawAnswer> {
  const socket = net.connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  // The server may reset the connection after its answer. Only what came before counts.
  socket.on('error', () => socket.destroy());
  await new Promise((resolve) => {
    socket.once('close', resolve);
    socket.once('connect', () => (end ? socket.end(bytes) : socket.write(bytes)));
  });
  return parseAnswer(Buffer.concat(chunks).toString('utf8'));
}

function parseAnswer(text: string): RawAnswer {
  const split = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, split).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  return { status: Number(statusLine.split(' ')[1]), headers, body: text.slice(split + 4) };
}
