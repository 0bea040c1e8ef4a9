import { createHash, sign } from 'node:crypto';
import { signatureAlgorithm } from '../../../../functions/sandbox/authority/domain/issuing/certificate.ts';
import { extension } from '../../../../functions/sandbox/authority/domain/issuing/extensions.ts';
import {
  bitString,
  enumerated,
  explicit,
  generalizedTime,
  implicit,
  NULL,
  octetString,
  oid,
  sequence,
} from '../../../../shared/der/write.ts';
import type { Certificate } from '../../../../shared/pki/certificate/certificate.ts';
import { OCSP_NONCE } from '../../../../shared/pki/revocation/ocsp-request.ts';
import { REASONS, type Revocation } from '../../../../shared/pki/revocation/reasons.ts';
import type { Holder } from '../../../pki.ts';
import { HOUR_MS, NOW_MS } from './make-crl.ts';

export type OcspShape = {
  readonly certificate: Certificate;
  readonly issuer: Certificate;
  readonly signer: Holder;
  readonly status?: 'good' | 'unknown' | Revocation;
  readonly thisUpdateMs?: number;
  readonly nextUpdateMs?: number | 'none';
  readonly producedAtMs?: number;
  readonly nonce?: Buffer;
  readonly responderBy?: 'name' | 'key';
  readonly withCertificate?: boolean;
  readonly hash?: 'sha1' | 'sha256';
  readonly extensions?: readonly Buffer[];
};

const HASH_OIDS = { sha1: '1.3.14.3.2.26', sha256: '2.16.840.1.101.3.4.2.1' } as const;

/** An OCSP response that the signer signs. */
export function makeOcsp(shape: OcspShape): Buffer {
  const {
    signer,
    nonce,
    responderBy = 'name',
    withCertificate = true,
    producedAtMs = NOW_MS - HOUR_MS,
  } = shape;
  const { certificate } = signer;
  const extensions = [
    ...(nonce ? [extension(OCSP_NONCE, octetString(nonce))] : []),
    ...(shape.extensions ?? []),
  ];
  const tbs = sequence(
    responderBy === 'name'
      ? explicit(1, certificate.subject.der)
      : explicit(2, octetString(hash('sha1', certificate.keyBits))),
    generalizedTime(producedAtMs),
    sequence(single(shape)),
    ...(extensions.length ? [explicit(1, sequence(...extensions))] : []),
  );
  const basic = sequence(
    tbs,
    signatureAlgorithm(signer.privateKey, 'sha256'),
    bitString(sign('sha256', tbs, signer.privateKey)),
    ...(withCertificate ? [explicit(0, sequence(certificate.der))] : []),
  );
  return sequence(enumerated(0), explicit(0, sequence(oid('1.3.6.1.5.5.7.48.1.1'), octetString(basic))));
}

export const makeRefusal = (status: number): Buffer => sequence(enumerated(status));

function single({ certificate, issuer, status = 'good', ...shape }: OcspShape): Buffer {
  const { thisUpdateMs = NOW_MS - HOUR_MS, nextUpdateMs = NOW_MS + HOUR_MS, hash: digest = 'sha1' } = shape;
  return sequence(
    sequence(
      sequence(oid(HASH_OIDS[digest]), NULL),
      octetString(hash(digest, issuer.subject.der)),
      octetString(hash(digest, issuer.keyBits)),
      certificate.serialDer,
    ),
    statusElement(status),
    generalizedTime(thisUpdateMs),
    ...(nextUpdateMs === 'none' ? [] : [explicit(0, generalizedTime(nextUpdateMs))]),
  );
}

function statusElement(status: NonNullable<OcspShape['status']>): Buffer {
  if (status === 'good') return implicit(0, Buffer.alloc(0));
  if (status === 'unknown') return implicit(2, Buffer.alloc(0));
  const reason = explicit(0, enumerated(REASONS.indexOf(status.reason)));
  return explicit(1, generalizedTime(status.revokedAtMs), reason);
}

const hash = (digest: string, bytes: Buffer): Buffer => createHash(digest).update(bytes).digest();
