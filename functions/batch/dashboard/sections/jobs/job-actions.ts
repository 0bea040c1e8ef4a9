import { html } from 'hono/html';
import { Refusal } from '../../../../../shared/errors/errors.ts';
import type { Markup } from '../../../../../shared/ui/page.ts';
import { errors } from '../../../errors.ts';
import type { Job } from '../../../jobs/domain/job/job.ts';
import { jobStates } from '../../../jobs/domain/job/states.ts';
import { isRetriable } from '../../../jobs/domain/retry-job.ts';
import { MAX_REASON_CHARACTERS } from '../../../jobs/reason.ts';
import { confirmed, textArea } from '../../pages/parts.ts';
import type { Visit } from '../../visit.ts';
import { jobWords } from './job-words.ts';
import { jobPath } from './list-page.ts';

/** Why an action was refused, on the page of its job. */
export type ActionProblem = {
  readonly status: number;
  readonly text: string;
  readonly code?: string;
  /** Whether it is about the reason that was typed. */
  readonly isAtReason?: boolean;
  readonly typedReason?: string;
};

/** The refusal of an action, for the page of its job. A job that is gone has no page, and anything else is thrown. */
export function problemOf({ language }: Visit, error: unknown, typedReason: string): ActionProblem {
  if (!(error instanceof Refusal) || error.status === 404) throw error;
  const { status, code } = error;
  const isAtReason = code === 'validation.reason-too-long';
  return { status, code, text: errors.text(code, language) ?? error.message, isAtReason, typedReason };
}

/** The actions that the job accepts now. Each is a form, and works without a script. */
export function actionsSection({ language }: Visit, job: Job, problem?: ActionProblem): Markup {
  const words = jobWords(language);
  const canCancel = jobStates.accepts(job.state, 'canceledByOperator');
  const canDelete = jobStates.isTerminal(job.state);
  const retry = isRetriable(job)
    ? html`<form method="post" action="${jobPath(job.id, '/retry')}"><button class="button" aria-describedby="retry-hint">${words.retry}</button></form>`
    : '';
  return html`<section class="stack" aria-labelledby="actions"><h2 class="visually-hidden" id="actions">${words.actions}</h2>
<div class="actions">${retry}
${canCancel ? cancelForm(job, words, problem) : ''}
${
  canDelete
    ? confirmed({
        id: 'delete',
        summary: words.delete,
        explanation: words.deleteExplained,
        button: words.deleteNow,
        action: jobPath(job.id, '/delete'),
      })
    : ''
}</div>
${retry === '' ? '' : html`<p class="faint" id="retry-hint">${words.retryHint}</p>`}
${!canCancel && !canDelete ? html`<p class="faint">${words.noActions}</p>` : ''}</section>`;
}

const cancelForm = (job: Job, words: ReturnType<typeof jobWords>, problem?: ActionProblem): Markup =>
  confirmed({
    id: 'cancel',
    isOpen: problem?.isAtReason ?? false,
    summary: words.cancel,
    explanation: words.cancelExplained,
    button: words.cancelNow,
    action: jobPath(job.id, '/cancel'),
    fields: textArea({
      id: 'reason',
      label: words.cancelReason,
      hint: words.reasonHint(MAX_REASON_CHARACTERS),
      value: problem?.typedReason ?? '',
      problem: problem?.isAtReason ? problem.text : undefined,
      attributes: html` rows="3" maxlength="${MAX_REASON_CHARACTERS}" dir="auto"`,
    }),
  });
