import type { XmlElement } from 'libxml2-wasm';
import { DEFAULT_CANONICALIZATION } from '../algorithms.ts';
import { canonicalBytes } from '../xml/canonical.ts';
import type { Tree } from '../xml/tree.ts';
import { base64Of, elementsIn, NotAccepted, named, optional, required } from './dom.ts';
import { qualifyingOf } from './properties.ts';
import { readCanonicalization } from './transforms.ts';

/** A timestamp token and the bytes that it must be over. */
export type Stamped = { readonly token: Buffer; readonly over: Buffer };

// Every token costs a signature check and a path.
const MOST_STAMPS = 8;
const MOST_VALUE_BYTES = 10_000; // an RSA-4096 value is under 1 KB

/** The signature timestamps among the unsigned properties. */
export function stampsOf(tree: Tree, signature: XmlElement, value: XmlElement): Stamped[] {
  const qualifying = qualifyingOf(signature);
  const unsigned = qualifying && optional(qualifying, 'xades:UnsignedProperties');
  const ofSignature = unsigned && optional(unsigned, 'xades:UnsignedSignatureProperties');
  return (ofSignature ? named(elementsIn(ofSignature), 'xades:SignatureTimeStamp') : [])
    .slice(0, MOST_STAMPS)
    .map((stamp) => readStamp(tree, stamp, value));
}

function readStamp(tree: Tree, stamp: XmlElement, value: XmlElement): Stamped {
  const method = optional(stamp, 'ds:CanonicalizationMethod');
  const how = method ? readCanonicalization(method) : DEFAULT_CANONICALIZATION;
  if (!how) throw new NotAccepted('AlgorithmNotAllowed', "A timestamp's canonicalisation is not accepted.");
  return {
    token: base64Of(required(stamp, 'xades:EncapsulatedTimeStamp')),
    over: canonicalBytes(tree, value, how, MOST_VALUE_BYTES),
  };
}
