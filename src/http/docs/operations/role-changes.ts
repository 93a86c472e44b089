import { roleChanges } from '../../../operations/role-changes/operation.ts';
import { present } from './presentation.ts';

export const roleChangesPresentation = present(roleChanges, {
  group: 'Members',
  inOut: ['a role', 'who got or lost it'],
  shown: ['added', 'removed', 'count', 'reset'],
});
