import type { XmlElement } from 'libxml2-wasm';
import { MGF1, methodByUri, pss, RSA_PSS, type SignatureMethod } from '../algorithms.ts';
import type { Signature } from '../signatures.ts';
import {
  algorithmOf,
  elementsIn,
  filterByName,
  isNamed,
  NotAccepted,
  optionalChild,
  orUnsupported,
  partition,
  requireChild,
  textOf,
  Unsupported,
} from './dom.ts';
import { type ParsedReference, parseReference } from './references.ts';
import { readDigest } from './transforms.ts';

/** What stands at the beginning of a signature: what it covers, as it says itself. */
export type SignedInfo = {
  readonly element: XmlElement;
  readonly references: readonly ParsedReference[];
  /** References that are not looked at, and why. */
  readonly unsupported: readonly Unsupported[];
};

// Real signatures have two or three. Each is looked up and compared.
const MAX_REFERENCES = 16;

export function readSignedInfo({ element }: Signature): SignedInfo {
  const signedInfo = requireSignedInfo(element);
  const references = filterByName(elementsIn(signedInfo), 'ds:Reference');
  if (references.length > MAX_REFERENCES)
    throw new NotAccepted(
      'InvalidXmlSignatureSchema',
      `${references.length} references are more than the ${MAX_REFERENCES} allowed.`,
    );
  const parsed = references.map((reference) => orUnsupported(() => parseReference(reference)));
  const { read, unsupported } = partition(parsed);
  return { element: signedInfo, references: read, unsupported };
}

// The order is fixed, and a second SignedInfo would be one that a careless reader verifies while using the other.
function requireSignedInfo(signature: XmlElement): XmlElement {
  const [first, second, ...rest] = elementsIn(signature);
  const isBegun = first && second && isNamed(first, 'ds:SignedInfo') && isNamed(second, 'ds:SignatureValue');
  const [third] = rest;
  const objects = third && isNamed(third, 'ds:KeyInfo') ? rest.slice(1) : rest;
  if (!isBegun || !objects.every((object) => isNamed(object, 'ds:Object')))
    throw new NotAccepted('InvalidXmlSignatureSchema', 'The signature does not have the parts it must have.');
  return requireChild(signature, 'ds:SignedInfo');
}

/** The algorithm that a signature says to be made with. */
export function readMethod(element: XmlElement): SignatureMethod {
  const uri = algorithmOf(element);
  const method = uri === RSA_PSS ? readPss(element) : methodByUri(uri);
  if (method) return method;
  throw new Unsupported(
    'AlgorithmNotAllowed',
    `The signature algorithm ${uri.slice(0, 100)} is not supported: RSA, ECDSA and EdDSA are, with SHA-2, SHA-3 or SHA-1.`,
  );
}

// RFC 9231, 2.3.9: what is left out means SHA-256, a mask with the same digest, a salt as long as it, and the trailer 1.
function readPss(element: XmlElement): SignatureMethod {
  const [parameters] = elementsIn(element).filter((child) => isNamed(child, 'pss:RSAPSSParams'));
  if (!parameters) return pss('sha256');
  const digest = digestIn(parameters);
  const mask = optionalChild(parameters, 'pss:MaskGenerationFunction');
  const salt = optionalChild(parameters, 'pss:SaltLength');
  const trailer = optionalChild(parameters, 'pss:TrailerField');
  const saltText = salt && textOf(salt);
  const isPlain =
    (!mask || algorithmOf(mask) === MGF1) &&
    (mask ? digestIn(mask) : digest) === digest &&
    (saltText === undefined || /^\d{1,4}$/.test(saltText)) &&
    (!trailer || textOf(trailer) === '1');
  if (!isPlain)
    throw new Unsupported(
      'AlgorithmNotAllowed',
      'RSA-PSS is supported with MGF1 over the same digest and the trailer 1, and this signature has other parameters.',
    );
  return saltText === undefined ? pss(digest) : pss(digest, Number(saltText));
}

function digestIn(parent: XmlElement) {
  const method = optionalChild(parent, 'ds:DigestMethod');
  return method ? readDigest(method) : 'sha256';
}
