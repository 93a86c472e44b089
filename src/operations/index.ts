import { imageToBase64 } from './image-to-base64/operation.ts';
import { messageCheck } from './message-check/operation.ts';
import type { Operation } from './operation.ts';
import { parseArgs } from './parse-args/operation.ts';
import { permissionCheck } from './permission-check/operation.ts';
import { permissionDecoder } from './permission-decoder/operation.ts';
import { permissionEncoder } from './permission-encoder/operation.ts';
import { listPermissions } from './permissions/operation.ts';
import { roleChanges } from './role-changes/operation.ts';
import { roleCounts } from './role-counts/operation.ts';
import { roleMembers } from './role-members/operation.ts';
import { send } from './send/operation.ts';
import { textSplitter } from './text-splitter/operation.ts';

/** In the order in which the documents list them. */
export const OPERATIONS: readonly Operation[] = [
  parseArgs,
  permissionEncoder,
  permissionDecoder,
  listPermissions,
  permissionCheck,
  textSplitter,
  send,
  messageCheck,
  imageToBase64,
  roleMembers,
  roleCounts,
  roleChanges,
];
