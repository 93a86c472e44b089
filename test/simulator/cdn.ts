import type { ServerResponse } from 'node:http';
import type { APIAttachment } from 'discord-api-types/v10';
import type { SnowflakeSource } from './snowflakes.ts';

/** A file as a test names it. */
export interface FileSeed {
  readonly name: string;
  readonly bytes: Uint8Array | string;
  /** Guessed from the name when left out. Old messages have none: null. */
  readonly contentType?: string | null;
  /** Pixels, of an image or a video. */
  readonly width?: number;
  readonly height?: number;
}

const TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  json: 'application/json; charset=utf-8',
};

/** Serves the bytes of attachments, as cdn.discordapp.com does. */
export class Cdn {
  readonly #ids: SnowflakeSource;
  readonly #origin: () => string;
  readonly #files = new Map<string, { bytes: Buffer; contentType: string }>();

  constructor(ids: SnowflakeSource, origin: () => string) {
    this.#ids = ids;
    this.#origin = origin;
  }

  /** Registers a file and returns its attachment object, whose `url` works. */
  put(file: FileSeed, channelId = '0'): APIAttachment {
    const bytes = Buffer.from(file.bytes);
    const extension = file.name.split('.').at(-1)?.toLowerCase() ?? '';
    const named = TYPES[extension] ?? 'application/octet-stream';
    const contentType = file.contentType === undefined ? named : file.contentType;
    const id = this.#ids.next();
    const path = `/attachments/${channelId}/${id}/${encodeURIComponent(file.name)}`;
    this.#files.set(path, { bytes, contentType: contentType ?? named });
    const url = this.#origin() + path;
    return {
      id,
      filename: file.name,
      ...(contentType === null ? {} : { content_type: contentType }),
      size: bytes.length,
      ...(file.width === undefined ? {} : { width: file.width }),
      ...(file.height === undefined ? {} : { height: file.height }),
      url,
      proxy_url: url,
    };
  }

  /** Forgets a file; its address is 404 from now on, as an expired one is. */
  remove(url: string): void {
    this.#files.delete(new URL(url).pathname);
  }

  serve(path: string, response: ServerResponse): void {
    const file = this.#files.get(path);
    if (!file) {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('This content is no longer available.');
      return;
    }
    response.writeHead(200, { 'Content-Type': file.contentType, 'Content-Length': file.bytes.length });
    response.end(file.bytes);
  }
}
