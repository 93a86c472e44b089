import { IN_GUILDS } from '../command.ts';
import { slashCommand } from '../command-of.ts';
import { createKey } from './create-key.ts';
import { MANAGE_KEYS } from './find-key.ts';
import { showHelp } from './help.ts';
import { listKeys } from './list-keys.ts';
import { revokeKey } from './revoke-key.ts';
import { rotateKey } from './rotate-key.ts';
import { showUsage } from './usage.ts';

export const settings = slashCommand(
  { name: 'settings', permission: MANAGE_KEYS, ...IN_GUILDS },
  {
    key: { create: createKey, list: listKeys, rotate: rotateKey, revoke: revokeKey },
    usage: showUsage,
    help: showHelp,
  },
);
