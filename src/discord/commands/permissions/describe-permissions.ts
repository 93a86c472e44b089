import type { AnswerOf } from '../../../operations/operation.ts';
import type { permissionDecoder } from '../../../operations/permission-decoder/operation.ts';
import type { permissionEncoder } from '../../../operations/permission-encoder/operation.ts';
import {
  findPermissionHints,
  type PermissionHint,
} from '../../../operations/permissions/permission-hints.ts';
import { inlineCode } from '../../messages/markdown.ts';
import type { Words } from '../../locales/words.ts';

export type PermissionSet = AnswerOf<typeof permissionEncoder | typeof permissionDecoder>;

/** Describes a set of permissions, without its number. */
export function describeSet(answer: PermissionSet, words: Words): string {
  const names = (list: readonly string[]) =>
    list.length === 0 ? words.say('none') : list.map((name) => inlineCode(name)).join(' ');
  return [
    words.say('permissions.hex', { hex: inlineCode(answer.hex) }),
    ...(answer.permissions.length === 0 ? [] : [names(answer.permissions)]),
    ...(answer.elevated.length === 0
      ? []
      : [words.say('permissions.elevated', { names: names(answer.elevated) })]),
    ...('unknown_bits' in answer ? describeDecoded(answer, words, names) : []),
    ...('invite_url' in answer && answer.invite_url !== undefined
      ? [words.say('permissions.invite', { url: `<${answer.invite_url}>` })]
      : []),
  ].join('\n');
}

function describeDecoded(
  { unknown_bits, added, removed, bitfield, permissions }: AnswerOf<typeof permissionDecoder>,
  words: Words,
  names: (list: readonly string[]) => string,
): string[] {
  return [
    ...(unknown_bits.length === 0
      ? []
      : [words.say('permissions.unknownBits', { bits: unknown_bits.join(', ') })]),
    ...(added === undefined ? [] : [words.say('permissions.added', { names: names(added) })]),
    ...(removed === undefined ? [] : [words.say('permissions.removed', { names: names(removed) })]),
    ...findPermissionHints({ bitfield, permissions }).map((hint) => `-# ${describeHint(hint, words)}`),
  ];
}

function describeHint(hint: PermissionHint, words: Words): string {
  const names = (list: readonly string[]) => words.list(list.map((name) => inlineCode(name)));
  if (hint.kind === 'nothing') {
    return words.say('permissions.nothing', { name: inlineCode('default_member_permissions') });
  }
  if (hint.kind === 'administrator') {
    return words.say('permissions.administrator', { name: inlineCode('ADMINISTRATOR') });
  }
  return hint.kind === 'split'
    ? words.say('permissions.split', { from: names(hint.from), to: inlineCode(hint.to) })
    : words.say('permissions.idle', { base: inlineCode('SEND_MESSAGES'), names: names(hint.names) });
}
