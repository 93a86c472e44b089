const MEBIBYTE = 1_048_576;

/** How many MiB a person is told that they may send: never more than it is, and never 0. */
export function toMebibytes(bytes: number): number {
  const places = bytes < MEBIBYTE ? 1_000 : 1;
  return Math.max(0.001, Math.floor((bytes / MEBIBYTE) * places) / places);
}
