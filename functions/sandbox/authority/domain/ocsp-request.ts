import {
  childrenOf,
  DerError,
  type Element,
  expectTag,
  readDer,
  readOid,
} from '../../../../shared/der/read.ts';
import { context, TAG } from '../../../../shared/der/tags.ts';
import { readExtensionList } from '../../../../shared/pki/certificate/certificate.ts';

/** A certificate of the request: its issuer by the hashes of name and key, and its serial number. */
export type RequestedId = {
  readonly hashOid: string;
  readonly issuerNameHash: Buffer;
  readonly issuerKeyHash: Buffer;
  /** Hexadecimal. */
  readonly serial: string;
};

export type OcspRequest = {
  readonly ids: readonly RequestedId[];
  /** The value of the nonce extension. The response repeats it. */
  readonly nonce?: Buffer;
};

export const NONCE = '1.3.6.1.5.5.7.48.1.2';

// RFC 9654 ends nonces at 128 octets, two more for their header.
const MAX_NONCE_BYTES = 131;
// No client asks about more than one path at once.
const MAX_IDS = 20;

// Read by our own strict reader: jsrsasign's loses all but the first certificate of a request, and takes bytes that
// are no request for an empty one.

/** Reads a request (RFC 6960, 4.1). Throws DerError and nothing else. A signature on it is passed over. */
export function readOcspRequest(bytes: Uint8Array): OcspRequest {
  const [tbs] = childrenOf(readDer(bytes), TAG.SEQUENCE);
  const parts = childrenOf(tbs, TAG.SEQUENCE);
  const list = parts.find(({ tag }) => tag === TAG.SEQUENCE);
  const ids = childrenOf(list, TAG.SEQUENCE).map(readId);
  if (ids.length === 0 || ids.length > MAX_IDS)
    throw new DerError(`A request asks about one to ${MAX_IDS} certificates, not ${ids.length}.`);
  const nonce = readNonce(parts.find(({ tag }) => tag === context(2)));
  return { ids, ...(nonce && { nonce }) };
}

function readId(request: Element): RequestedId {
  const [id] = childrenOf(request, TAG.SEQUENCE);
  const [algorithm, nameHash, keyHash, serial] = childrenOf(id, TAG.SEQUENCE);
  return {
    hashOid: readOid(childrenOf(algorithm, TAG.SEQUENCE)[0]),
    issuerNameHash: expectTag(nameHash, TAG.OCTET_STRING).content,
    issuerKeyHash: expectTag(keyHash, TAG.OCTET_STRING).content,
    serial: expectTag(serial, TAG.INTEGER).content.toString('hex'),
  };
}

function readNonce(extensions: Element | undefined): Buffer | undefined {
  if (!extensions) return undefined;
  const [list] = childrenOf(extensions, context(2));
  for (const [oid, { value }] of readExtensionList(list)) {
    if (oid !== NONCE) continue;
    if (value.length === 0 || value.length > MAX_NONCE_BYTES)
      throw new DerError('A nonce has one to 128 octets.');
    return value;
  }
  return undefined;
}
