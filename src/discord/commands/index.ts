import type { Command, ComponentAction } from './command.ts';
import { base64Command, base64MessageCommand } from './base64.ts';
import { helpCommand } from './help.ts';
import { parseCommand, parseMessageCommand, showJson } from './parse.ts';
import { permissionsCommand } from './permissions/permissions.ts';
import { roleCountsCommand } from './role-counts.ts';
import { roleMembersCommand } from './role-members.ts';
import { hideSavedKey } from './settings/issued-key.ts';
import { showKeyListPage } from './settings/list-keys.ts';
import { cancelKeyAction } from './settings/confirmation-message.ts';
import { askRevokeKey, revokeKeyNow } from './settings/revoke-key.ts';
import { askRotateKey, rotateKeyNow } from './settings/rotate-key.ts';
import { settings } from './settings/settings.ts';
import { showToEveryone } from './show-to-everyone.ts';
import { splitCommand, splitForm, splitMessageCommand } from './split/split.ts';
import { splitAgain } from './split/split-answer.ts';

/** All commands, in the order of the documents. */
export const COMMANDS: readonly Command[] = [
  helpCommand,
  settings,
  parseCommand,
  permissionsCommand,
  splitCommand,
  base64Command,
  roleMembersCommand,
  roleCountsCommand,
  splitMessageCommand,
  parseMessageCommand,
  base64MessageCommand,
];

/** All buttons, selects and forms of the commands. */
export const COMPONENT_ACTIONS: readonly ComponentAction[] = [
  hideSavedKey,
  showKeyListPage,
  askRotateKey,
  rotateKeyNow,
  askRevokeKey,
  revokeKeyNow,
  cancelKeyAction,
  splitForm,
  splitAgain,
  showToEveryone,
  showJson,
];
