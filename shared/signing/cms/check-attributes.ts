import { childrenOf, readOid } from '../../der/read.ts';
import { context, TAG } from '../../der/tags.ts';
import { readAlgorithm } from '../../pki/certificate/certificate.ts';
import {
  errorFinding,
  type Finding,
  passedFinding,
  warningFinding,
} from '../../pki/findings/validation-results.ts';
import type { Digest } from '../digest.ts';
import { onlyOctets, onlyValue } from './attribute-map.ts';
import { orUndefined } from './ber-or-der.ts';
import { brokenResult, type CheckResult, intactResult, uncheckedResult } from './integrity.ts';
import { ATTRIBUTE, OTHER_SIGNED_ATTRIBUTES, UNJUDGED_SIGNED_ATTRIBUTES } from './oids.ts';
import type { SignerInfo } from './read.ts';

/**
 * RFC 5652, 5.6 and 11.1: the signed content type must equal the eContentType. Content-type confusion: signed data could
 * otherwise pass for a timestamp, or the reverse. A countersignature must not have the attribute (RFC 5652, 11.4).
 */
export function checkContentType({ signed }: SignerInfo, contentType: string | undefined): CheckResult {
  if (contentType === undefined)
    return intactResult(
      signed.has(ATTRIBUTE.contentType)
        ? errorFinding(
            'ForbiddenSignedAttributePresent',
            'A countersignature signs a content type, which it must not.',
          )
        : passedFinding('The countersignature signs no content type.'),
    );
  const value = onlyValue(signed, ATTRIBUTE.contentType);
  if (!value) return brokenResult(missingFinding(signed.get(ATTRIBUTE.contentType)?.length, 'content type'));
  return orUndefined(() => readOid(value)) === contentType
    ? intactResult(passedFinding('The content type is the one that was signed.'))
    : brokenResult(
        errorFinding(
          'ContentTypeMismatch',
          `The content is presented as ${contentType} and was signed as another type.`,
        ),
      );
}

const missingFinding = (count: number | undefined, what: string): Finding =>
  errorFinding(
    'RequiredSignedAttributeMissing',
    count
      ? `The signed ${what} must stand once; it stands ${count} times.`
      : `The signed ${what} is missing.`,
  );

/** RFC 5652, 5.6 and 11.2: the signed message digest must equal the digest of the content. */
export function checkMessageDigest(
  { signed }: SignerInfo,
  digest: Digest,
  contentHash: Buffer | undefined,
): CheckResult {
  const expected = onlyOctets(signed, ATTRIBUTE.messageDigest);
  // Without exactly one message digest, the signature covers attributes and no content.
  if (!expected) {
    const { length = 0 } = signed.get(ATTRIBUTE.messageDigest) ?? [];
    return brokenResult(missingFinding(length > 1 ? length : undefined, 'message digest'));
  }
  if (!contentHash)
    return uncheckedResult(
      errorFinding(
        'AlgorithmNotAllowed',
        `The content's ${digest} hash, which was signed, could not be taken: whether the content is as signed was not checked.`,
      ),
    );
  return contentHash.equals(expected)
    ? intactResult(passedFinding('The content is the one that was signed.'))
    : brokenResult(
        errorFinding(
          'MessageDigestMismatch',
          'The content is not the one that was signed: their hashes differ.',
        ),
      );
}

/** Algorithm substitution (RFC 6211, RFC 8933): where the signer signed their algorithms, none may have been exchanged. */
export function checkAlgorithmProtection(signer: SignerInfo): CheckResult[] {
  if (!signer.signed.has(ATTRIBUTE.algorithmProtection)) return [];
  const value = onlyValue(signer.signed, ATTRIBUTE.algorithmProtection);
  const same = orUndefined(() => {
    const [digest, signature] = childrenOf(value, TAG.SEQUENCE);
    if (readAlgorithm(digest).oid !== signer.digestOid || signature?.tag !== context(1)) return false;
    return readAlgorithm({ ...signature, tag: TAG.SEQUENCE }).oid === signer.signatureAlgorithm.oid;
  });
  return [
    same
      ? intactResult(passedFinding('The algorithms are the ones that were signed.'))
      : brokenResult(
          errorFinding(
            'SignatureAlgorithmValidationFailed',
            'The algorithms are not the ones that were signed.',
          ),
        ),
  ];
}

const KNOWN = new Set<string>([
  ...Object.values(ATTRIBUTE),
  ...Object.keys(UNJUDGED_SIGNED_ATTRIBUTES),
  ...OTHER_SIGNED_ATTRIBUTES,
]);
const MAX_NAMED = 10; // keeps a message readable

/** Warns about signed attributes that are not judged, or not understood: they may restrict what the signer meant. */
export function checkUnknownAttributes({ signed }: SignerInfo): CheckResult[] {
  const unjudged = [...signed.keys()].flatMap((oid) =>
    UNJUDGED_SIGNED_ATTRIBUTES[oid] ? [`${UNJUDGED_SIGNED_ATTRIBUTES[oid]} (${oid})`] : [],
  );
  const unknown = [...signed.keys()].filter((oid) => !KNOWN.has(oid)).slice(0, MAX_NAMED);
  const messages = [
    ...(unjudged.length ? [`Signed along and not judged here: ${unjudged.join(', ')}.`] : []),
    ...(unknown.length ? [`Signed attributes that are not understood here: ${unknown.join(', ')}.`] : []),
  ];
  return messages.map((message) => intactResult(warningFinding('UnknownSignedAttributesPresent', message)));
}

// The checks of content type and message digest refuse repeated values themselves.
const SINGLE: Readonly<Record<string, string>> = {
  [ATTRIBUTE.signingTime]: 'signing time',
  [ATTRIBUTE.signingCertificate]: 'signing certificate',
  [ATTRIBUTE.signingCertificateV2]: 'signing certificate (version 2)',
  [ATTRIBUTE.signaturePolicy]: 'signature policy',
  [ATTRIBUTE.algorithmProtection]: 'algorithm protection',
};

/** Parser differential (RFC 5652, 5.3 and 11): of a repeated attribute one reader takes the first value, another the last. */
export const checkSingleAttributes = ({ signed }: SignerInfo): CheckResult[] =>
  Object.entries(SINGLE).flatMap(([oid, name]) => {
    const { length = 0 } = signed.get(oid) ?? [];
    const message = `The signed ${name} must stand once; it stands ${length} times.`;
    return length > 1 ? [brokenResult(errorFinding('ForbiddenSignedAttributePresent', message))] : [];
  });
