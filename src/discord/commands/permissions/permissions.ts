import { ANYWHERE } from '../command.ts';
import { commandOf, slashCommand, type CommandCall } from '../command-of.ts';
import { required, textOption } from '../options.ts';
import { permissionDecoder } from '../../../operations/permission-decoder/operation.ts';
import { permissionEncoder } from '../../../operations/permission-encoder/operation.ts';
import { listPermissions } from '../../../operations/permissions/operation.ts';
import { ACCENT, container, text } from '../../messages/components.ts';
import { codeBlock } from '../../messages/markdown.ts';
import type { Message } from '../../messages/reply.ts';
import { describeSet, type PermissionSet } from './describe-permissions.ts';
import { FURTHER_NAMES, permissionOption } from './permission-option.ts';
import { why } from './why.ts';

const show = (answer: PermissionSet, { translator }: CommandCall<unknown>): Message => ({
  components: [
    container(
      ACCENT.neutral,
      text(translator.translate('permissions.heading', { n: answer.permissions.length })),
      text(codeBlock(answer.bitfield)),
      text(describeSet(answer, translator)),
    ),
  ],
});

const encode = commandOf(permissionEncoder, {
  options: {
    permission: required(permissionOption),
    ...Object.fromEntries(FURTHER_NAMES.map((name) => [name, permissionOption])),
    client_id: textOption({ max_length: 100 }),
  },
  defers: false,
  input: ({ client_id, ...names }) => ({
    permissions: Object.values(names).filter((name) => name !== null),
    client_id,
  }),
  show,
});

/** Long enough for an invite link, so that the problem can name it as one. */
const BITFIELD_LENGTH_MAX = 1000;

const decode = commandOf(permissionDecoder, {
  options: {
    bitfield: required(textOption({ max_length: BITFIELD_LENGTH_MAX })),
    compare: textOption({ max_length: BITFIELD_LENGTH_MAX }),
  },
  defers: false,
  input: (given) => given,
  show,
});

export const permissionsCommand = slashCommand(
  // Discord's suggestions while a user types a name are the list of all permissions.
  { name: 'permissions', ...ANYWHERE, operations: [listPermissions] },
  { encode, decode, why },
);
