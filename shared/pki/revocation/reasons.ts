/** Reasons for which certificates are revoked, by their CRLReason numbers. */
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

/** A certificate was revoked. */
export type Revocation = { readonly revokedAtMs: number; readonly reason: RevocationReason };

/**
 * The bits of ReasonFlags, which number the reasons otherwise than CRLReason does. A CRL without
 * `onlySomeReasons` covers all of them.
 */
export const ALL_REASON_FLAGS: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 6, 7, 8]);
