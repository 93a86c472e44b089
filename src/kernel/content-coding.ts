/** Codings that change the bytes. */
const COMPRESSIONS = new Set(['gzip', 'x-gzip', 'deflate', 'br', 'zstd', 'compress']);

/**
 * Whether a `Content-Encoding` says that the bytes are compressed. Programs and storage services put other words there,
 * such as `utf-8` or nothing, and send the bytes as they are.
 */
export function isCompressed(header: string | readonly string[] | undefined): boolean {
  return [header ?? []]
    .flat()
    .flatMap((value) => value.split(','))
    .some((coding) => COMPRESSIONS.has(coding.trim().toLowerCase()));
}
