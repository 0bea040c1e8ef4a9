import type { XmlElement } from 'libxml2-wasm';
import type { Signature } from '../signatures.ts';
import {
  elementsIn,
  filterByName,
  isNamed,
  NotAccepted,
  orUnsupported,
  partition,
  requireChild,
  type Unsupported,
} from './dom.ts';
import { type ParsedReference, parseReference } from './references.ts';

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
