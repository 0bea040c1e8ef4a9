import { sign } from 'node:crypto';
import {
  type IssuingDigest,
  signatureAlgorithm,
} from '../../../../functions/sandbox/domain/authority/issue.ts';
import {
  authorityKeyIdentifierOf,
  extension,
  namedBits,
} from '../../../../functions/sandbox/domain/authority/issue-extensions.ts';
import { context } from '../../../../shared/der/tags.ts';
import {
  bitString,
  enumerated,
  explicit,
  implicit,
  integer,
  retag,
  sequence,
  time,
} from '../../../../shared/der/write.ts';
import type { Certificate } from '../../../../shared/pki/certificate/certificate.ts';
import { REASONS, type RevocationReason } from '../../../../shared/pki/revocation/reasons.ts';
import type { Holder } from '../../../pki.ts';

export const NOW_MS = Date.UTC(2026, 5, 1);
export const HOUR_MS = 3_600_000;

export type Listed = {
  readonly certificate: Certificate;
  readonly reason?: RevocationReason;
  readonly revokedAtMs?: number;
  /** Names the certificate's issuer, as indirect CRLs must. */
  readonly namesIssuer?: boolean;
  readonly extensions?: readonly Buffer[];
};

export type CrlShape = {
  readonly revoked?: readonly Listed[];
  readonly thisUpdateMs?: number;
  readonly nextUpdateMs?: number | 'none';
  readonly number?: number;
  /** Makes it a delta of the list by this number. */
  readonly baseNumber?: number;
  readonly issuingPoint?: Buffer;
  readonly extensions?: readonly Buffer[];
  readonly digest?: IssuingDigest;
};

/** A CRL that the issuer signs. @example makeCrl(intermediate, { revoked: [{ certificate }] }) */
export function makeCrl(issuer: Holder, shape: CrlShape = {}): Buffer {
  const {
    revoked = [],
    thisUpdateMs = NOW_MS - HOUR_MS,
    nextUpdateMs = NOW_MS + HOUR_MS,
    number = 1,
  } = shape;
  const algorithm = signatureAlgorithm(issuer.privateKey, shape.digest ?? 'sha256');
  const extensions = [
    authorityKeyIdentifierOf(issuer.certificate.publicKey),
    extension('2.5.29.20', integer(number)),
    ...(shape.baseNumber === undefined ? [] : [extension('2.5.29.27', integer(shape.baseNumber), true)]),
    ...(shape.issuingPoint ? [extension('2.5.29.28', shape.issuingPoint, true)] : []),
    ...(shape.extensions ?? []),
  ];
  const tbs = sequence(
    integer(1),
    algorithm,
    issuer.certificate.subject.der,
    time(thisUpdateMs),
    ...(nextUpdateMs === 'none' ? [] : [time(nextUpdateMs)]),
    ...(revoked.length ? [sequence(...revoked.map(entry))] : []),
    explicit(0, sequence(...extensions)),
  );
  return sequence(tbs, algorithm, bitString(sign(shape.digest ?? 'sha256', tbs, issuer.privateKey)));
}

function entry({
  certificate,
  reason,
  revokedAtMs = NOW_MS - 2 * HOUR_MS,
  namesIssuer,
  extensions = [],
}: Listed): Buffer {
  const all = [
    ...(reason ? [extension('2.5.29.21', enumerated(REASONS.indexOf(reason)))] : []),
    ...(namesIssuer ? [extension('2.5.29.29', sequence(explicit(4, certificate.issuer.der)), true)] : []),
    ...extensions,
  ];
  return sequence(certificate.serialDer, time(revokedAtMs), ...(all.length ? [sequence(...all)] : []));
}

export const uriName = (address: string): Buffer => implicit(6, Buffer.from(address, 'latin1'));

type Scope = {
  readonly address?: string;
  readonly onlyUser?: boolean;
  readonly onlyAuthorities?: boolean;
  readonly reasons?: readonly number[];
  readonly isIndirect?: boolean;
  readonly onlyAttributes?: boolean;
};

const TRUE = Buffer.from([0xff]);

/** An issuing distribution point. */
export const scope = (of: Scope): Buffer =>
  sequence(
    ...(of.address ? [explicit(0, explicit(0, uriName(of.address)))] : []),
    ...(of.onlyUser ? [implicit(1, TRUE)] : []),
    ...(of.onlyAuthorities ? [implicit(2, TRUE)] : []),
    ...(of.reasons ? [retag(context(3, 'primitive'), namedBits(of.reasons))] : []),
    ...(of.isIndirect ? [implicit(4, TRUE)] : []),
    ...(of.onlyAttributes ? [implicit(5, TRUE)] : []),
  );
