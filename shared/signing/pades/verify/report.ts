import type { ValidationResults } from '../../../pki/findings/validation-results.ts';
import type { ChangeLevel } from '../permissions.ts';
import type { Change } from './changes.ts';
import type { Proof } from './check-signature.ts';

/** The signer's own claims beside the signature. They are signed, but nobody verified them. */
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
  /** Whether nothing was appended after it. */
  readonly wholeFile: boolean;
};

export type PdfSignatureReport = Omit<Proof, 'results' | 'valid'> & {
  readonly kind: 'signature' | 'document-timestamp';
  readonly field: string;
  readonly subFilter: string | undefined;
  readonly claims: Claims;
  /** Undefined where its /ByteRange is malformed. */
  readonly coverage: Coverage | undefined;
  /** The changes that its signer or an earlier one allows; undefined where nobody certified the document. */
  readonly allowedChanges: ChangeLevel | undefined;
  /** The changes to the document after it. */
  readonly changes: readonly Change[];
  /** Whether a reader still shows the signed document, apart from allowed changes. */
  readonly unmodified: boolean;
  /** Whether it is intact and unmodified, and its certificate was valid. */
  readonly valid: boolean;
  readonly results: ValidationResults;
};

export type PdfReport = {
  /** In the order of signing. */
  readonly signatures: readonly PdfSignatureReport[];
  /** Whether there is a signature and all of them are valid. */
  readonly valid: boolean;
  readonly results: ValidationResults;
};
