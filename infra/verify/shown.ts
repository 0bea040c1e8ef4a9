import type {
  ValidationItem,
  ValidationItemType,
  ValidationResults,
} from '../../shared/pki/validation-results.ts';
import type { SignerReport } from '../../shared/signing/cades/verify-signers.ts';

/** What the reports of all formats have alike. */
type Common = Pick<
  SignerReport,
  | 'certificate'
  | 'claimedTimeMs'
  | 'timestamps'
  | 'intact'
  | 'verdict'
  | 'judgedAtMs'
  | 'policy'
  | 'valid'
  | 'results'
>;

/** One signature, in whatever format, as the report shows it. */
export type ShownSignature = Common & {
  /** Where it stands in the file, if that says something. */
  readonly place?: string | undefined;
  readonly covers: readonly string[];
  /** What came into the file after it; undefined where a format has no such thing. */
  readonly changes?: readonly string[] | undefined;
};

export type Shown = {
  readonly format: 'PAdES' | 'CAdES' | 'XAdES';
  readonly signatures: readonly ShownSignature[];
  readonly valid: boolean;
  /** What concerns the file and no one signature. */
  readonly results?: ValidationResults | undefined;
};

export type Outcome = 'valid' | 'invalid' | 'undetermined';

// Failures that say that something is not known. Without roots to trust, a chain that leads to none is one of them.
const OPEN: readonly ValidationItemType[] = ['CertificateRevocationStatusUnknown'];
const OPEN_WITHOUT_ROOTS: readonly ValidationItemType[] = [
  ...OPEN,
  'CertificateChainRootNotTrusted',
  'CertificateIssuerNotFound',
];

/** What one signature comes to. One that fails only by what nobody tells is neither valid nor invalid. */
export function outcomeOf({ valid, intact, results }: ShownSignature, hasAnchors: boolean): Outcome {
  if (valid) return 'valid';
  const open = hasAnchors ? OPEN : OPEN_WITHOUT_ROOTS;
  const causes = causesIn(results);
  return intact && causes.length > 0 && causes.every(({ type }) => open.includes(type))
    ? 'undetermined'
    : 'invalid';
}

/** The failures that other failures rest on. */
const causesIn = ({ errors }: ValidationResults): ValidationItem[] =>
  errors.flatMap((item) => {
    const deeper = item.innerValidationResults ? causesIn(item.innerValidationResults) : [];
    return deeper.length > 0 ? deeper : [item];
  });

/** What the file comes to: as much as its worst signature. */
export function outcomeOfFile({ valid, signatures, results }: Shown, hasAnchors: boolean): Outcome {
  if (signatures.length === 0) return 'undetermined';
  if (valid) return 'valid';
  const isFileBad = (results?.errors.length ?? 0) > 0;
  const outcomes = signatures.map((signature) => outcomeOf(signature, hasAnchors));
  return isFileBad || !outcomes.includes('undetermined') || outcomes.includes('invalid')
    ? 'invalid'
    : 'undetermined';
}

export const EXIT_CODES: Readonly<Record<Outcome, number>> = { valid: 0, invalid: 1, undetermined: 2 };
