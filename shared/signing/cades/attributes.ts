import { childrenOf, type Element } from '../../der/read.ts';
import { context, TAG } from '../../der/tags.ts';
import { isTime, readTime } from '../../der/text-and-time.ts';
import { enumerated, explicit, octetString, oid, sequence } from '../../der/write.ts';
import { type Certificate, parseCertificate } from '../../pki/certificate/certificate.ts';
import { errorFinding, type Finding, warningFinding } from '../../pki/findings/validation-results.ts';
import { type Checks, tryChargeReading } from '../../pki/path/checks.ts';
import { onlyValue } from '../cms/attribute-map.ts';
import { orUndefined } from '../cms/ber-or-der.ts';
import { OCSP_RESPONSE } from '../cms/evidence.ts';
import { ATTRIBUTE, UNJUDGED_ATTRIBUTES } from '../cms/oids.ts';
import { type NamedPolicy, readPolicyIdentifier, type SignaturePolicy } from '../cms/policy.ts';
import type { SignerInfo } from '../cms/read.ts';
import { policyFindings } from '../cms/signer-rules.ts';
import { hasWrappedTimestamp, MAX_TIMESTAMPS } from './signature-timestamps.ts';

/** The signed signing-time (RFC 5652, 11.3): the signer's own claim. */
export function claimedTime({ signed }: SignerInfo): number | undefined {
  const value = onlyValue(signed, ATTRIBUTE.signingTime);
  return value && isTime(value) ? orUndefined(() => readTime(value)) : undefined;
}

/** The signed signature policy; undefined where it is absent or unreadable. */
export function policyOf({ signed }: SignerInfo): NamedPolicy | undefined {
  const value = onlyValue(signed, ATTRIBUTE.signaturePolicy);
  return value && orUndefined(() => readPolicyIdentifier(value));
}

/** An unreadable policy is an error: the signer signed under rules that nobody can name. */
export function checkPolicy(signer: SignerInfo, known: readonly SignaturePolicy[]): Finding[] {
  if (!signer.signed.has(ATTRIBUTE.signaturePolicy)) return [];
  const named = policyOf(signer);
  return named
    ? policyFindings(named, known)
    : [errorFinding('SignaturePolicyMismatch', 'The signature policy cannot be read.')];
}

const USED: readonly string[] = [
  ATTRIBUTE.signatureTimestamp,
  ATTRIBUTE.archiveTimestampV3,
  ATTRIBUTE.countersignature,
  ATTRIBUTE.certificateValues,
  ATTRIBUTE.revocationValues,
];
const MAX_NAMED = 10; // keeps a message readable

/** Denial of service: each countersignature costs a path, and anyone can add one. */
export const MAX_COUNTERSIGNATURES = 4;

/** Warns about unsigned attributes that are not judged. Anyone may have added them, and no verdict rests on them. */
export function unsignedFindings(
  signer: SignerInfo,
  maxCountersignatures: number = MAX_COUNTERSIGNATURES,
): Finding[] {
  const { unsigned } = signer;
  const others = [...unsigned.keys()].filter((type) => !USED.includes(type));
  const named = others.filter((type) => UNJUDGED_ATTRIBUTES[type] !== undefined);
  const unknown = others.filter((type) => UNJUDGED_ATTRIBUTES[type] === undefined).slice(0, MAX_NAMED);
  const messages = [
    ...(named.length
      ? [
          `Present and not judged here: ${named.map((type) => `${UNJUDGED_ATTRIBUTES[type]} (${type})`).join(', ')}.`,
        ]
      : []),
    ...(unknown.length ? [`Unsigned attributes that are not understood here: ${unknown.join(', ')}.`] : []),
    ...describeExcess(unsigned.get(ATTRIBUTE.signatureTimestamp)?.length, MAX_TIMESTAMPS, 'timestamps'),
    ...describeExcess(
      unsigned.get(ATTRIBUTE.archiveTimestampV3)?.length,
      MAX_TIMESTAMPS,
      'archive timestamps',
    ),
    ...describeExcess(
      unsigned.get(ATTRIBUTE.countersignature)?.length,
      maxCountersignatures,
      'countersignatures',
    ),
  ];
  return [
    ...messages.map((message) => warningFinding('UnknownUnsignedAttributesPresent', message)),
    ...(hasWrappedTimestamp(signer) ? [WRAPPED_TIMESTAMP] : []),
  ];
}

const WRAPPED_TIMESTAMP = warningFinding(
  'SignatureTimestampIgnored',
  'A timestamp is wrapped in an OCTET STRING, where no timestamp stands; its time is not used.',
);

const describeExcess = (count: number | undefined, max: number, what: string): string[] =>
  count !== undefined && count > max ? [`Of ${count} ${what}, ${max} were judged.`] : [];

// The chains of the signer and of its timestamps. Each certificate takes up to 40 KB of memory.
const MAX_VALUES = 50;

/** The certificate-values of a CAdES-X-L signature (EN 319 122-1, A.1.1.2). They prove nothing by themselves. */
export function certificateValues({ unsigned }: SignerInfo, checks: Checks): Certificate[] {
  const value = onlyValue(unsigned, ATTRIBUTE.certificateValues);
  if (!value || !tryChargeReading(value.raw.length, checks)) return [];
  return readList(value, TAG.SEQUENCE).flatMap(({ raw }) => orUndefined(() => parseCertificate(raw)) ?? []);
}

/** The revocation-values of the same (A.1.2.2), as elements of SignedData.crls. */
export function revocationValues({ unsigned }: SignerInfo): Buffer[] {
  const fields = readList(onlyValue(unsigned, ATTRIBUTE.revocationValues), TAG.SEQUENCE);
  const listOf = (n: number): Buffer[] => {
    const field = fields.find(({ tag }) => tag === context(n));
    return readList(field && readList(field, context(n))[0], TAG.SEQUENCE).map(({ raw }) => raw);
  };
  return [...listOf(0), ...listOf(1).map(wrapBasicResponse)];
}

const readList = (element: Element | undefined, tag: number): Element[] =>
  orUndefined(() => childrenOf(element, tag, MAX_VALUES)) ?? [];

const BASIC_RESPONSE = '1.3.6.1.5.5.7.48.1.1';

// The attribute holds a BasicOCSPResponse. This adds the OCSPResponse around it: status successful, and the type.
const wrapBasicResponse = (basic: Buffer): Buffer =>
  explicit(
    1,
    oid(OCSP_RESPONSE),
    sequence(enumerated(0), explicit(0, sequence(oid(BASIC_RESPONSE), octetString(basic)))),
  );
