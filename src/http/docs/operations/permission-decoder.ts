import { permissionDecoder } from '../../../operations/permission-decoder/operation.ts';
import { present } from './presentation.ts';

export const permissionDecoderPresentation = present(permissionDecoder, {
  group: 'Permissions',
  inOut: ['0x840', 'ADD_REACTIONS, …'],
  shown: ['permissions', 'count', 'unknown_bits'],
});
