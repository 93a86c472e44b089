import { roleMembers } from '../../../operations/role-members/operation.ts';
import { present } from './presentation.ts';

export const roleMembersPresentation = present(roleMembers, {
  group: 'Members',
  uses: 'giveaway raffle draw winner who has holders list',
  inOut: ['a role', 'count, ids'],
  shown: ['count', 'members', 'returned'],
  words: { sample: 'giveaway raffle draw winner random' },
});
