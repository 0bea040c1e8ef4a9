import { explicit, sequence } from '../../der/write.ts';
import type { Certificate } from '../../pki/certificate/certificate.ts';
import type { SignaturePolicy } from '../cms/policy.ts';
import { type Digest, hashOf, type SigningDigest } from '../digest.ts';
import { digestUri } from './algorithms.ts';
import { element, text } from './write.ts';

export type Properties = {
  readonly certificate: Certificate;
  readonly digest: SigningDigest;
  readonly signingTimeMs: number;
  readonly policy?: SignaturePolicy | undefined;
  readonly mimeType: string;
};

/** ds:DigestMethod and ds:DigestValue. */
export const digestPair = (digest: Digest, value: string): string =>
  element('ds:DigestMethod', { Algorithm: digestUri(digest) }) + element('ds:DigestValue', {}, value);

/** The xades:SignedProperties (EN 319 132-1, 4.3). */
export function signedProperties(id: string, referenceId: string, properties: Properties): string {
  const { signingTimeMs, mimeType } = properties;
  return element(
    'xades:SignedProperties',
    { Id: id },
    element(
      'xades:SignedSignatureProperties',
      {},
      element('xades:SigningTime', {}, secondsOf(signingTimeMs)),
      signingCertificate(properties),
      properties.policy ? policyIdentifier(properties.policy) : '',
    ),
    element(
      'xades:SignedDataObjectProperties',
      {},
      element(
        'xades:DataObjectFormat',
        { ObjectReference: `#${referenceId}` },
        element('xades:MimeType', {}, text(mimeType)),
      ),
    ),
  );
}

const secondsOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

// Signer substitution (EN 319 132-1, 5.2.2): without this property another certificate with the same key could replace
// the signer's.
function signingCertificate({ certificate, digest }: Properties): string {
  const { der, issuer, serialDer } = certificate;
  const issuerSerial = sequence(sequence(explicit(4, issuer.der)), serialDer);
  return element(
    'xades:SigningCertificateV2',
    {},
    element(
      'xades:Cert',
      {},
      element('xades:CertDigest', {}, digestPair(digest, hashOf(digest, der).toString('base64'))),
      element('xades:IssuerSerialV2', {}, issuerSerial.toString('base64')),
    ),
  );
}

function policyIdentifier({ oid, digest, hash, uri }: SignaturePolicy): string {
  const qualifiers =
    uri === undefined
      ? ''
      : element(
          'xades:SigPolicyQualifiers',
          {},
          element('xades:SigPolicyQualifier', {}, element('xades:SPURI', {}, text(uri))),
        );
  return element(
    'xades:SignaturePolicyIdentifier',
    {},
    element(
      'xades:SignaturePolicyId',
      {},
      element(
        'xades:SigPolicyId',
        {},
        element('xades:Identifier', { Qualifier: 'OIDAsURN' }, `urn:oid:${oid}`),
      ),
      element('xades:SigPolicyHash', {}, digestPair(digest, hash.toString('base64'))),
      qualifiers,
    ),
  );
}
