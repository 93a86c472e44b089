import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIP, isIPv4 } from 'node:net';

/** Addresses of either kind, behind other names that lead to them; no such name; a fault of the server; no answer at all. */
export type NameAnswer = readonly string[] | 'unknown' | 'failure' | 'silence';

export interface NameServer extends AsyncDisposable {
  /** `address:port`, as resolvers take it. */
  readonly address: string;
  /** Names asked for, in order, one entry for A and AAAA each. */
  readonly questions: readonly string[];
}

const TYPE_A = 1;
const TYPE_CNAME = 5;
const RESPONSE_CODES = { unknown: 3, failure: 2 } as const;

/**
 * A name server on loopback, RFC 1035 over UDP.
 * @param answer what a name has; called for each question, so that a name may change
 */
export async function startNameServer(answer: (name: string) => NameAnswer): Promise<NameServer> {
  const socket = createSocket('udp4');
  const questions: string[] = [];

  socket.on('message', (query, { address, port }) => {
    const { name, type, end } = readQuestion(query);
    questions.push(name);
    const found = answer(name);
    if (found === 'silence') return;
    const records = typeof found === 'string' ? [] : recordsOf(found, type);
    const code = typeof found === 'string' ? RESPONSE_CODES[found] : 0;
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(0x8180 | code, 2);
    head.writeUInt16BE(records.length, 6);
    head.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([head, query.subarray(12, end), ...records]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');

  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    async [Symbol.asyncDispose]() {
      socket.close();
      await once(socket, 'close');
    },
  };
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** One record after the other: a name moves on to the next owner, an address belongs to the last one. */
function recordsOf(found: readonly string[], type: number): Buffer[] {
  // A pointer to the name of the question.
  let owner = Buffer.from([0xc0, 0x0c]);
  const records: Buffer[] = [];
  for (const text of found) {
    if (isIP(text) === 0) {
      const name = Buffer.from(
        [...text.split('.').map((label) => `${length(label)}${label}`), '\0'].join(''),
      );
      records.push(recordOf(owner, TYPE_CNAME, name));
      owner = name;
    } else if (isIPv4(text) === (type === TYPE_A)) {
      const data = isIPv4(text) ? Buffer.from(text.split('.').map(Number)) : bytesOfIpv6(text);
      records.push(recordOf(owner, type, data));
    }
  }
  return records;
}

const length = (label: string) => String.fromCodePoint(label.length);

/** With a time to live of 0. */
function recordOf(owner: Buffer, type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(10);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(1, 2);
  head.writeUInt16BE(data.length, 8);
  return Buffer.concat([owner, head, data]);
}

const groups = (text: string) => (text === '' ? [] : text.split(':'));

function bytesOfIpv6(ip: string): Buffer {
  const [before = '', after = ''] = new URL(`http://[${ip}]`).hostname.slice(1, -1).split('::');
  const gap = Array<string>(8 - groups(before).length - groups(after).length).fill('0');
  const all = [...groups(before), ...gap, ...groups(after)];
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
}
