import { createHash, type KeyObject } from 'node:crypto';
import { children, readBitString, readDer } from '../../../../../shared/der/read.ts';
import {
  bitString,
  boolean,
  explicit,
  ia5String,
  implicit,
  integer,
  NULL,
  octetString,
  oid,
  sequence,
} from '../../../../../shared/der/write.ts';
import {
  EXTENSION,
  type ExtensionName,
  KEY_PURPOSE,
  KEY_USAGES,
  type KeyUsage,
} from '../../../../../shared/pki/extensions/extensions.ts';
import { ACCESS_METHOD } from '../../../../../shared/pki/extensions/locations.ts';

/** Any extension, by its identifier. @example extension(EXTENSION.ocspNoCheck, NULL) */
export const extension = (id: string, value: Uint8Array, critical = false): Buffer =>
  sequence(oid(id), ...(critical ? [boolean(true)] : []), octetString(value));

const named = (name: ExtensionName, value: Uint8Array, critical = false): Buffer =>
  extension(EXTENSION[name], value, critical);

/** @example basicConstraintsOf({ isAuthority: true, pathLength: 0 }) */
export function basicConstraintsOf(of: { isAuthority: boolean; pathLength?: number }): Buffer {
  const length = of.pathLength === undefined ? [] : [integer(of.pathLength)];
  const parts = of.isAuthority ? [boolean(true), ...length] : [];
  return named('basicConstraints', sequence(...parts), of.isAuthority);
}

/** @example keyUsageOf(['digitalSignature', 'nonRepudiation']) */
export const keyUsageOf = (usages: readonly KeyUsage[]): Buffer =>
  named('keyUsage', namedBits(usages.map((usage) => KEY_USAGES.indexOf(usage))), true);

/** A BIT STRING of named bits: DER drops the zeros at its end. */
export function namedBits(bits: readonly number[]): Buffer {
  if (!bits.length) return bitString(Buffer.alloc(0));
  const last = Math.max(...bits);
  const bytes = Buffer.alloc((last >> 3) + 1);
  for (const bit of bits) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
  return bitString(bytes, 7 - (last & 7));
}

/** @example extendedKeyUsageOf(['timeStamping'], true) */
export const extendedKeyUsageOf = (
  purposes: readonly (keyof typeof KEY_PURPOSE)[],
  critical = false,
): Buffer => named('extendedKeyUsage', sequence(...purposes.map((p) => oid(KEY_PURPOSE[p]))), critical);

/** SHA-1 of the key's bits: the identifier that RFC 5280 suggests and everyone uses. */
export function keyIdentifierOf(publicKey: KeyObject): Buffer {
  const spki = readDer(publicKey.export({ format: 'der', type: 'spki' }));
  return createHash('sha1')
    .update(readBitString(children(spki)[1]).bytes)
    .digest();
}

export const subjectKeyIdentifierOf = (publicKey: KeyObject): Buffer =>
  named('subjectKeyIdentifier', octetString(keyIdentifierOf(publicKey)));

export const authorityKeyIdentifierOf = (publicKey: KeyObject): Buffer =>
  named('authorityKeyIdentifier', sequence(implicit(0, keyIdentifierOf(publicKey))));

const uri = (address: string): Buffer => implicit(6, Buffer.from(address, 'latin1'));

/** One distribution point an address. @example crlDistributionPointsOf(['http://localhost:3000/sandbox/pki/sub.crl']) */
export const crlDistributionPointsOf = (addresses: readonly string[]): Buffer =>
  named(
    'crlDistributionPoints',
    sequence(...addresses.map((address) => sequence(explicit(0, explicit(0, uri(address)))))),
  );

/** @example authorityInfoAccessOf({ ocsp: ['http://localhost:3000/sandbox/pki/ocsp'] }) */
export const authorityInfoAccessOf = (of: {
  ocsp?: readonly string[];
  caIssuers?: readonly string[];
}): Buffer =>
  named(
    'authorityInfoAccess',
    sequence(
      ...(of.ocsp ?? []).map((address) => sequence(oid(ACCESS_METHOD.ocsp), uri(address))),
      ...(of.caIssuers ?? []).map((address) => sequence(oid(ACCESS_METHOD.caIssuers), uri(address))),
    ),
  );

const CPS_QUALIFIER = '1.3.6.1.5.5.7.2.1';

/** @example certificatePoliciesOf(['2.16.76.1.2.1.999'], 'http://localhost:3000/sandbox/pki/dpc') */
export const certificatePoliciesOf = (policies: readonly string[], statement?: string): Buffer =>
  named(
    'certificatePolicies',
    sequence(
      ...policies.map((policy) =>
        sequence(
          oid(policy),
          ...(statement ? [sequence(sequence(oid(CPS_QUALIFIER), ia5String(statement)))] : []),
        ),
      ),
    ),
  );

/** @example subjectAltNameOf([otherName(...), emailName('maria@example.com')]) */
export const subjectAltNameOf = (names: readonly Buffer[]): Buffer =>
  named('subjectAltName', sequence(...names));

export const otherName = (type: string, value: Uint8Array): Buffer =>
  explicit(0, oid(type), explicit(0, value));
export const emailName = (address: string): Buffer => implicit(1, Buffer.from(address, 'latin1'));

/** RFC 6960: this responder's own status is not asked. */
export const ocspNoCheckOf = (): Buffer => named('ocspNoCheck', NULL);
