/** A caller waits this long before it is asked to come back, in milliseconds. Many bot builders give up at 10 s. */
export const CALLER_WAIT_MS = 8_000;
