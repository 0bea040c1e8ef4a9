/** Revocation reasons by their CRLReason numbers (RFC 5280, 5.3.1). */
export const REASONS = [
  'unspecified',
  'keyCompromise',
  'cACompromise',
  'affiliationChanged',
  'superseded',
  'cessationOfOperation',
  'certificateHold',
  'unknown',
  'removeFromCRL',
  'privilegeWithdrawn',
  'aACompromise',
] as const;

export type RevocationReason = (typeof REASONS)[number];

export const reasonOf = (number: number): RevocationReason => REASONS[number] ?? 'unknown';

/** The revocation of a certificate. */
export type Revocation = { readonly revokedAtMs: number; readonly reason: RevocationReason };

/**
 * The bits of ReasonFlags (RFC 5280, 4.2.1.13), whose numbers differ from CRLReason. A CRL without `onlySomeReasons`
 * covers all of them.
 */
export const ALL_REASON_FLAGS: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 6, 7, 8]);
