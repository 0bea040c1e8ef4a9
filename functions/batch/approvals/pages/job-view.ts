import type { Language } from '../../../../shared/ui/languages.ts';
import type { Verdict } from '../../jobs/domain/job/approval.ts';
import type { DecisionProblem } from '../domain/decide-in-portal.ts';
import type { KeptFiles } from '../domain/kept-files.ts';
import type { PaymentsPage } from '../domain/payments-page.ts';
import type { SameContent } from '../domain/same-content.ts';
import type { SecondFactorOutcome } from '../domain/second-factor/require-verified.ts';
import type { Standing, VisibleJob } from '../domain/visible-job.ts';

/** All that the page of a job shows. */
export type JobView = {
  readonly language: Language;
  /** Of the visitor, who is in the job's pool. */
  readonly address: string;
  readonly job: VisibleJob;
  readonly standing: Standing;
  readonly payments: PaymentsPage;
  readonly sameContent: readonly SameContent[];
  readonly kept: KeptFiles;
  /** Whether the visitor could decide at once, would have to give a code, or has no second factor yet. */
  readonly secondFactor: SecondFactorOutcome;
  /** The decision that the address of the page says was just recorded. Shown only if it was. */
  readonly recorded: Verdict | undefined;
  /** Whether the visitor comes from setting up their second factor. */
  readonly isEnrolled: boolean;
  /** Of a visitor whose codes are refused. */
  readonly lockedUntilMs: number;
  /** Why the form that was sent was not accepted, and the reason that was typed in it. */
  readonly problem?: DecisionProblem;
  readonly typedReason: string;
};
