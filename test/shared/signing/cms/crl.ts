import { issueCrl } from '../../../../functions/sandbox/authority/domain/issuing/crl.ts';
import type { Certificate } from '../../../../shared/pki/certificate/certificate.ts';
import type { Holder } from '../../../certificates/pki.ts';

/** A CRL of this authority, current now, that revokes these certificates. */
export function crlOf(authority: Holder, revoked: readonly Certificate[] = []): Buffer {
  const nowMs = Date.now();
  return issueCrl(authority, {
    revoked: revoked.map(({ serialHex }) => ({ serial: serialHex, revokedAtMs: nowMs - 3_600_000 })),
    thisUpdateMs: nowMs - 60_000,
    nextUpdateMs: nowMs + 86_400_000,
    number: 1,
  });
}
