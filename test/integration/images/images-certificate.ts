import { generateKeyPairSync, sign } from 'node:crypto';

// A self-signed certificate as DER, RFC 5280, just enough of it for a TLS server in a test.

const tlv = (tag: number, ...content: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(content);
  const length = body.length < 0x80 ? [body.length] : [0x82, body.length >>> 8, body.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
};
const sequence = (...content: readonly Uint8Array[]) => tlv(0x30, ...content);
const oid = (hex: string) => tlv(0x06, Buffer.from(hex, 'hex'));
const utcTime = (text: string) => tlv(0x17, Buffer.from(text));
const TRUE = tlv(0x01, Buffer.from([0xff]));

const ED25519 = sequence(oid('2b6570'));
const COMMON_NAME = oid('550403');
const SUBJECT_ALT_NAME = oid('551d11');
const BASIC_CONSTRAINTS = oid('551d13');

export interface TestCertificate {
  readonly key: string;
  readonly cert: string;
}

/** @param name the host name that the certificate is for */
export function makeCertificate(name: string): TestCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const subject = sequence(tlv(0x31, sequence(COMMON_NAME, tlv(0x0c, Buffer.from(name)))));
  const extensions = sequence(
    sequence(SUBJECT_ALT_NAME, tlv(0x04, sequence(tlv(0x82, Buffer.from(name))))),
    sequence(BASIC_CONSTRAINTS, TRUE, tlv(0x04, sequence(TRUE))),
  );
  const body = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, Buffer.from([1])),
    ED25519,
    subject,
    sequence(utcTime('200101000000Z'), utcTime('491231235959Z')),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, extensions),
  );
  const signature = sign(null, body, privateKey);
  const certificate = sequence(body, ED25519, tlv(0x03, Buffer.from([0]), signature));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`,
  };
}
