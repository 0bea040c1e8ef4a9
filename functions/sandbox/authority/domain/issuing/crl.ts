import { createPublicKey, sign } from 'node:crypto';
import { bitString, enumerated, explicit, integer, sequence, time } from '../../../../../shared/der/write.ts';
import type { Issued, Signer } from '../authority.ts';
import { signatureAlgorithm } from './certificate.ts';
import { authorityKeyIdentifierOf, extension } from './extensions.ts';

const CRL_NUMBER = '2.5.29.20';
const REASON_CODE = '2.5.29.21';

// Long enough to go on while the engine is stopped for a night.
const VALID_FOR_MS = 24 * 3_600_000;

/**
 * The list of what this issuer has revoked, signed now.
 * @example const crl = buildCrl(signerOf(authority, 'root'), revoked, Date.now());
 */
export function buildCrl(issuer: Signer, revoked: readonly Issued[], nowMs: number): Buffer {
  const algorithm = signatureAlgorithm(issuer.privateKey, 'sha256');
  const entries = revoked.map(entry);
  const tbs = sequence(
    integer(1), // version 2, the one with extensions
    algorithm,
    issuer.certificate.subject.der,
    time(nowMs),
    time(nowMs + VALID_FOR_MS),
    // An empty list is left out: RFC 5280 allows none of no entries.
    ...(entries.length > 0 ? [sequence(...entries)] : []),
    explicit(
      0,
      sequence(
        authorityKeyIdentifierOf(createPublicKey(issuer.privateKey)),
        // Grows with time, which is all that is asked of it.
        extension(CRL_NUMBER, integer(Math.floor(nowMs / 1000))),
      ),
    ),
  );
  return sequence(tbs, algorithm, bitString(sign('sha256', tbs, issuer.privateKey)));
}

function entry({ serial, revokedAtMs = 0, reason }: Issued): Buffer {
  const extensions = reason === undefined ? [] : [sequence(extension(REASON_CODE, enumerated(reason)))];
  return sequence(integer(Buffer.from(serial, 'hex')), time(revokedAtMs), ...extensions);
}
