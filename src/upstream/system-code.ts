/** A name such as `ECONNREFUSED`, `UND_ERR_HEADERS_TIMEOUT` or `TimeoutError`, without any text of the other side. */
export function systemCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return /^\w{1,60}$/.test(code) ? code : 'unknown';
}
