import {
  bitOf,
  missingFor,
  type Decision,
  type EffectivePermissions,
  type PermissionFacts,
} from './effective-permissions.ts';

/** One sentence for people about the rule that decides a permission. */
export function describeDecision(
  name: string,
  decision: Decision,
  computed: EffectivePermissions,
  facts: PermissionFacts,
): string {
  const { kind, isAllowed, roleIds, allowedByEarlierRules } = decision;
  const verb = isAllowed ? 'allow' : 'deny';
  const isEveryone = roleIds.length === 1 && roleIds[0] === facts.guildId;
  const anyway = allowedByEarlierRules ? '' : ' Without the time-out they would not have it either.';
  switch (kind) {
    case 'owner':
      return 'The owner of the server may do everything.';
    case 'administrator':
      return 'A member with ADMINISTRATOR may do everything.';
    case 'role':
      return isEveryone ? `@everyone has ${name} in this server.` : `A role of the member has ${name}.`;
    case 'everyone_overwrite':
      return `The settings of this channel ${verb} ${name} for @everyone.`;
    case 'role_overwrite':
      return `The settings of this channel ${verb} ${name} for a role of the member.`;
    case 'member_overwrite':
      return `The settings of this channel ${verb} ${name} for this member.`;
    case 'thread':
      return describeThread(name);
    case 'timeout':
      return `The member is timed out.${anyway}`;
    case 'implied': {
      const base = missingFor(name, computed.bits, {
        isVoice: facts.channel?.isVoice ?? false,
        isThread: (facts.channel?.thread ?? null) !== null,
      });
      if (base === null) return `${name} needs another permission that is missing here.`;
      const why = describeDecision(base, computed.decide(bitOf(base)), computed, facts);
      return `${name} needs ${base} here, which is missing. ${why}`;
    }
    default:
      return `No role of the member has ${name}${facts.channel === null ? '' : ', and no setting of this channel mentions it'}.`;
  }
}

function describeThread(name: string): string {
  if (name === 'VIEW_CHANNEL') {
    return 'The thread is private. The member is not in it and does not have MANAGE_THREADS.';
  }
  if (name === 'SEND_MESSAGES_IN_THREADS') {
    return 'The thread is locked, and the member does not have MANAGE_THREADS.';
  }
  return 'SEND_MESSAGES has no effect in threads. SEND_MESSAGES_IN_THREADS is what counts there.';
}
