import type { commands } from './es/commands.ts';

/** Name and description of a command or an option; of a choice its name alone. */
export type CommandName = readonly [name: string, description?: string];

/**
 * Every language names the same things: commands and options by their path, choices by the path of their option and
 * their value. Names have at most 32 characters and no capitals, descriptions at most 100.
 */
export type CommandNames = Readonly<Record<keyof typeof commands, CommandName>>;
