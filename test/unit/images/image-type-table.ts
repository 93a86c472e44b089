import { gzipSync } from 'node:zlib';

import {
  avif,
  avifSize,
  box,
  gif,
  exif,
  jpeg,
  jpegSegment,
  largeBox,
  noise,
  png,
  PNG_SIGNATURE,
  pngChunk,
  pngHeader,
  riffChunk,
  webpAnimated,
  webpExtended,
  webpLossless,
  webpLossy,
} from '../../fixtures/image-files.ts';

const icc = jpegSegment(0xe2, noise(65_000));

/** @param at counted from the end where it is negative */
const insert = (file: Buffer, at: number, bytes: Uint8Array | readonly number[]) =>
  Buffer.concat([file.subarray(0, at), Buffer.from(bytes), file.subarray(at)]);

/** A WebP that is off by some bytes about its own length. */
function resized(file: Buffer, difference: number): Buffer {
  const copy = Buffer.from(file);
  copy.writeUInt32LE(copy.readUInt32LE(4) + difference, 4);
  return copy;
}

const NEARLY_WEBP = (
  [
    ['lossy webp', webpLossy(300, 200), ''],
    ['lossless webp', webpLossless(300, 200), ''],
    ['extended webp', webpExtended(300, 200), ''],
    ['animated webp', webpAnimated(300, 200), ' animated'],
  ] as const
).flatMap(([name, file, animated]) =>
  (
    [
      ['that says one byte more', resized(file, 1)],
      ['that says one byte less', resized(file, -1)],
      ['without its last byte', file.subarray(0, -1)],
    ] as const
  ).map(([fault, faulty]) => [`${name} ${fault}`, faulty, `image/webp 300x200${animated}`] as const),
);

export const pngWithout = (rest: readonly Buffer[]) =>
  Buffer.concat([Buffer.from(PNG_SIGNATURE, 'latin1'), ...rest]);
const idat = pngChunk('IDAT', noise(10));

/** By colour type: the bit depths of the specification. */
const PNG_DEPTHS = { 0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16] };

