import type { Certificate } from '../../certificate/certificate.ts';
import type { PathSettings } from '../../path/settings.ts';
import type { Path } from '../../path/validate.ts';
import type { Crl } from '../crl/crl.ts';
import type { Times } from '../freshness.ts';
import type { OcspResponse } from '../ocsp/response.ts';
import type { RevocationSource } from '../source.ts';
import type { RevocationOutcome } from './outcome.ts';

/** What the question of a certificate's status is asked in. */
export type RevocationContext = Times & {
  readonly settings: PathSettings;
  /** Certificates that may have signed CRLs, beside those of the path. */
  readonly candidates: readonly Certificate[];
  readonly crls: readonly Crl[];
  readonly ocspResponses: readonly OcspResponse[];
  /** Where more is fetched from; without it only what is at hand counts. */
  readonly source?: RevocationSource | undefined;
  readonly signal?: AbortSignal | undefined;
  /** How many more statuses are asked for in this judgement, signers of CRLs included. */
  readonly budget: { left: number };
  /** SHA-256 of the certificates whose status is being asked further out: asking again would go round in a circle. */
  readonly inProgress: ReadonlySet<string>;
  /** The status of a certificate, which the signers of CRLs and OCSP responses need in their turn. */
  readonly statusOf: (path: Path, context: RevocationContext) => Promise<RevocationOutcome>;
};
