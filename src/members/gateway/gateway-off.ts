import type { MemberDirectory } from '../member-directory.ts';
import { gatewayIsOff } from './unavailable.ts';

/** Used in a process without a gateway. */
export const gatewayMembersOff: MemberDirectory = {
  find: () => Promise.reject(gatewayIsOff()),
};
