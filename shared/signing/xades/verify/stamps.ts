import type { XmlElement } from 'libxml2-wasm';
import { DEFAULT_CANONICALIZATION } from '../algorithms.ts';
import type { Signature } from '../signatures.ts';
import type { Wanted } from '../xml/task.ts';
import { base64Of, elementsIn, NotAccepted, named, optional, required } from './dom.ts';
import { qualifyingOf } from './properties.ts';
import { readCanonicalization } from './transforms.ts';

/** A timestamp token and the bytes that it must be over. */
export type Stamped = { readonly token: Buffer; readonly over: Buffer };

/** The same before those bytes are there. */
export type Stamp = { readonly token: Buffer; readonly wanted: Wanted };

// Every token costs a signature check and a path.
const MOST_STAMPS = 8;

/** The signature timestamps among the unsigned properties. */
export function stampsOf(signature: Signature, value: XmlElement): Stamp[] {
  const qualifying = qualifyingOf(signature.element);
  const unsigned = qualifying && optional(qualifying, 'xades:UnsignedProperties');
  const ofSignature = unsigned && optional(unsigned, 'xades:UnsignedSignatureProperties');
  return (ofSignature ? named(elementsIn(ofSignature), 'xades:SignatureTimeStamp') : [])
    .slice(0, MOST_STAMPS)
    .map((stamp) => readStamp(signature, stamp, value));
}

function readStamp({ at }: Signature, stamp: XmlElement, value: XmlElement): Stamp {
  const method = optional(stamp, 'ds:CanonicalizationMethod');
  const how = method ? readCanonicalization(method) : DEFAULT_CANONICALIZATION;
  if (!how) throw new NotAccepted('AlgorithmNotAllowed', "A timestamp's canonicalisation is not accepted.");
  return {
    token: base64Of(required(stamp, 'xades:EncapsulatedTimeStamp')),
    wanted: { key: JSON.stringify({ value: at, how }), of: value, without: [], how, as: 'bytes' },
  };
}
