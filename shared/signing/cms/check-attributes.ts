import { readOid } from '../../der/read.ts';
import { context, TAG } from '../../der/tags.ts';
import { readAlgorithm } from '../../pki/certificate.ts';
import { type Finding, failed, passed, warned } from '../../pki/validation-results.ts';
import type { Digest } from '../digest.ts';
import { onlyOctets, onlyValue } from './attribute-map.ts';
import { orUndefined, partsOf } from './ber-or-der.ts';
import { ATTRIBUTE, OTHER_SIGNED_ATTRIBUTES } from './oids.ts';
import type { SignerInfo } from './read.ts';

/** What was signed is of the type that it is presented as. */
export function contentTypeMatches({ signed }: SignerInfo, contentType: string): Finding {
  const value = onlyValue(signed, ATTRIBUTE.contentType);
  if (!value) return failed('RequiredSignedAttributeMissing', 'The signed content type is missing.');
  return orUndefined(() => readOid(value)) === contentType
    ? passed('The content type is the one that was signed.')
    : failed(
        'ContentTypeMismatch',
        `The content is presented as ${contentType} and was signed as another type.`,
      );
}

/** The content is the one that was signed. */
export function digestMatches(
  { signed }: SignerInfo,
  digest: Digest,
  contentHash: Buffer | undefined,
): Finding {
  const expected = onlyOctets(signed, ATTRIBUTE.messageDigest);
  if (!expected) return failed('RequiredSignedAttributeMissing', 'The signed message digest is missing.');
  if (!contentHash)
    return failed(
      'MessageDigestMismatch',
      `The content's ${digest} hash, which was signed, could not be taken.`,
    );
  return contentHash.equals(expected)
    ? passed('The content is the one that was signed.')
    : failed('MessageDigestMismatch', 'The content is not the one that was signed: their hashes differ.');
}

/** RFC 6211: where the signer signed which algorithms they used, none was exchanged afterwards. */
export function algorithmsMatch(signer: SignerInfo): Finding[] {
  if (!signer.signed.has(ATTRIBUTE.algorithmProtection)) return [];
  const value = onlyValue(signer.signed, ATTRIBUTE.algorithmProtection);
  const same = orUndefined(() => {
    const [digest, signature] = partsOf(value, TAG.SEQUENCE);
    if (readAlgorithm(digest).oid !== signer.digestOid || signature?.tag !== context(1)) return false;
    return readAlgorithm({ ...signature, tag: TAG.SEQUENCE }).oid === signer.signatureAlgorithm.oid;
  });
  return [
    same
      ? passed('The algorithms are the ones that were signed.')
      : failed('SignatureAlgorithmValidationFailed', 'The algorithms are not the ones that were signed.'),
  ];
}

const KNOWN = new Set<string>([...Object.values(ATTRIBUTE), ...OTHER_SIGNED_ATTRIBUTES]);
const MOST_NAMED = 10; // a message stays readable, whatever the signature holds

/** Tells of attributes that were signed and are not understood here. */
export function unknownAttributes({ signed }: SignerInfo): Finding[] {
  const unknown = [...signed.keys()].filter((oid) => !KNOWN.has(oid)).slice(0, MOST_NAMED);
  const message = `Signed attributes that are not understood here: ${unknown.join(', ')}.`;
  return unknown.length ? [warned('UnknownSignedAttributesPresent', message)] : [];
}
