import { permissionCheck } from '../../../operations/permission-check/operation.ts';
import { present } from './presentation.ts';

export const permissionCheckPresentation = present(permissionCheck, {
  group: 'Permissions',
  uses: 'hierarchy role order',
  inOut: ['member, channel', 'yes or no, and why'],
  shown: ['allowed', 'permission', 'permissions', 'bitfield'],
});
