import type { XmlElement } from 'libxml2-wasm';
import { MGF1, methodByUri, pss, RSA_PSS, type SignatureMethod } from '../algorithms.ts';
import type { Signature } from '../signatures.ts';
import { childNodes, isInstruction, isWritten } from '../xml/tree.ts';
import {
  algorithmOf,
  elementsIn,
  filterByName,
  findChildren,
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

/** The ds:SignedInfo of a signature: the references that it claims to cover. */
export type SignedInfo = {
  readonly element: XmlElement;
  readonly references: readonly ParsedReference[];
  /** References that are not supported, and why. */
  readonly unsupported: readonly Unsupported[];
  /** The manifests in the signature's objects. Each counts only where the signature covers it. */
  readonly manifests: readonly Manifest[];
};

/** A ds:Manifest (XML Signature, 5.1): a list of further references. */
export type Manifest = Pick<SignedInfo, 'element' | 'references' | 'unsupported'>;

// Denial of service: each reference costs a lookup and a digest. Real signatures have two or three.
const MAX_REFERENCES = 16;

export function readSignedInfo({ element }: Signature): SignedInfo {
  const signedInfo = requireSignedInfo(element);
  const manifests = findChildren(element, 'ds:Object').flatMap((object) =>
    findChildren(object, 'ds:Manifest'),
  );
  const lists = [signedInfo, ...manifests].map((list) => filterByName(elementsIn(list), 'ds:Reference'));
  const count = lists.flat().length;
  if (count > MAX_REFERENCES)
    throw new Unsupported(
      'AlgorithmNotAllowed',
      `The signature has ${count} references, and at most ${MAX_REFERENCES} are followed here: it was not checked.`,
    );
  return {
    ...{ element: signedInfo, ...parseReferences(lists[0] ?? []) },
    manifests: manifests.map((manifest, at) => ({
      element: manifest,
      ...parseReferences(lists[at + 1] ?? []),
    })),
  };
}

function parseReferences(references: readonly XmlElement[]): Pick<SignedInfo, 'references' | 'unsupported'> {
  const { read, unsupported } = partition(
    references.map((reference) => orUnsupported(() => parseReference(reference))),
  );
  return { references: read, unsupported };
}

// Two SignedInfo elements (CVE-2025-29774): a verifier checks the signature over one and the references of the other.
// The schema's order of children is enforced, so there is exactly one, and nothing but elements is between them.
function requireSignedInfo(signature: XmlElement): XmlElement {
  const [first, second, ...rest] = elementsIn(signature);
  const isBegun = first && second && isNamed(first, 'ds:SignedInfo') && isNamed(second, 'ds:SignatureValue');
  const [third] = rest;
  const objects = third && isNamed(third, 'ds:KeyInfo') ? rest.slice(1) : rest;
  const isElementsOnly = [...childNodes(signature)].every((node) => !isInstruction(node) && !isWritten(node));
  if (!isBegun || !isElementsOnly || !objects.every((object) => isNamed(object, 'ds:Object')))
    throw new NotAccepted('InvalidXmlSignatureSchema', 'The signature does not have the parts it must have.');
  return requireChild(signature, 'ds:SignedInfo');
}

/**
 * The ds:SignatureMethod. Algorithm confusion: HMAC is not accepted, or the public key would serve as its secret; nor is
 * its truncation (CVE-2009-0217). checkSignatureValue refuses a method of another kind than the key.
 */
export function readMethod(element: XmlElement): SignatureMethod {
  const uri = algorithmOf(element);
  const method = uri === RSA_PSS ? readPss(element) : methodByUri(uri);
  if (method) return method;
  throw new Unsupported(
    'AlgorithmNotAllowed',
    `The signature algorithm ${uri.slice(0, 100)} is not supported: RSA, ECDSA and EdDSA are, with SHA-2, SHA-3 or SHA-1.`,
  );
}

// RFC 9231, 2.3.9: the defaults are SHA-256, MGF1 with the same digest, a salt as long as the digest, and trailer 1.
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
