import type { Language } from '../../../shared/ui/languages.ts';
import type { DecisionProblem } from './domain/decide-in-portal.ts';
import { isVerdict } from './domain/decide-in-portal.ts';
import { findKeptFiles } from './domain/kept-files.ts';
import { readPaymentsPage } from './domain/payments-page.ts';
import { findSameContent } from './domain/same-content.ts';
import { readLockedUntil } from './domain/second-factor/enrolment.ts';
import { requireVerified } from './domain/second-factor/require-verified.ts';
import { requireVisibleJob, standingOf } from './domain/visible-job.ts';
import { jobPage } from './pages/job-page.ts';
import { refusalText } from './pages/refusals.ts';
import type { Visitor } from './portal.ts';

type JobRequest = {
  readonly id: string;
  /** Raw: anybody may have written it. */
  readonly query?: Readonly<Record<string, string | string[]>>;
  /** Of a form that was not accepted. */
  readonly problem?: DecisionProblem;
  readonly typedReason?: string;
};

/** The page of a job, for a request and for a form that was not accepted. Refused with job.not-found. */
export async function showJob(visitor: Visitor, request: JobRequest, nowMs: number) {
  const { id, query = {}, problem, typedReason = '' } = request;
  const { address, language, cookie } = visitor;
  const job = await requireVisibleJob(id, address);
  const [payments, secondFactor, sameContent, kept] = await Promise.all([
    readPaymentsPage(job, { search: textOf(query.q), page: pageNumberOf(textOf(query.page)) }),
    requireVerified({ cookie, session: visitor, code: undefined }, nowMs),
    findSameContent(job, address, nowMs),
    findKeptFiles(job),
  ]);
  const recorded = textOf(query.recorded);
  const isEnrolled = textOf(query.enrolled) !== '' && secondFactor === 'verified';
  const shown = problem ?? problemOf(textOf(query.problem), visitor.language);
  const lockedUntilMs =
    shown?.code === 'approval.second-factor-locked-out' ? await readLockedUntil(address) : 0;
  return jobPage({
    ...{ language, address, job, payments, sameContent, kept, secondFactor, typedReason },
    standing: standingOf(job, nowMs),
    ...{ isEnrolled, lockedUntilMs },
    recorded: isVerdict(recorded) ? recorded : undefined,
    ...(shown && { problem: shown }),
  });
}

/** The problem that the address of the page names, after a signature elsewhere. It is the page of a request that succeeded. */
const problemOf = (code: string, language: Language): DecisionProblem | undefined =>
  refusalText(language, code) === undefined ? undefined : { code, status: 200 };

const textOf = (value: string | string[] | undefined): string => (typeof value === 'string' ? value : '');

// A file of the largest size has fewer pages.
const MAX_PAGE = 100_000;

const pageNumberOf = (text: string): number =>
  /^[1-9]\d{0,8}$/.test(text) ? Math.min(Number(text), MAX_PAGE) : 1;
