import { prettyFactory } from 'pino-pretty';

/** A line of the log for people at a terminal. What does not fit into a sentence follows it as JSON. */
export const toReadableLine: (line: string) => string = prettyFactory({
  singleLine: true,
  colorize: true,
  translateTime: 'SYS:HH:MM:ss',
});
