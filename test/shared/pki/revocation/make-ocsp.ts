import { createHash } from 'node:crypto';
import type { Extension } from 'pkijs';
import { extensionOf } from '../../../../functions/sandbox/authority/domain/issuing/extensions.ts';
import { issueOcspResponse } from '../../../../functions/sandbox/authority/domain/issuing/ocsp.ts';
import { octets } from '../../../../functions/sandbox/authority/domain/issuing/pkijs.ts';
import type { Certificate } from '../../../../shared/pki/certificate/certificate.ts';
import { REASONS, type Revocation } from '../../../../shared/pki/revocation/reasons.ts';
import type { Holder } from '../../../certificates/pki.ts';
import { HOUR_MS, NOW_MS } from './make-crl.ts';

const NONCE = '1.3.6.1.5.5.7.48.1.2';

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
  readonly extensions?: readonly Extension[];
};

/** An OCSP response that the signer signs. */
export function makeOcsp(shape: OcspShape): Buffer {
  const { certificate, issuer, signer, nonce, status = 'good', hash: digest = 'sha1' } = shape;
  const { nextUpdateMs = NOW_MS + HOUR_MS, responderBy = 'name', withCertificate = true } = shape;
  const id = {
    digest,
    issuerNameHash: hash(digest, issuer.subject.der),
    issuerKeyHash: hash(digest, issuer.keyBits),
    serial: certificate.serialHex,
  };
  return issueOcspResponse(signer, {
    producedAtMs: shape.producedAtMs ?? NOW_MS - HOUR_MS,
    statuses: [
      {
        id,
        status:
          typeof status === 'string'
            ? status
            : { revokedAtMs: status.revokedAtMs, reason: REASONS.indexOf(status.reason) },
        thisUpdateMs: shape.thisUpdateMs ?? NOW_MS - HOUR_MS,
        ...(nextUpdateMs !== 'none' && { nextUpdateMs }),
      },
    ],
    extensions: [...(nonce ? [extensionOf(NONCE, octets(nonce))] : []), ...(shape.extensions ?? [])],
    responderBy,
    withCertificate,
  });
}

const hash = (digest: string, bytes: Buffer): Buffer => createHash(digest).update(bytes).digest();
