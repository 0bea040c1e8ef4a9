import { sign } from 'node:crypto';
import { signatureAlgorithm } from '../../../../functions/sandbox/authority/domain/issuing/certificate.ts';
import {
  bitString,
  explicit,
  integer,
  octetString,
  oid,
  sequence,
  time,
} from '../../../../shared/der/write.ts';
import type { Certificate } from '../../../../shared/pki/certificate/certificate.ts';
import type { Holder } from '../../../pki.ts';

const CRL_NUMBER = '2.5.29.20';

/** A CRL of this authority, current now, that revokes these certificates. */
export function crlOf(authority: Holder, revoked: readonly Certificate[] = []): Buffer {
  const now = Date.now();
  const algorithm = signatureAlgorithm(authority.privateKey, 'sha256');
  const entries = revoked.map(({ serialDer }) => sequence(serialDer, time(now - 3_600_000)));
  const tbs = sequence(
    integer(1),
    algorithm,
    authority.certificate.subject.der,
    time(now - 60_000),
    time(now + 86_400_000),
    ...(entries.length ? [sequence(...entries)] : []),
    explicit(0, sequence(sequence(oid(CRL_NUMBER), octetString(integer(1))))),
  );
  return sequence(tbs, algorithm, bitString(sign('sha256', tbs, authority.privateKey)));
}
