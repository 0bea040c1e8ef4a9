import { verify } from 'node:crypto';
import { type Certificate, parseCertificate } from '../../pki/certificate/certificate.ts';
import type { Stamp } from '../cms/stamp.ts';
import { hashOf } from '../digest.ts';
import { SignatureMismatch } from '../errors.ts';
import { derToPair } from './ecdsa.ts';
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
