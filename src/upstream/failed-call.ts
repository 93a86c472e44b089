import { errorCodeOf } from '../kernel/error-code.ts';

// Describes a failed call to Discord for the log, without its URL, its bodies, or any text from the server.

/** A name such as `ECONNREFUSED`, `UND_ERR_HEADERS_TIMEOUT` or `TimeoutError`. */
export function systemCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const code = errorCodeOf(error) ?? error.name;
  return /^\w{1,60}$/.test(code) ? code : 'unknown';
}

/** @param name see `systemCode` */
export function failedCall(name: string): Error {
  return new Error(`The call to Discord failed: ${name}`);
}

/** @param code in the body of Discord's answer; ignored unless it is a number */
export function refusedCall(status: number, code: unknown): Error {
  return new Error(`Discord answered ${status}, code ${typeof code === 'number' ? code : 'none'}`);
}
