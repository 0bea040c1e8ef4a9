import type { XmlElement } from 'libxml2-wasm';
import { type Finding, failed, passed } from '../../../pki/validation-results.ts';
import { methodByUri, type SignatureMethod } from '../algorithms.ts';
import { keepOnly } from '../take-out.ts';
import { type Canonicalization, canonicalBytes } from '../xml/canonical.ts';
import type { Tree } from '../xml/tree.ts';
import { digestsOf, unsignedObjects } from './digests.ts';
import { algorithmOf, base64Of, elementsIn, isNamed, NotAccepted, named, optional, required } from './dom.ts';
import { type Evidence, evidenceOf } from './evidence.ts';
import { qualifyingOf, readProperties, type SignedProperties } from './properties.ts';
import { type Coverage, type Reference, readReference } from './references.ts';
import { type Stamped, stampsOf } from './stamps.ts';
import { readCanonicalization } from './transforms.ts';

/** All that a signature says and all that the document answers; nothing of it is in the parser's memory. */
export type Facts = {
  readonly method: SignatureMethod;
  /** The canonical SignedInfo: what the key signed. */
  readonly signed: Buffer;
  readonly value: Buffer;
  readonly evidence: Evidence;
  readonly properties: SignedProperties | undefined;
  readonly stamps: readonly Stamped[];
  readonly covers: readonly Coverage[];
  readonly findings: readonly Finding[];
};

// SignedInfo with its few references; real ones stay under 5 KB.
const MOST_SIGNED_BYTES = 100_000;
const MOST_REFERENCES = 16;

/**
 * Reads one signature and takes every digest it names, all in one tree: what is checked is what is told. The tree
 * is used up, because signatures are taken out of it.
 */
export function factsOf(tree: Tree, signature: XmlElement, ids: readonly string[]): Facts {
  const signedInfo = onlySignedInfo(signature);
  const valueElement = required(signature, 'ds:SignatureValue');
  const references = referencesOf(tree, signature, signedInfo, ids);
  if (references.every(({ target }) => target !== 'document'))
    keepOnly(tree, [
      signature,
      ...references.map(({ target }) => target).filter((target) => target !== 'document'),
    ]);
  const facts = {
    method: methodOf(required(signedInfo, 'ds:SignatureMethod')),
    signed: canonicalBytes(tree, signedInfo, canonicalizationOf(signedInfo), MOST_SIGNED_BYTES),
    value: base64Of(valueElement),
    evidence: evidenceOf(signature),
    stamps: stampsOf(tree, signature, valueElement),
    covers: references.filter(({ isProperties }) => !isProperties).map(({ coverage }) => coverage),
  };
  const { properties, findings } = signedPropertiesOf(signature, references);
  const unsigned = unsignedObjects(signature, references);
  return {
    ...facts,
    properties,
    findings: [...findings, ...unsigned, ...digestsOf(tree, signature, references)],
  };
}

// The order is fixed, and a second SignedInfo would be one that a careless reader verifies while using the other.
function onlySignedInfo(signature: XmlElement): XmlElement {
  const [first, second, third] = elementsIn(signature);
  const isOrdered =
    first && second && isNamed(first, 'ds:SignedInfo') && isNamed(second, 'ds:SignatureValue');
  if (!isOrdered || (third && !isNamed(third, 'ds:KeyInfo') && !isNamed(third, 'ds:Object')))
    throw new NotAccepted('InvalidXmlSignatureSchema', 'The signature does not have the parts it must have.');
  return required(signature, 'ds:SignedInfo');
}

function canonicalizationOf(parent: XmlElement): Canonicalization {
  const method = required(parent, 'ds:CanonicalizationMethod');
  const how = readCanonicalization(method);
  if (how) return how;
  throw new NotAccepted(
    'AlgorithmNotAllowed',
    `The canonicalisation ${algorithmOf(method).slice(0, 100)} is not accepted.`,
  );
}

function methodOf(element: XmlElement): SignatureMethod {
  const uri = algorithmOf(element);
  const method = methodByUri(uri);
  if (method) return method;
  throw new NotAccepted(
    'AlgorithmNotAllowed',
    `The signature algorithm ${uri.slice(0, 100)} is not accepted: only RSA (PKCS#1 v1.5) and ECDSA are, with SHA-2 or SHA-1.`,
  );
}

function referencesOf(
  tree: Tree,
  signature: XmlElement,
  signedInfo: XmlElement,
  ids: readonly string[],
): Reference[] {
  const references = named(elementsIn(signedInfo), 'ds:Reference');
  if (references.length > MOST_REFERENCES)
    throw new NotAccepted(
      'InvalidXmlSignatureSchema',
      `${references.length} references are more than the ${MOST_REFERENCES} allowed.`,
    );
  return references.map((reference) => readReference(tree, signature, reference, ids));
}

// The properties count only when the signature covers them, and covers these and not some others.
function signedPropertiesOf(
  signature: XmlElement,
  references: readonly Reference[],
): { properties: SignedProperties | undefined; findings: Finding[] } {
  const over = references.filter(({ isProperties }) => isProperties);
  const qualifying = qualifyingOf(signature);
  const element = qualifying && optional(qualifying, 'xades:SignedProperties');
  const [only] = over;
  const isCovered =
    over.length === 1 && only && only.target !== 'document' && element && only.target.isSameNode(element);
  if (!isCovered || only.plan.without !== 'nothing')
    return {
      properties: undefined,
      findings: [
        failed(
          'RequiredSignedAttributeMissing',
          element
            ? "The signature does not cover its own signed properties, so they are nobody's word."
            : 'The signature has no signed properties: it is XML Signature and not XAdES.',
        ),
      ],
    };
  return {
    properties: readProperties(element),
    findings: [passed('The signed properties are covered by the signature.')],
  };
}
