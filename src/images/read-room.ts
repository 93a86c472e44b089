import type { OnReadOpts, Socket } from 'node:net';

const READ_BYTES = 64 * 1024;
/** What one connection brings in a turn of the event loop; all that is there at once may be a whole file. */
const TURN_BYTES = 4 * READ_BYTES;

/** Of the room for reading from one connection. */
export const ROOM_BYTES = 2 * READ_BYTES;

/**
 * Options of a socket that reads into memory that is there already. Node makes new memory for each reading, and images
 * that come in would make the garbage collector stop everything twice a second.
 *
 * The place of the next piece is chosen before undici takes the last one off the stream, so there are two. A piece
 * after one that undici has left there for longer gets memory of its own.
 * @param room `ROOM_BYTES` long, for this connection alone
 * @param socketOf the socket, once it is there
 * @param isTls TLS may report the end of a connection while a piece is held back, so there none is
 */
export function readingInto(room: Buffer, socketOf: () => Socket | undefined, isTls: boolean): OnReadOpts {
  const places = [room.subarray(0, READ_BYTES), room.subarray(READ_BYTES)];
  let last = 0;
  let bytesOfTurn = 0;
  return {
    buffer() {
      const isLeft = (socketOf()?.readableLength ?? 0) > last;
      const place = isLeft ? undefined : places.shift();
      if (place === undefined) return Buffer.allocUnsafeSlow(READ_BYTES);
      places.push(place);
      return place;
    },
    callback(length, place) {
      const socket = socketOf();
      const piece = Buffer.from(place.buffer, place.byteOffset, length);
      last = length;
      bytesOfTurn += length;
      if (isTls || bytesOfTurn < TURN_BYTES) return socket?.push(piece) ?? true;
      // Nothing more is read until undici takes this piece.
      setImmediate(() => {
        bytesOfTurn = 0;
        if (socket?.destroyed === false) socket.push(piece);
      });
      return false;
    },
  };
}
