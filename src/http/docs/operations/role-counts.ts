import { roleCounts } from '../../../operations/role-counts/operation.ts';
import { present } from './presentation.ts';

export const roleCountsPresentation = present(roleCounts, {
  group: 'Members',
  inOut: ['a server', 'a count for each role'],
  uses: 'counter statistics',
  shown: ['members', 'roles', 'source'],
});