/** Files that are an image, with type and size in one line. */
export const IMAGES: readonly (readonly [name: string, file: Uint8Array, verdict: string])[] = [
  ['png', png(128, 64), 'image/png 128x64'],
  ['png of 1 pixel', png(1, 1), 'image/png 1x1'],
  [
    'png with a profile and text',
    png(3, 4, { chunks: [pngChunk('iCCP', noise(3_000)), pngChunk('tEXt', 'a\0b')] }),
    'image/png 3x4',
  ],
  ...Object.entries(PNG_DEPTHS).flatMap(([type, depths]) =>
    depths.map(
      (depth) =>
        [
          `png of colour type ${type} with ${depth} bits`,
          pngWithout([pngHeader(3, 4, [depth, Number(type), 0, 0, 0]), idat]),
          'image/png 3x4',
        ] as const,
    ),
  ),
  ['png that says it has one frame', png(3, 4, { frames: 1 }), 'image/png 3x4'],
  ['apng', png(3, 4, { frames: 7 }), 'image/png 3x4 animated'],
  [
    'apng after other chunks',
    png(3, 4, { frames: 2, chunks: [pngChunk('gAMA', [0, 0, 0, 1])] }),
    'image/png 3x4 animated',
  ],
  ['jpeg', jpeg(640, 480), 'image/jpeg 640x480'],
  ['jpeg that its EXIF turns by a quarter', jpeg(640, 480, { before: [exif(6)] }), 'image/jpeg 480x640'],
  [
    'jpeg that its EXIF turns, in the other byte order',
    jpeg(640, 480, { before: [exif(8, 'II')] }),
    'image/jpeg 480x640',
  ],
  [
    'jpeg that its EXIF mirrors along a diagonal',
    jpeg(640, 480, { before: [exif(5)] }),
    'image/jpeg 480x640',
  ],
  ['jpeg that its EXIF turns upside down', jpeg(640, 480, { before: [exif(3)] }), 'image/jpeg 640x480'],
  ['jpeg with an unknown orientation', jpeg(640, 480, { before: [exif(9)] }), 'image/jpeg 640x480'],
  [
    'jpeg with two EXIF segments, of which the first counts',
    jpeg(640, 480, { before: [exif(1), exif(6)] }),
    'image/jpeg 640x480',
  ],
  ['jpeg whose EXIF is cut off', jpeg(640, 480, { before: [exif(6, 'MM', 12)] }), 'image/jpeg 640x480'],
  [
    'jpeg whose EXIF leads out of its segment',
    jpeg(640, 480, { before: [exif(6, 'MM', undefined, 60_000)] }),
    'image/jpeg 640x480',
  ],
  ['progressive jpeg', jpeg(640, 480, { startOfFrame: 0xc2 }), 'image/jpeg 640x480'],
  ['arithmetic jpeg', jpeg(640, 480, { startOfFrame: 0xc9 }), 'image/jpeg 640x480'],
  ['jpeg after 10 segments of 64 KiB', jpeg(5, 6, { before: Array<Buffer>(10).fill(icc) }), 'image/jpeg 5x6'],
  ['jpeg with fill bytes', jpeg(5, 6, { before: [Buffer.from([0xff, 0xff, 0xff])] }), 'image/jpeg 5x6'],
  [
    'jpeg with zeros between its segments',
    jpeg(5, 6, { before: [Buffer.alloc(3), icc, Buffer.alloc(4_096), jpegSegment(0xfe, 'hi')] }),
    'image/jpeg 5x6',
  ],
  ['jpeg with 64 KiB of zeros', jpeg(5, 6, { before: [Buffer.alloc(65_536)] }), 'image/jpeg 5x6'],
  [
    'jpeg with text and an escaped byte between its segments',
    jpeg(5, 6, { before: [Buffer.from('hello\xff\0bye', 'latin1')] }),
    'image/jpeg 5x6',
  ],
  [
    'jpeg with markers before its pixels that have no length',
    jpeg(5, 6, { before: [Buffer.from([0xff, 0xd0, 0xff, 0x01, 0xff, 0xd7])] }),
    'image/jpeg 5x6',
  ],
  [
    'jpeg with tables and a comment',
    jpeg(5, 6, { before: [jpegSegment(0xc4, noise(20)), jpegSegment(0xfe, 'hi')] }),
    'image/jpeg 5x6',
  ],
  ['gif', gif(10, 20), 'image/gif 10x20'],
  ['gif without colours', gif(10, 20, { colors: 'none' }), 'image/gif 10x20'],
  ['gif of 2 frames', gif(10, 20, { frames: 2 }), 'image/gif 10x20 animated'],
  [
    'gif of 3 frames with their own colours',
    gif(10, 20, { frames: 3, colors: 'local' }),
    'image/gif 10x20 animated',
  ],
  ['gif with a zero byte before its end', insert(gif(10, 20), -1, [0]), 'image/gif 10x20'],
  ['gif with many of them', insert(gif(10, 20), -1, Buffer.alloc(5_000)), 'image/gif 10x20'],
  [
    'gif with a zero byte for its end',
    Buffer.concat([gif(10, 20).subarray(0, -1), Buffer.alloc(1)]),
    'image/gif 10x20',
  ],
  ['gif with text before its end', insert(gif(10, 20), -1, Buffer.from('text')), 'image/gif 10x20'],
  [
    'gif of 2 frames with zero bytes before its end',
    insert(gif(10, 20, { frames: 2 }), -1, Buffer.alloc(2)),
    'image/gif 10x20 animated',
  ],
  ['gif whose pixels end early', gif(10, 20).subarray(0, -3), 'image/gif 10x20'],
  [
    'gif that is a web page in a comment',
    Buffer.concat([
      gif(10, 20).subarray(0, 25),
      Buffer.from('\x21\xfe\x0c<script>1//\n\0', 'latin1'),
      gif(10, 20).subarray(25),
    ]),
    'image/gif 10x20',
  ],
  ['gif with a frame wider than its screen', gif(10, 20, { frameWidth: 30 }), 'image/gif 30x20'],
  ['gif 87a', Buffer.concat([Buffer.from('GIF87a'), gif(10, 20).subarray(6)]), 'image/gif 10x20'],
  ['lossy webp', webpLossy(300, 200), 'image/webp 300x200'],
  ['lossless webp', webpLossless(300, 200), 'image/webp 300x200'],
  ['lossless webp of the largest size', webpLossless(16_384, 3_000), 'image/webp 16384x3000'],
  ['extended webp', webpExtended(300, 200), 'image/webp 300x200'],
  [
    'extended webp with a profile',
    webpExtended(300, 200, { chunks: [riffChunk('ICCP', noise(501))] }),
    'image/webp 300x200',
  ],
  ['animated webp', webpAnimated(300, 200), 'image/webp 300x200 animated'],
  ['animated webp of one frame', webpExtended(300, 200, { flags: 2, frames: 1 }), 'image/webp 300x200'],
  ...NEARLY_WEBP,
  ['avif', avif(400, 300), 'image/avif 400x300'],
  ['avif sequence', avif(400, 300, { brands: ['avis', 'avif', 'msf1'] }), 'image/avif 400x300 animated'],
  ['avif by a compatible brand', avif(400, 300, { brands: ['mif1', 'miaf', 'avif'] }), 'image/avif 400x300'],
  [
    'avif of tiles with a thumbnail',
    avif(400, 300, { sizes: [avifSize(200, 150), avifSize(40, 30)] }),
    'image/avif 400x300',
  ],
  ['avif with sizes in 64 bits', avif(400, 300, { makeBox: largeBox }), 'image/avif 400x300'],
  ['the most pixels', png(10_000, 5_000), 'image/png 10000x5000'],
  ['the longest side', png(16_384, 1), 'image/png 16384x1'],
];

