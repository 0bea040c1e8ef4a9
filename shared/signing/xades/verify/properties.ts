import type { XmlElement } from 'libxml2-wasm';
import { errorFinding, type Finding, passedFinding } from '../../../pki/findings/validation-results.ts';
import type { NamedPolicy } from '../../cms/policy.ts';
import type { Digest } from '../../digest.ts';
import {
  attributeOf,
  base64Of,
  elementsIn,
  filterByName,
  findChildren,
  NotAccepted,
  optionalChild,
  orUnsupported,
  partition,
  requireChild,
  requirePath,
  textOf,
  Unsupported,
} from './dom.ts';
import type { Reference } from './references.ts';
import { readDigest } from './transforms.ts';

/** The signed properties of EN 319 132-1 that are used here. */
export type SignedProperties = {
  readonly signingTimeMs: number | undefined;
  /** Digests of the signer's certificate, one for each property that names it. All must match. */
  readonly certificateDigests: readonly { readonly digest: Digest; readonly hash: Buffer }[];
  /** Set where every property that names the certificate uses an unsupported digest. */
  readonly unsupportedBinding: Unsupported | undefined;
  readonly policy: NamedPolicy | undefined;
};

/** The xades:QualifyingProperties of a signature. */
export function qualifyingOf(signature: XmlElement): XmlElement | undefined {
  const objects = filterByName(elementsIn(signature), 'ds:Object');
  const found = objects.flatMap((object) => findChildren(object, 'xades:QualifyingProperties'));
  const [qualifying, another] = found;
  // Parser differential: with two sets, one reader verifies the first and shows the second.
  if (another)
    throw new NotAccepted(
      'InvalidXmlSignatureSchema',
      'The signature has two sets of qualifying properties.',
    );
  return qualifying;
}

// Property transplant: the Target must name the signature (EN 319 132-1, 4.3). It is not signed itself: whether the
// signed properties are this signature's is told by the reference over them.
function targetFindings(signature: XmlElement, qualifying: XmlElement | undefined): Finding[] {
  const id = attributeOf(signature, 'Id');
  const target = qualifying && attributeOf(qualifying, 'Target');
  if (!qualifying || (id !== undefined && target === `#${id}`)) return [];
  const named = target === undefined ? 'no signature' : `the signature ${target.slice(0, 100)}`;
  return [
    errorFinding(
      'RequiredSignedAttributeMissing',
      `The signature's properties say that they belong to ${named}, and it is not this one.`,
    ),
  ];
}

/** The qualifying properties of XAdES 1.1.1 or 1.2.2, which are reported and not read. */
export const olderQualifyingOf = (signature: XmlElement): XmlElement | undefined =>
  filterByName(elementsIn(signature), 'ds:Object').flatMap((object) => [
    ...findChildren(object, 'xades111:QualifyingProperties'),
    ...findChildren(object, 'xades122:QualifyingProperties'),
  ])[0];

/**
 * Property substitution: the signed properties count only where exactly one reference of their Type covers this very
 * element, whole. A reference to a copy elsewhere, or one with a transform that drops content, does not count.
 */
export function signedPropertiesOf(
  signature: XmlElement,
  references: readonly Reference[],
): { readonly properties: SignedProperties | undefined; readonly findings: readonly Finding[] } {
  const over = references.filter(({ isProperties }) => isProperties);
  const qualifying = qualifyingOf(signature);
  const element = qualifying && optionalChild(qualifying, 'xades:SignedProperties');
  const [only] = over;
  const isCovered =
    over.length === 1 && only && only.target !== 'document' && element && only.target.isSameNode(element);
  if (isCovered && only.plan.without === 'nothing' && only.plan.output !== 'base64')
    return {
      properties: readProperties(element),
      findings: [
        passedFinding('The signed properties are covered by the signature.'),
        ...targetFindings(signature, qualifying),
      ],
    };
  const older = olderQualifyingOf(signature);
  const message = element
    ? "The signature does not cover its own signed properties, so they are nobody's word."
    : older
      ? `The signature's properties are of an older XAdES, ${older.namespaceUri}, which is not supported.`
      : 'The signature has no signed properties: it is XML Signature and not XAdES.';
  return { properties: undefined, findings: [errorFinding('RequiredSignedAttributeMissing', message)] };
}

const NO_PROPERTIES: SignedProperties = {
  signingTimeMs: undefined,
  certificateDigests: [],
  unsupportedBinding: undefined,
  policy: undefined,
};

function readProperties(properties: XmlElement): SignedProperties {
  const ofSignature = optionalChild(properties, 'xades:SignedSignatureProperties');
  if (!ofSignature) return NO_PROPERTIES;
  const time = optionalChild(ofSignature, 'xades:SigningTime');
  const certificates = (['xades:SigningCertificateV2', 'xades:SigningCertificate'] as const)
    .map((name) => optionalChild(ofSignature, name))
    .filter((found) => found !== undefined);
  const policy = optionalChild(ofSignature, 'xades:SignaturePolicyIdentifier');
  const { read, unsupported } = partition(certificates.map((list) => orUnsupported(() => firstDigest(list))));
  return {
    signingTimeMs: time && readTime(textOf(time)),
    certificateDigests: read,
    unsupportedBinding: read.length ? undefined : unsupported[0],
    policy: policy && readPolicy(policy),
  };
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)?$/;

function readTime(text: string): number {
  // A time without a zone counts as UTC: local time would differ from machine to machine.
  const ms = MOMENT.test(text)
    ? Date.parse(/(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`)
    : Number.NaN;
  if (Number.isNaN(ms)) throw new NotAccepted('InvalidXmlSignatureSchema', 'The signing time is no time.');
  return ms;
}

// EN 319 132-1, 5.2.2: the first certificate is the signer's. Later ones restrict the path and are not used here. The
// issuer and serial number beside the digest are only a hint.
function firstDigest(list: XmlElement): { digest: Digest; hash: Buffer } {
  const [first] = filterByName(elementsIn(list), 'xades:Cert');
  if (!first) throw new NotAccepted('InvalidXmlSignatureSchema', 'No signing certificate is named.');
  return digestPair(requireChild(first, 'xades:CertDigest'));
}

const digestPair = (parent: XmlElement): { digest: Digest; hash: Buffer } => ({
  digest: readDigest(requireChild(parent, 'ds:DigestMethod')),
  hash: base64Of(requireChild(parent, 'ds:DigestValue')),
});

function readPolicy(identifier: XmlElement): NamedPolicy {
  if (optionalChild(identifier, 'xades:SignaturePolicyImplied')) return { oid: 'implied by the content' };
  const policy = requireChild(identifier, 'xades:SignaturePolicyId');
  const id = textOf(requirePath(policy, 'xades:SigPolicyId', 'xades:Identifier'));
  const pair = orUnsupported(() => digestPair(requireChild(policy, 'xades:SigPolicyHash')));
  return {
    oid: id.replace(/^urn:oid:/i, ''),
    ...(pair instanceof Unsupported ? {} : pair),
    ...policyAddress(policy),
  };
}

function policyAddress(policy: XmlElement): { uri?: string } {
  const qualifiers = optionalChild(policy, 'xades:SigPolicyQualifiers');
  const [address] = (qualifiers ? elementsIn(qualifiers) : []).flatMap((qualifier) =>
    filterByName(elementsIn(qualifier), 'xades:SPURI'),
  );
  return address ? { uri: textOf(address) } : {};
}
