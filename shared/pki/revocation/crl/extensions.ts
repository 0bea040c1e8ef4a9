import { EXTENSION, type Extended } from '../../extensions/extensions.ts';

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

const KNOWN: ReadonlySet<string> = new Set([
  ...Object.values(CRL_EXTENSION),
  EXTENSION.authorityKeyIdentifier,
  EXTENSION.issuerAltName,
  EXTENSION.freshestCrl,
  EXTENSION.authorityInfoAccess,
]);

/** An unknown critical extension of the list. RFC 5280, 5.2: such a list must not be used. */
export const findUnknownCritical = ({ extensions }: Extended): string | undefined =>
  [...extensions].find(([oid, { critical }]) => critical && !KNOWN.has(oid))?.[0];