/** The head of a file in Matroska's containers: https://www.rfc-editor.org/rfc/rfc8794 */
const ebml = (type: string) =>
  Buffer.concat([
    Buffer.from('\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82', 'latin1'),
    Buffer.from([0x80 + type.length]),
    Buffer.from(type),
    noise(50),
  ]);
const WEBM = ebml('webm');

const latin1 = (text: string) => Buffer.from(text, 'latin1');

/** Files that people take for an image, and what they are. */
export const NAMED: readonly (readonly [name: string, file: Uint8Array, sentence: string])[] = [
  ...['heic', 'heix', 'hevc', 'mif1', 'msf1'].map(
    (brand) => [`HEIC of ${brand}`, avif(4, 3, { brands: [brand], codec: 'hvcC' }), 'a HEIC image'] as const,
  ),
  [
    'HEIC that calls itself AVIF',
    avif(4, 3, { brands: ['avif', 'heic', 'mif1'], codec: 'hvcC' }),
    'a HEIC image',
  ],
  ...['isom', 'iso5', 'mp42', 'avc1', 'M4V ', '3gp4', 'dash'].map(
    (brand) =>
      [
        `MP4 of ${brand}`,
        Buffer.concat([box('ftyp', brand, '\0\0\0\0', brand), noise(50)]),
        'a video (MP4)',
      ] as const,
  ),
  ['a film of QuickTime', Buffer.concat([box('ftyp', 'qt  ', '\0\0\0\0'), noise(50)]), 'a video (MOV)'],
  ['WebM', WEBM, 'a video (WebM)'],
  ['Matroska', ebml('matroska'), 'a video (MKV)'],
  ['an icon of Windows', latin1('\0\0\x01\0\x01\0\x10\x10\0\0\x01\0 \0'), 'an image of the type ICO'],
  ['TIFF of Intel', latin1('II*\0\x08\0\0\0aaaaaaa'), 'an image of the type TIFF'],
  ['TIFF of Motorola', latin1('MM\0*\0\0\0\x08aaaaaaa'), 'an image of the type TIFF'],
  ['BMP', latin1('BM\x46\0\0\0\0\0\0\0\x36\0\0\0'), 'an image of the type BMP'],
  ['JPEG XL alone', latin1('\xff\x0a\xfa\x1f\x41aaaaaaaa'), 'an image of the type JPEG XL'],
  ['JPEG XL in a box', latin1('\0\0\0\x0cJXL \r\n\x87\n\0\0\0'), 'an image of the type JPEG XL'],
];

