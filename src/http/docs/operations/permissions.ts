import { listPermissions } from '../../../operations/permissions/operation.ts';
import { present } from './presentation.ts';

export const listPermissionsPresentation = present(listPermissions, {
  group: 'Permissions',
  inOut: ['nothing', 'every name and bit'],
  shown: ['count'],
});
