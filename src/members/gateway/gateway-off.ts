import type { MemberDirectory } from '../member-directory.ts';
import { gatewayIsOff } from './unavailable.ts';

/** Stands in for the member lists of a process without a gateway. */
export const gatewayMembersOff: MemberDirectory = {
  find: () => Promise.reject(gatewayIsOff()),
};
