import type { Operation } from '../../../operations/operation.ts';
import { imageToBase64Presentation } from './image-to-base64.ts';
import { messageCheckPresentation } from './message-check.ts';
import { parseArgsPresentation } from './parse-args.ts';
import { permissionCheckPresentation } from './permission-check.ts';
import { permissionDecoderPresentation } from './permission-decoder.ts';
import { permissionEncoderPresentation } from './permission-encoder.ts';
import { listPermissionsPresentation } from './permissions.ts';
import { roleChangesPresentation } from './role-changes.ts';
import { roleCountsPresentation } from './role-counts.ts';
import { roleMembersPresentation } from './role-members.ts';
import { sendPresentation } from './send.ts';
import { textSplitterPresentation } from './text-splitter.ts';
import type { Presentation } from './presentation.ts';

/** By the names of the operations. */
export const PRESENTATIONS: ReadonlyMap<string, Presentation> = new Map([
  parseArgsPresentation,
  permissionEncoderPresentation,
  permissionDecoderPresentation,
  listPermissionsPresentation,
  permissionCheckPresentation,
  textSplitterPresentation,
  sendPresentation,
  messageCheckPresentation,
  imageToBase64Presentation,
  roleMembersPresentation,
  roleCountsPresentation,
  roleChangesPresentation,
]);

/** @throws Error if the operation has no file in this folder */
export function presentationOf({ name }: Operation): Presentation {
  const presentation = PRESENTATIONS.get(name);
  if (presentation === undefined) throw new Error(`src/http/docs/operations/ lacks ${name}.ts`);
  return presentation;
}
