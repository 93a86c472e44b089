import { isInternalName, isPublicAddress } from '../../kernel/addresses.ts';

/** Decides from which IP addresses images may be fetched. */
export interface AddressRule {
  /** @param name lower-case host name in ASCII, without a trailing dot */
  allowsName(name: string): boolean;
  /** @param address an IP literal without brackets, as written in the URL or as resolved */
  allowsAddress(address: string): boolean;
  allowsPort(port: number): boolean;
}

export const publicInternet: AddressRule = {
  allowsName: (name) => !isInternalName(name),
  allowsAddress: isPublicAddress,
  allowsPort: (port) => port === 80 || port === 443,
};

/** For tests and closed networks. With it, all callers of the service can reach whatever the service can. */
export const anyAddress: AddressRule = {
  allowsName: () => true,
  allowsAddress: () => true,
  allowsPort: () => true,
};
