import type { GifModule } from './encode-gif.ts';
import { fitPixels, type SharpModule } from './fit-pixels.ts';
import { encodeReply, REPLY, REQUEST_HEADER_BYTES, type FitSpec } from './fit-protocol.ts';

// The process that decodes untrusted pixels. It knows only its input on stdin. See README.md.
// node --permission … fit-child.ts <URL of the sharp module> <URL of gifenc>

const { default: sharp } = (await import(process.argv[2] ?? '')) as { default: SharpModule };
const gifenc = (await import(process.argv[3] ?? '')) as GifModule;

// One picture at a time on one thread, without state between jobs.
sharp.concurrency(1);
sharp.cache(false);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadNsgifBuffer',
    'VipsForeignLoadHeifBuffer',
  ],
});

/** Opens all files and threads that are otherwise opened on first use, because later the limits forbid it. */
async function warmUp(): Promise<void> {
  const pixels = Buffer.alloc(4 * 4 * 4, 0x80);
  const still = { raw: { width: 4, height: 4, channels: 4 } } as const;
  const strip = { raw: { ...still.raw, pageHeight: 2 } };
  const files = await Promise.all([
    sharp(pixels, still).png().toBuffer(),
    sharp(pixels, still).jpeg().toBuffer(),
    sharp(pixels, strip).gif().toBuffer(),
    sharp(pixels, strip).webp().toBuffer(),
    sharp(pixels, still).avif({ effort: 0 }).toBuffer(),
  ]);
  for (const file of files) {
    await sharp(file).autoOrient().resize(2, 2).toColourspace('srgb').ensureAlpha().raw().toBuffer();
  }
}

async function answer(spec: FitSpec, file: Buffer): Promise<void> {
  const fitted = await fitPixels({ sharp, gifenc }, file, spec).catch(() => null);
  process.stdout.write(fitted === null ? encodeReply(REPLY.cannotFit) : encodeReply(REPLY.fitted, fitted));
}

/** Answers one request after the other, until the service closes the pipe. */
async function answerAll(requests: AsyncIterable<Buffer>): Promise<void> {
  let pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of requests) {
    pieces.push(piece);
    length += piece.length;
    if (length < REQUEST_HEADER_BYTES) continue;
    const header = Buffer.concat(pieces, REQUEST_HEADER_BYTES);
    const fileAt = REQUEST_HEADER_BYTES + header.readUInt32LE(0);
    if (length < fileAt + header.readUInt32LE(4)) continue;
    const request = Buffer.concat(pieces);
    pieces = [];
    length = 0;
    const spec = JSON.parse(request.toString('utf8', REQUEST_HEADER_BYTES, fileAt)) as FitSpec;
    await answer(spec, request.subarray(fileAt));
  }
}

await warmUp();
process.stdout.write(encodeReply(REPLY.ready));
await answerAll(process.stdin);
