import { context } from '../../../../shared/der/tags.ts';
import {
  explicit,
  integer,
  NULL,
  octetString,
  oid,
  retag,
  sequence,
  setOf,
} from '../../../../shared/der/write.ts';
import type { Certificate } from '../../../../shared/pki/certificate/certificate.ts';
import { ATTRIBUTE, CONTENT, SIGNATURE } from '../../../../shared/signing/cms/oids.ts';
import { frame } from '../../../../shared/signing/cms/signed-data.ts';
import { attribute } from '../../../../shared/signing/cms/signer-info.ts';
import { type Digest, digestAlgorithm, hashOf } from '../../../../shared/signing/digest.ts';
import type { SigningKey } from '../../../../shared/signing/key.ts';

export type Forgery = {
  readonly key: SigningKey;
  /** The signed attributes, rightly signed whatever they are; without any, the content itself is signed. */
  readonly attributes?: readonly Buffer[];
  readonly content: Buffer;
  readonly digest?: Digest;
  readonly signature?: Buffer;
  /** RSA over the digest above when not given. */
  readonly signatureAlgorithm?: Buffer;
  /** Attributes that are not signed, which may be over the signature. */
  readonly unsigned?: readonly Buffer[] | ((signature: Buffer) => Promise<readonly Buffer[]>);
  readonly certificates?: readonly Certificate[];
};

/** An attached SignedData that its signer made wrong on purpose. */
export async function forged(forgery: Forgery): Promise<Buffer> {
  const { key, content, digest = 'sha256' } = forgery;
  const { certificate, chain } = key;
  const parts = {
    version: 1,
    contentType: CONTENT.data,
    digestAlgorithms: [digestAlgorithm(digest)],
    certificates: (forgery.certificates ?? [certificate, ...chain]).map(({ der }) => der),
    crls: [],
    signerInfos: [await forgedSigner(forgery)],
  };
  const { head, tail } = frame(parts, content.length);
  return Buffer.concat([head, content, tail]);
}

/** The SignerInfo of one, which over a signature is a countersignature. */
export async function forgedSigner(forgery: Forgery): Promise<Buffer> {
  const { key, attributes, content, digest = 'sha256', unsigned = [] } = forgery;
  const { certificate } = key;
  const signed = attributes && setOf(...attributes);
  const signature = forgery.signature ?? (await key.signHash(digest, hashOf(digest, signed ?? content)));
  const added = typeof unsigned === 'function' ? await unsigned(signature) : unsigned;
  return sequence(
    integer(1),
    sequence(certificate.issuer.der, certificate.serialDer),
    digestAlgorithm(digest),
    ...(signed ? [retag(context(0), signed)] : []),
    forgery.signatureAlgorithm ?? sequence(oid(SIGNATURE.rsa), NULL),
    octetString(signature),
    ...(added.length ? [explicit(1, ...added)] : []),
  );
}

/** The attributes of a good signature, to leave out or change one of. */
export const goodAttributes = (key: SigningKey, content: Buffer, digest: Digest = 'sha256') => {
  const { der, issuer, serialDer } = key.certificate;
  const id = sequence(
    octetString(hashOf('sha256', der)),
    sequence(sequence(explicit(4, issuer.der)), serialDer),
  );
  return {
    contentType: attribute(ATTRIBUTE.contentType, oid(CONTENT.data)),
    messageDigest: attribute(ATTRIBUTE.messageDigest, octetString(hashOf(digest, content))),
    signingCertificate: attribute(ATTRIBUTE.signingCertificateV2, sequence(sequence(id))),
  };
};
