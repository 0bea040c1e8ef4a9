import type { ValidationResults } from '../../../pki/findings/validation-results.ts';
import type { ChangeLevel } from '../permissions.ts';
import type { Change } from './changes.ts';
import type { Proof } from './check-signature.ts';

/** What the signer wrote beside the signature. It is signed, and nobody vouches for it. */
export type Claims = {
  readonly name: string | undefined;
  readonly reason: string | undefined;
  readonly location: string | undefined;
  readonly contact: string | undefined;
  readonly timeMs: number | undefined;
};

export type Coverage = {
  /** The signed bytes, counted from the beginning of the file. */
  readonly bytes: number;
  /** Nothing was appended after it. */
  readonly wholeFile: boolean;
};

export type PdfSignatureReport = Omit<Proof, 'results' | 'valid'> & {
  readonly kind: 'signature' | 'document-timestamp';
  readonly field: string;
  readonly subFilter: string | undefined;
  readonly claims: Claims;
  /** Undefined when its /ByteRange is not well formed. */
  readonly coverage: Coverage | undefined;
  /** What its signer, or one before, allows afterwards; undefined when nobody certified the document. */
  readonly allowedChanges: ChangeLevel | undefined;
  /** What was done to the document after it. */
  readonly changes: readonly Change[];
  /** The signed document is still the one that a reader shows, but for what is allowed. */
  readonly unmodified: boolean;
  /** Intact, unmodified, and by a certificate that was valid. */
  readonly valid: boolean;
  readonly results: ValidationResults;
};

export type PdfReport = {
  /** In the order in which they were made. */
  readonly signatures: readonly PdfSignatureReport[];
  /** There is a signature, and every one of them is valid. */
  readonly valid: boolean;
  readonly results: ValidationResults;
};
