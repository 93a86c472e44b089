/** One sentence for operators. It shows the host of the address, but neither the user nor the password. */
export function describeFailure(database: string, url: string, error: unknown): string {
  const host = URL.canParse(url) ? new URL(url).host : 'the given address';
  return `${database} at ${host} cannot be used: ${describeReason(error)}`;
}

/** Failed connections to a name with several addresses have a code but no message. */
function describeReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== '') return error.message;
  return 'code' in error ? String(error.code) : error.name;
}
