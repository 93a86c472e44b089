import { permissionEncoder } from '../../../operations/permission-encoder/operation.ts';
import { present } from './presentation.ts';

export const permissionEncoderPresentation = present(permissionEncoder, {
  group: 'Permissions',
  inOut: ['SEND_MESSAGES, …', '2048'],
  shown: ['bitfield', 'hex', 'count', 'permissions'],
});
