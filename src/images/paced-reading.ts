import type { OnReadOpts, Socket } from 'node:net';

const READ_BYTES = 64 * 1024;
/** A whole file may be there at once; after so much of it, others have their turn of the event loop. */
const BYTES_AT_ONCE = 4 * READ_BYTES;

interface PacedReading {
  /** Option of the socket. */
  readonly onread: OnReadOpts;
  /** Names the socket as soon as it is there. */
  begin(socket: Socket): void;
}

/**
 * Reads from a socket in portions.
 * @param isTls TLS may report the end of a connection while a piece is held back, so there none is
 */
export function paceReading(isTls: boolean): PacedReading {
  let socket: Socket | null = null;
  /** Where the next piece is put. */
  let place: Buffer | null = null;
  let bytesSincePause = 0;

  const hand = (piece: Buffer): boolean => socket?.destroyed === false && socket.push(piece);

  const onread: OnReadOpts = {
    buffer: () => (place ??= Buffer.allocUnsafeSlow(READ_BYTES)),
    callback(length, memory) {
      const read = Buffer.from(memory.buffer, memory.byteOffset, length);
      const isSmall = length < READ_BYTES / 2;
      // undici keeps headers as parts of the pieces in which they came, so a piece is never written to again, and a
      // small one must not hold on to much memory.
      const piece = isSmall ? Buffer.from(read) : read;
      if (!isSmall) place = null;
      bytesSincePause += length;
      if (isTls || bytesSincePause + READ_BYTES <= BYTES_AT_ONCE) return hand(piece);
      // Nothing more is read until this piece is taken off the stream.
      setImmediate(() => {
        bytesSincePause = length;
        hand(piece);
      });
      return false;
    },
  };
  return { onread, begin: (opened) => void (socket = opened) };
}
