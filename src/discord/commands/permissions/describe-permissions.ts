import type { AnswerOf } from '../../../operations/operation.ts';
import type { permissionDecoder } from '../../../operations/permission-decoder/operation.ts';
import type { permissionEncoder } from '../../../operations/permission-encoder/operation.ts';
import {
  findPermissionHints,
  type PermissionHint,
} from '../../../operations/permissions/permission-hints.ts';
import { inlineCode } from '../../messages/markdown.ts';
import type { Translator } from '../../locales/translator.ts';

export type PermissionSet = AnswerOf<typeof permissionEncoder | typeof permissionDecoder>;

/** Describes a set of permissions, without its number. */
export function describeSet(answer: PermissionSet, translator: Translator): string {
  const names = (list: readonly string[]) =>
    list.length === 0 ? translator.translate('none') : list.map((name) => inlineCode(name)).join(' ');
  return [
    translator.translate('permissions.hex', { hex: inlineCode(answer.hex) }),
    ...(answer.permissions.length === 0 ? [] : [names(answer.permissions)]),
    ...(answer.elevated.length === 0
      ? []
      : [translator.translate('permissions.elevated', { names: names(answer.elevated) })]),
    ...('unknown_bits' in answer ? describeDecoded(answer, translator, names) : []),
    ...('invite_url' in answer && answer.invite_url !== undefined
      ? [translator.translate('permissions.invite', { url: `<${answer.invite_url}>` })]
      : []),
  ].join('\n');
}

function describeDecoded(
  { unknown_bits, added, removed, bitfield, permissions }: AnswerOf<typeof permissionDecoder>,
  translator: Translator,
  names: (list: readonly string[]) => string,
): string[] {
  return [
    ...(unknown_bits.length === 0
      ? []
      : [translator.translate('permissions.unknownBits', { bits: unknown_bits.join(', ') })]),
    ...(added === undefined ? [] : [translator.translate('permissions.added', { names: names(added) })]),
    ...(removed === undefined
      ? []
      : [translator.translate('permissions.removed', { names: names(removed) })]),
    ...findPermissionHints({ bitfield, permissions }).map((hint) => `-# ${describeHint(hint, translator)}`),
  ];
}

function describeHint(hint: PermissionHint, translator: Translator): string {
  const names = (list: readonly string[]) => translator.list(list.map((name) => inlineCode(name)));
  if (hint.kind === 'nothing') {
    return translator.translate('permissions.nothing', { name: inlineCode('default_member_permissions') });
  }
  if (hint.kind === 'administrator') {
    return translator.translate('permissions.administrator', { name: inlineCode('ADMINISTRATOR') });
  }
  return hint.kind === 'split'
    ? translator.translate('permissions.split', { from: names(hint.from), to: inlineCode(hint.to) })
    : translator.translate('permissions.idle', {
        base: inlineCode('SEND_MESSAGES'),
        names: names(hint.names),
      });
}
