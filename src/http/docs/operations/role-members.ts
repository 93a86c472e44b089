import { roleMembers } from '../../../operations/role-members/operation.ts';
import { present } from './presentation.ts';

export const roleMembersPresentation = present(roleMembers, {
  group: 'Members',
  uses: 'giveaway draw winner',
  inOut: ['a role', 'count, ids'],
  shown: ['count', 'members', 'returned'],
});