const spoiled = (file: Buffer, at: number, byte: number) => {
  const copy = Buffer.from(file);
  copy[at] = byte;
  return copy;
};

/** Files that are none, or none that is taken, with the code of the refusal. */
export const REFUSED: readonly (readonly [name: string, file: Uint8Array | string, verdict: string])[] = [
  ['nothing', '', 'image_not_an_image'],
  ['one byte', '\x89', 'image_not_an_image'],
  ['text', 'hello world, this is no image', 'image_not_an_image'],
  ['noise', noise(5_000), 'image_not_an_image'],
  ['pdf', '%PDF-1.7\n1 0 obj << /Type /Catalog >>', 'image_not_an_image'],
  ['zip', Buffer.from('PK\x03\x04aaaaaaaaaaaaaaaa', 'latin1'), 'image_not_an_image'],
  ['bmp', Buffer.from('BM\x46\0\0\0\0\0\0\0\x36\0\0\0', 'latin1'), 'image_not_an_image'],
  ['ico', Buffer.from('\0\0\x01\0\x01\0\x10\x10\0\0\x01\0 \0', 'latin1'), 'image_not_an_image'],
  ['tiff', Buffer.from('II*\0\x08\0\0\0aaaaaaa', 'latin1'), 'image_not_an_image'],
  ['heic', avif(4, 3, { brands: ['heic', 'mif1'] }), 'image_not_an_image'],
  [
    'heic that calls itself avif',
    avif(4, 3, { brands: ['avif', 'heic', 'mif1'], codec: 'hvcC' }),
    'image_not_an_image',
  ],
  ['mp4', Buffer.concat([box('ftyp', 'isom', 'isomavc1'), box('moov', noise(50))]), 'image_not_an_image'],
  ['webm', WEBM, 'image_not_an_image'],
  ['wave in riff', Buffer.from('RIFF\x24\0\0\0WAVEfmt \x10\0\0\0', 'latin1'), 'image_not_an_image'],
  ['json', '{"url":"https://example.com/a.png"}', 'image_not_an_image'],
  ['html', '<!DOCTYPE html><html><body><svg width="1"></svg></body></html>', 'image_not_an_image'],
  ['html that begins with a comment', '<!-- a --><html><svg/></html>', 'image_not_an_image'],
  ['xml that is no svg', '<?xml version="1.0"?><rss></rss>', 'image_not_an_image'],
  ['svg', '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>', 'image_svg_refused'],
  ['svg in capitals', '<SVG width="1"/>', 'image_svg_refused'],
  [
    'svg after a declaration',
    '\ufeff<?xml version="1.0"?>\n<!-- x -->\n<!DOCTYPE svg><svg/>',
    'image_svg_refused',
  ],
  ['svg after a long comment', `<!--${' licence'.repeat(5_000)}--><svg/>`, 'image_svg_refused'],
  [
    'svg after a long comment in UTF-16',
    Buffer.from(`\ufeff<!--${' licence'.repeat(5_000)}-->\n<svg/>`, 'utf16le'),
    'image_svg_refused',
  ],
  [
    'svg after its doctype and a long comment',
    `<!DOCTYPE svg><!--${' licence'.repeat(5_000)}--><svg/>`,
    'image_svg_refused',
  ],
  ['xml with an svg in a comment', '<!-- <svg/> --><rss></rss>', 'image_not_an_image'],
  ['a comment without an end', '<!-- <svg/>', 'image_not_an_image'],
  ['svg after white space', '\n\t <svg onload="alert(1)"/>', 'image_svg_refused'],
  ['svg in UTF-16 of the other order', Buffer.from('\ufeff<svg/>', 'utf16le').swap16(), 'image_svg_refused'],
  ['svg with a prefix', '<svg:svg xmlns:svg="http://www.w3.org/2000/svg"/>', 'image_svg_refused'],
  ['compressed svg', gzipSync('<svg/>'), 'image_not_an_image'],
  ['an image inside of a pdf', Buffer.concat([Buffer.from('%PDF-1.7\n'), jpeg(5, 6)]), 'image_not_an_image'],
  ['svg in UTF-16', Buffer.from('\ufeff<svg width="1"/>', 'utf16le'), 'image_svg_refused'],

  ['png signature alone', PNG_SIGNATURE, 'image_not_an_image'],
  ['png signature with junk', pngWithout([noise(200)]), 'image_not_an_image'],
  ['png without pixels', pngWithout([pngHeader(1, 1), pngChunk('IEND', [])]), 'image_not_an_image'],
  ['png with a wrong checksum', spoiled(png(7, 7), 19, 9), 'image_not_an_image'],
  [
    'png of an unknown colour type',
    pngWithout([pngHeader(1, 1, [8, 5, 0, 0, 0]), idat]),
    'image_not_an_image',
  ],
  [
    'png of a depth that its colours do not have',
    pngWithout([pngHeader(1, 1, [4, 6, 0, 0, 0]), idat]),
    'image_not_an_image',
  ],
  [
    'png of an unknown compression',
    pngWithout([pngHeader(1, 1, [8, 2, 1, 0, 0]), idat]),
    'image_not_an_image',
  ],
  [
    'png that does not begin with its header',
    pngWithout([pngChunk('gAMA', noise(13)), pngHeader(1, 1), idat]),
    'image_not_an_image',
  ],
  [
    'png of endless chunks',
    pngWithout([pngHeader(1, 1), ...Array<Buffer>(2_000).fill(pngChunk('tEXt', '')), idat]),
    'image_not_an_image',
  ],
  ['png without width', png(0, 5), 'image_not_an_image'],
  ['png without height', png(5, 0), 'image_not_an_image'],
  ['png of too many pixels', png(10_000, 5_001), 'image_too_many_pixels'],
  ['png of too long a side', png(16_385, 1), 'image_too_many_pixels'],
  ['png of the largest numbers', png(0xffff_ffff, 0xffff_ffff), 'image_too_many_pixels'],

  ['jpeg signature alone', Buffer.from([0xff, 0xd8, 0xff]), 'image_not_an_image'],
  [
    'jpeg signature with junk',
    Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), noise(500)]),
    'image_not_an_image',
  ],
  [
    'jpeg without size',
    Buffer.concat([jpeg(1, 1).subarray(0, 20), jpegSegment(0xda, noise(10))]),
    'image_not_an_image',
  ],
  [
    'jpeg that ends at once',
    Buffer.from([0xff, 0xd8, 0xff, 0xd9, 0, 0, 0, 0, 0, 0, 0, 0]),
    'image_not_an_image',
  ],
  ['jpeg without lines', jpeg(5, 0), 'image_not_an_image'],
  ['jpeg without columns', jpeg(0, 5), 'image_not_an_image'],
  ['jpeg with two sizes', jpeg(5, 6, { before: [jpeg(7, 8).subarray(20, 39)] }), 'image_not_an_image'],
  [
    'jpeg segment without its own length',
    jpeg(5, 6, { before: [Buffer.from([0xff, 0xfe, 0, 1])] }),
    'image_not_an_image',
  ],
  ['jpeg of endless fill bytes', jpeg(5, 6, { before: [Buffer.alloc(100_000, 0xff)] }), 'image_not_an_image'],
  ['jpeg of endless zeros', jpeg(5, 6, { before: [Buffer.alloc(100_000)] }), 'image_not_an_image'],
  ['jpeg that begins twice', jpeg(5, 6, { before: [Buffer.from([0xff, 0xd8])] }), 'image_not_an_image'],
  [
    'jpeg that ends before its pixels',
    jpeg(5, 6, { before: [Buffer.from([0xff, 0xd9])] }),
    'image_not_an_image',
  ],
  ['jpeg of too long a side', jpeg(65_535, 1), 'image_too_many_pixels'],
  ['jpeg of too many pixels', jpeg(16_000, 16_000), 'image_too_many_pixels'],

  ['gif signature with junk', Buffer.concat([Buffer.from('GIF89a'), noise(500)]), 'image_not_an_image'],
  ['gif without a frame', gif(10, 20, { frames: 0 }), 'image_not_an_image'],
  ['gif without columns', gif(0, 20), 'image_not_an_image'],
  ['gif that ends in its first frame’s head', gif(10, 20).subarray(0, 36), 'image_not_an_image'],
  [
    'gif of endless sub-blocks',
    gif(10, 20, { subBlocks: Array<string>(150_000).fill('a') }),
    'image_not_an_image',
  ],
  [
    'gif with a small screen and a frame of too long a side',
    gif(1, 1, { frameWidth: 65_535 }),
    'image_too_many_pixels',
  ],
  ['gif of too long a side', gif(65_535, 2), 'image_too_many_pixels'],

  ['webp signature alone', Buffer.from('RIFF\x04\0\0\0WEBP', 'latin1'), 'image_not_an_image'],
  [
    'webp with junk',
    Buffer.concat([Buffer.from('RIFF\x20\0\0\0WEBP', 'latin1'), noise(500)]),
    'image_not_an_image',
  ],
  ['webp that is two bytes longer than the file', webpLossy(3, 2).subarray(0, -2), 'image_not_an_image'],
  ['webp that says eight bytes more', resized(webpLossy(3, 2), 8), 'image_not_an_image'],
  ['webp without a key frame', spoiled(webpLossy(3, 2), 20, 0x11), 'image_not_an_image'],
  ['webp without its start code', spoiled(webpLossy(3, 2), 23, 0), 'image_not_an_image'],
  ['webp without columns', webpLossy(0, 2), 'image_not_an_image'],
  ['lossless webp of an unknown version', spoiled(webpLossless(3, 2), 24, 0xe0), 'image_not_an_image'],
  ['animated webp without its flag', webpExtended(3, 2, { frames: 2 }), 'image_not_an_image'],
  ['extended webp without pixels', spoiled(webpExtended(3, 2), 30, 0x78), 'image_not_an_image'],
  [
    'extended webp whose pixels are larger than its canvas',
    webpExtended(1, 1, { pixels: webpLossy(16_383, 16_383).subarray(12) }),
    'image_not_an_image',
  ],
  [
    'extended webp whose lossless pixels are larger than its canvas',
    webpExtended(1, 1, { pixels: webpLossless(16_384, 16_384).subarray(12) }),
    'image_not_an_image',
  ],
  ['extended webp of too many pixels', webpExtended(16_000, 16_000), 'image_too_many_pixels'],
  ['animated webp of the largest size', webpAnimated(2 ** 24, 2 ** 24), 'image_too_many_pixels'],

  ['avif without a size', avif(0, 0), 'image_not_an_image'],
  ['avif of a file type alone', box('ftyp', 'avif', '\0\0\0\0', 'avif'), 'image_not_an_image'],
  ['avif with junk', Buffer.concat([box('ftyp', 'avif', '\0\0\0\0'), noise(500)]), 'image_not_an_image'],
  ['avif whose boxes are longer than the file', avif(4, 3).subarray(0, -70), 'image_not_an_image'],
  ['avif of too many pixels', avif(16_000, 16_000), 'image_too_many_pixels'],
  [
    'avif with a thumbnail and too many pixels',
    avif(10, 10, { sizes: [avifSize(16_384, 16_384)] }),
    'image_too_many_pixels',
  ],
];
