import { codeOf } from '../kernel/error-code.ts';

// What the log says of a call to Discord that failed: nothing of its address, its bodies, or any text of the other side.

/** A name such as `ECONNREFUSED`, `UND_ERR_HEADERS_TIMEOUT` or `TimeoutError`. */
export function systemCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const code = codeOf(error) ?? error.name;
  return /^\w{1,60}$/.test(code) ? code : 'unknown';
}

/** @param name see `systemCode` */
export function failedCall(name: string): Error {
  return new Error(`The call to Discord failed: ${name}`);
}

/** @param code in the body of Discord's answer; anything but a number means that it has none */
export function refusedCall(status: number, code: unknown): Error {
  return new Error(`Discord answered ${status}, code ${typeof code === 'number' ? code : 'none'}`);
}
