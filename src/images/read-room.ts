import type { OnReadOpts, Socket } from 'node:net';

const READ_BYTES = 64 * 1024;
/** What one connection brings in a turn of the event loop; all that is there at once may be a whole file. */
const TURN_BYTES = 4 * READ_BYTES;

/** Of the room for reading from one connection. */
export const ROOM_BYTES = 2 * READ_BYTES;

interface ReadingInto {
  /** Option of the socket. */
  readonly onread: OnReadOpts;
  /** Names the socket as soon as it is there. */
  begin(socket: Socket): void;
}

/**
 * Lets a socket read into memory that is there already. Node makes new memory for each reading, and images that come
 * in would make the garbage collector stop everything twice a second.
 *
 * The place of the next piece is chosen before undici takes the last one off the stream, so there are two. A piece
 * after one that undici has left there for longer gets memory of its own.
 * @param room `ROOM_BYTES` long, for this connection alone
 * @param isTls TLS may report the end of a connection while a piece is held back, so there none is
 */
export function readInto(room: Buffer, isTls: boolean): ReadingInto {
  const places = [room.subarray(0, READ_BYTES), room.subarray(READ_BYTES)];
  let socket: Socket | undefined;
  let last = 0;
  let bytesOfTurn = 0;

  const onread: OnReadOpts = {
    buffer() {
      const isLeft = (socket?.readableLength ?? 0) > last;
      const place = isLeft ? undefined : places.shift();
      if (place === undefined) return Buffer.allocUnsafeSlow(READ_BYTES);
      places.push(place);
      return place;
    },
    callback(length, place) {
      const piece = Buffer.from(place.buffer, place.byteOffset, length);
      last = length;
      bytesOfTurn += length;
      if (isTls || bytesOfTurn + READ_BYTES <= TURN_BYTES) return socket?.push(piece) ?? true;
      // Nothing more is read until undici takes this piece.
      setImmediate(() => {
        bytesOfTurn = length;
        if (socket?.destroyed === false) socket.push(piece);
      });
      return false;
    },
  };
  return { onread, begin: (opened) => void (socket = opened) };
}
