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
  /** Over the signature; see stampXades. With one, the signature is B-T. */
  readonly timestampToken?: Buffer | undefined;
};

/**
 * The second step: the document, the same one that was prepared, with its signature. Every byte outside the
 * signature is as it was.
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
 * A timestamp over a signature, which is checked first: an authority is not paid for a wrong one.
 * @example const timestampToken = await stampXades(state, signature, stamp);
 */
export function stampXades(state: XadesState, signature: Buffer, stamp: Stamp): Promise<Buffer> {
  const value = canonicalValue(state.id, checkSignatureValue(state, signature));
  return stamp(state.digest, hashOf(state.digest, Buffer.from(value)));
}

// The bytes of SignatureValue, of a signature that is the certificate's key's over what was prepared.
function checkSignatureValue(state: XadesState, signature: Buffer): Buffer {
  const { publicKey, subject }: Certificate = parseCertificate(Buffer.from(state.certificate, 'base64'));
  if (!verify(state.digest, Buffer.from(state.toSign, 'base64'), publicKey, signature))
    throw new SignatureMismatch(
      `The signature does not come from the key of ${subject.text}, or is over something else. Nothing was written.`,
    );
  return publicKey.asymmetricKeyType === 'ec' ? derToPair(publicKey, signature) : signature;
}

// The curves that sign here.
const NUMBER_BYTES: Readonly<Record<string, number>> = { prime256v1: 32, secp384r1: 48 };

const numberBytes = (key: KeyObject): number => NUMBER_BYTES[key.asymmetricKeyDetails?.namedCurve ?? ''] ?? 0;

/**
 * An ECDSA signature as XML Signature writes it: the two numbers side by side, each as long as the curve's order.
 * Everyone else writes them in DER. Give it one that was verified.
 */
export function derToPair(key: KeyObject, der: Buffer): Buffer {
  const digits = numberBytes(key) * 2;
  const numbers = childrenOf(readDer(der), TAG.SEQUENCE).map((number) => readInteger(number));
  return Buffer.from(numbers.map((number) => number.toString(16).padStart(digits, '0')).join(''), 'hex');
}
