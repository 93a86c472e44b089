const MEBIBYTE = 1_048_576;

/** A limit in MiB for people: rounded down, so that it is never more than the limit, and never 0. */
export function toMebibytes(bytes: number): number {
  const places = bytes < MEBIBYTE ? 1_000 : 1;
  return Math.max(0.001, Math.floor((bytes / MEBIBYTE) * places) / places);
}
