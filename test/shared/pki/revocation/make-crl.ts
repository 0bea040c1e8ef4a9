import type { Extension } from 'pkijs';
import { issueCrl } from '../../../../functions/sandbox/authority/domain/issuing/crl.ts';
import type { IssuingDigest } from '../../../../functions/sandbox/authority/domain/issuing/pkijs.ts';
import { context } from '../../../../shared/der/tags.ts';
import { explicit, implicit, integer, retag, sequence } from '../../../../shared/der/write.ts';
import type { Certificate } from '../../../../shared/pki/certificate/certificate.ts';
import { REASONS, type RevocationReason } from '../../../../shared/pki/revocation/reasons.ts';
import { extension, namedBits } from '../../../certificates/odd-certificates.ts';
import type { Holder } from '../../../certificates/pki.ts';

export const NOW_MS = Date.UTC(2026, 5, 1);
export const HOUR_MS = 3_600_000;

export type Listed = {
  readonly certificate: Certificate;
  readonly reason?: RevocationReason;
  readonly revokedAtMs?: number;
  /** Adds certificateIssuer, as indirect CRLs must. */
  readonly namesIssuer?: boolean;
  readonly extensions?: readonly Extension[];
};

export type CrlShape = {
  readonly revoked?: readonly Listed[];
  readonly thisUpdateMs?: number;
  readonly nextUpdateMs?: number | 'none';
  readonly number?: number;
  /** Makes a delta of the complete CRL with this number. */
  readonly baseNumber?: number;
  readonly issuingPoint?: Buffer;
  readonly extensions?: readonly Extension[];
  readonly digest?: IssuingDigest;
};

const DELTA_CRL_INDICATOR = '2.5.29.27';
const ISSUING_DISTRIBUTION_POINT = '2.5.29.28';
const CERTIFICATE_ISSUER = '2.5.29.29';

/** A CRL that the issuer signs. @example makeCrl(intermediate, { revoked: [{ certificate }] }) */
export function makeCrl(issuer: Holder, shape: CrlShape = {}): Buffer {
  const { revoked = [], nextUpdateMs = NOW_MS + HOUR_MS, baseNumber, issuingPoint, extensions = [] } = shape;
  return issueCrl(issuer, {
    revoked: revoked.map(entryOf),
    thisUpdateMs: shape.thisUpdateMs ?? NOW_MS - HOUR_MS,
    ...(nextUpdateMs !== 'none' && { nextUpdateMs }),
    number: shape.number ?? 1,
    ...(shape.digest && { digest: shape.digest }),
    extensions: [
      ...(baseNumber === undefined ? [] : [extension(DELTA_CRL_INDICATOR, integer(baseNumber), true)]),
      ...(issuingPoint ? [extension(ISSUING_DISTRIBUTION_POINT, issuingPoint, true)] : []),
      ...extensions,
    ],
  });
}

const entryOf = ({ certificate, reason, namesIssuer, extensions = [], ...listed }: Listed) => ({
  serial: certificate.serialHex,
  revokedAtMs: listed.revokedAtMs ?? NOW_MS - 2 * HOUR_MS,
  ...(reason && { reason: REASONS.indexOf(reason) }),
  extensions: [
    ...(namesIssuer
      ? [extension(CERTIFICATE_ISSUER, sequence(explicit(4, certificate.issuer.der)), true)]
      : []),
    ...extensions,
  ],
});

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
