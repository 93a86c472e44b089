/** The code that Node and its libraries give an error, such as `ECONNREFUSED`; null when it has none. */
export function errorCodeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
