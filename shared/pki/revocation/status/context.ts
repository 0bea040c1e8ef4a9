import type { Certificate } from '../../certificate/certificate.ts';
import type { PathSettings } from '../../path/settings.ts';
import type { Path } from '../../path/validate.ts';
import type { Crl } from '../crl/crl.ts';
import type { Times } from '../freshness.ts';
import type { OcspResponse } from '../ocsp/response.ts';
import type { RevocationSource } from '../source.ts';
import type { RevocationOutcome } from './outcome.ts';

/** The input of a revocation check. */
export type RevocationContext = Times & {
  readonly settings: PathSettings;
  /** Certificates that may have signed CRLs, besides those of the path. */
  readonly candidates: readonly Certificate[];
  readonly crls: readonly Crl[];
  readonly ocspResponses: readonly OcspResponse[];
  /** Fetches missing data. Without it only `crls` and `ocspResponses` count. */
  readonly source?: RevocationSource | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Revocation checks that this judgement may still do, signers of CRLs included. */
  readonly budget: { left: number };
  /** SHA-256 of the certificates whose check is in progress. A check of one of them again would be a circle. */
  readonly inProgress: ReadonlySet<string>;
  /** Checks the signers of CRLs and OCSP responses in their turn. */
  readonly statusOf: (path: Path, context: RevocationContext) => Promise<RevocationOutcome>;
};
