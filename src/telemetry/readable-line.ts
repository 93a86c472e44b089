import { prettyFactory } from 'pino-pretty';

const format = prettyFactory({ singleLine: true, colorize: true, translateTime: 'SYS:HH:MM:ss' });

/** A line of the log for people at a terminal. What does not fit into a sentence follows it as JSON. */
export function toReadableLine(line: string): string {
  return format(line);
}
