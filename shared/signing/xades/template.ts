import type { Certificate } from '../../pki/certificate/certificate.ts';
import type { SigningDigest } from '../digest.ts';
import {
  CANONICALIZATION_URIS,
  DS,
  EXCLUSIVE,
  methodUri,
  SIGNED_PROPERTIES,
  TRANSFORM,
  XADES,
  XPATH_FILTER,
} from './algorithms.ts';
import { digestPair, type Properties, signedProperties } from './properties.ts';
import { element } from './write.ts';

export type Template = Properties & {
  readonly id: string;
  readonly chain: readonly Certificate[];
  /** Empty for the whole document, or `#` and an identifier. */
  readonly uri: string;
  /** The signatures that are removed from the signed element before it is hashed. */
  readonly without: 'nothing' | 'this-signature' | 'all-signatures';
  /** Of SignedInfo and the properties, and of the content unless that has its own. */
  readonly canonicalization: keyof typeof CANONICALIZATION_URIS;
  readonly content?: ContentCanonicalization | undefined;
};

export type ContentCanonicalization = {
  readonly kind: keyof typeof CANONICALIZATION_URIS;
  /** Of an exclusive one: the prefixes that stand in values. */
  readonly prefixes?: readonly string[] | undefined;
};

/** The identifiers of a signature's parts. */
export const partIds = (id: string) => ({
  reference: `${id}-content`,
  properties: `${id}-properties`,
  value: `${id}-value`,
});

/**
 * A whole signature with empty digests and value. It is ASCII on one line, so it fits any encoding and survives a change
 * of line ends.
 */
export function signatureTemplate(template: Template): string {
  const { id, certificate, chain } = template;
  const ids = partIds(id);
  const certificates = [certificate, ...chain].map(({ der }) =>
    element('ds:X509Certificate', {}, der.toString('base64')),
  );
  return element(
    'ds:Signature',
    { 'xmlns:ds': DS, Id: id },
    signedInfo(template),
    element('ds:SignatureValue', { Id: ids.value }),
    element('ds:KeyInfo', {}, element('ds:X509Data', {}, ...certificates)),
    element(
      'ds:Object',
      {},
      element(
        'xades:QualifyingProperties',
        { 'xmlns:xades': XADES, Target: `#${id}` },
        signedProperties(ids.properties, ids.reference, template),
      ),
    ),
  );
}

function signedInfo(template: Template): string {
  const { certificate, digest, uri } = template;
  const ids = partIds(template.id);
  const canonical = transform(CANONICALIZATION_URIS[template.canonicalization]);
  const { kind, prefixes } = template.content ?? { kind: template.canonicalization };
  const ofContent = transform(CANONICALIZATION_URIS[kind], prefixes && prefixList(prefixes));
  const content = [...exclusionTransforms(template.without), ofContent];
  return element(
    'ds:SignedInfo',
    {},
    element('ds:CanonicalizationMethod', { Algorithm: CANONICALIZATION_URIS[template.canonicalization] }),
    element('ds:SignatureMethod', { Algorithm: methodUri(certificate.publicKey, digest) }),
    reference({ Id: ids.reference, URI: uri }, content, digest),
    reference({ Type: SIGNED_PROPERTIES, URI: `#${ids.properties}` }, [canonical], digest),
  );
}

const reference = (
  attributes: Readonly<Record<string, string>>,
  transforms: readonly string[],
  digest: SigningDigest,
): string =>
  element('ds:Reference', attributes, element('ds:Transforms', {}, ...transforms), digestPair(digest, ''));

const transform = (algorithm: string, content = ''): string =>
  element('ds:Transform', { Algorithm: algorithm }, content);

const prefixList = (prefixes: readonly string[]): string =>
  element('ec:InclusiveNamespaces', { 'xmlns:ec': EXCLUSIVE, PrefixList: prefixes.join(' ') });

/** Every signature of the document: the expression that EU DSS uses for the same purpose. */
export const ALL_SIGNATURES = '/descendant::ds:Signature';

function exclusionTransforms(without: Template['without']): string[] {
  if (without === 'nothing') return [];
  if (without === 'this-signature') return [transform(TRANSFORM.enveloped)];
  const filter = { 'xmlns:filter': XPATH_FILTER, Filter: 'subtract' };
  return [transform(TRANSFORM.xpathFilter, element('filter:XPath', filter, ALL_SIGNATURES))];
}

/**
 * Puts values into the empty elements of this name, in order. Markup injection: text from outside is escaped and has
 * no `<`, so it cannot look like one.
 * @example fillElements(template, 'ds:DigestValue', [contentDigest, propertiesDigest])
 */
export function fillElements(template: string, name: string, values: readonly Buffer[]): string {
  const closing = `></${name}>`;
  const [first = '', ...rest] = template.split(closing);
  return rest.reduce(
    (text, part, at) => `${text}>${values[at]?.toString('base64') ?? ''}</${name}>${part}`,
    first,
  );
}

/** The exclusive canonical form of ds:SignatureValue, which a signature timestamp covers (EN 319 132-1, 5.3). */
export const canonicalValue = (id: string, value: Buffer): string =>
  element('ds:SignatureValue', { 'xmlns:ds': DS, Id: partIds(id).value }, value.toString('base64'));

const PROPERTIES_END = '</xades:QualifyingProperties>';

/** Adds a timestamp to the unsigned properties, which makes the signature B-T. */
export function addTimestamp(signature: string, token: Buffer): string {
  const stamp = element(
    'xades:SignatureTimeStamp',
    {},
    element('ds:CanonicalizationMethod', { Algorithm: EXCLUSIVE }),
    element('xades:EncapsulatedTimeStamp', {}, token.toString('base64')),
  );
  const unsigned = element(
    'xades:UnsignedProperties',
    {},
    element('xades:UnsignedSignatureProperties', {}, stamp),
  );
  const at = signature.lastIndexOf(PROPERTIES_END);
  return signature.slice(0, at) + unsigned + signature.slice(at);
}
