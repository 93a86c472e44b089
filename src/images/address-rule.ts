import { isPublicAddress } from './public-address.ts';

/** Decides about the addresses that images are fetched from. */
export interface AddressRule {
  /** @param name lower-case host name in ASCII, without a trailing dot */
  allowsName(name: string): boolean;
  /** @param address an IP literal without brackets, as written in the URL or as resolved */
  allowsAddress(address: string): boolean;
  allowsPort(port: number): boolean;
}

/**
 * Names that are valid only inside a network: RFC 6761 (localhost), RFC 6762 (local), RFC 8375 (home.arpa), RFC 7686
 * (onion), ICANN's reservation of internal.
 */
const INTERNAL_SUFFIXES = ['.local', '.internal', '.localhost', '.home.arpa', '.onion'];

export const publicInternet: AddressRule = {
  allowsName: (name) =>
    name.includes('.') && !INTERNAL_SUFFIXES.some((suffix) => `.${name}`.endsWith(suffix)),
  allowsAddress: isPublicAddress,
  allowsPort: (port) => port === 80 || port === 443,
};

/** For tests and closed networks: everybody who may call the service can then reach everything that the service can. */
export const anyAddress: AddressRule = {
  allowsName: () => true,
  allowsAddress: () => true,
  allowsPort: () => true,
};
