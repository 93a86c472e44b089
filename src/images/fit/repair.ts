const END_OF_JPEG = Buffer.from([0xff, 0xd9]);
const PADDING = Buffer.alloc(1);

/**
 * Repairs faults that browsers and `../formats` ignore but libvips does not: a JPEG without its end marker, and a
 * WebP with a wrong size or without its last byte, which makes its length even. Returns null for all other types.
 */
export function repair(file: Buffer): Buffer | null {
  if (file.readUInt16BE(0) === 0xffd8) return Buffer.concat([file, END_OF_JPEG]);
  if (file.toString('latin1', 0, 4) !== 'RIFF') return null;
  const whole = file.length % 2 === 0 ? file : Buffer.concat([file, PADDING]);
  whole.writeUInt32LE(whole.length - 8, 4);
  return whole;
}
