import { EXTENSION } from '../extensions/extensions.ts';
import type { Crl } from './crl.ts';

export const CRL_EXTENSION = {
  number: '2.5.29.20',
  deltaIndicator: '2.5.29.27',
  issuingPoint: '2.5.29.28',
} as const;

export const ENTRY_EXTENSION = {
  reasonCode: '2.5.29.21',
  holdInstruction: '2.5.29.23',
  invalidityDate: '2.5.29.24',
  certificateIssuer: '2.5.29.29',
} as const;

const HEEDED: ReadonlySet<string> = new Set([
  ...Object.values(CRL_EXTENSION),
  EXTENSION.authorityKeyIdentifier,
  EXTENSION.issuerAltName,
  EXTENSION.freshestCrl,
  EXTENSION.authorityInfoAccess,
]);

/** A critical extension of the list that is unknown here: such a list must not be used (RFC 5280, 5.2). */
export const unknownCritical = ({ extensions }: Crl): string | undefined =>
  [...extensions].find(([oid, { critical }]) => critical && !HEEDED.has(oid))?.[0];
