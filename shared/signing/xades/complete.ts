import { type KeyObject, verify } from 'node:crypto';
import { childrenOf, readDer, readInteger } from '../../der/read.ts';
import { TAG } from '../../der/tags.ts';
import { type Certificate, parseCertificate } from '../../pki/certificate/certificate.ts';
import type { Stamp } from '../cms/stamp.ts';
import { hashOf } from '../digest.ts';
import { SignatureMismatch } from '../errors.ts';
import { XmlRefused } from './errors.ts';
import type { XadesState } from './prepare.ts';
import { addTimestamp, canonicalValue, fillElements } from './template.ts';
import { readSource } from './xml/source.ts';
import { splice } from './xml/splice.ts';

export type XadesCompletion = {
  /** A timestamp over the signature (see stampXades), which makes it B-T. */
  readonly timestampToken?: Buffer | undefined;
};

/**
 * The second step: puts the signature into the document, which must be the prepared one. No byte outside the signature
 * changes.
 * @example const signed = completeXades(state, xml, signature);
 */
export function completeXades(
  state: XadesState,
  document: Uint8Array,
  signature: Buffer,
  { timestampToken }: XadesCompletion = {},
): Buffer {
  const source = readSource(document);
  if (hashOf('sha256', source.bytes).toString('base64') !== state.document)
    throw new XmlRefused(
      'another-document',
      'This is not the document that the signature was prepared for. Give the same bytes again.',
    );
  const value = checkSignatureValue(state, signature);
  const complete = fillElements(state.signature, 'ds:SignatureValue', [value]);
  return splice(source, state.gap, timestampToken ? addTimestamp(complete, timestampToken) : complete);
}

/**
 * Requests a timestamp over a signature, which is checked first: authorities charge for each token.
 * @example const timestampToken = await stampXades(state, signature, stamp);
 */
export function stampXades(state: XadesState, signature: Buffer, stamp: Stamp): Promise<Buffer> {
  const value = canonicalValue(state.id, checkSignatureValue(state, signature));
  return stamp(state.digest, hashOf(state.digest, Buffer.from(value)));
}

// The bytes of SignatureValue. Throws SignatureMismatch unless the certificate's key signed the prepared bytes.
function checkSignatureValue(state: XadesState, signature: Buffer): Buffer {
  const { publicKey, subject }: Certificate = parseCertificate(Buffer.from(state.certificate, 'base64'));
  if (!verify(state.digest, Buffer.from(state.toSign, 'base64'), publicKey, signature))
    throw new SignatureMismatch(
      `The signature does not come from the key of ${subject.text}, or is over something else. Nothing was written.`,
    );
  return publicKey.asymmetricKeyType === 'ec' ? derToPair(publicKey, signature) : signature;
}

// The curves that new signatures use.
const NUMBER_BYTES: Readonly<Record<string, number>> = { prime256v1: 32, secp384r1: 48 };

const numberBytes = (key: KeyObject): number => NUMBER_BYTES[key.asymmetricKeyDetails?.namedCurve ?? ''] ?? 0;

/**
 * XML Signature, 6.4.3: r and s side by side, each as long as the curve's order. Other formats use DER. The signature
 * must be verified already.
 */
export function derToPair(key: KeyObject, der: Buffer): Buffer {
  const digits = numberBytes(key) * 2;
  const numbers = childrenOf(readDer(der), TAG.SEQUENCE).map((number) => readInteger(number));
  return Buffer.from(numbers.map((number) => number.toString(16).padStart(digits, '0')).join(''), 'hex');
}
