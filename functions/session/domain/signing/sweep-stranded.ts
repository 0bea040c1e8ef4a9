import { forEachConcurrently } from '../../../../shared/async/for-each-concurrently.ts';
import { dueItems } from '../../../../shared/store/due/items.ts';
import { AnswerKept, keepingAnswerOf } from '../../../../shared/store/kept-answers.ts';
import { goOnInTrace } from '../../../../shared/trace/spans.ts';
import { type DocumentOutcome, recordAudit } from '../audit.ts';
import {
  cancelDispatched,
  closeDispatch,
  DUE_DISPATCHES,
  dispatches,
  type FoundDocument,
  type StoredDispatch,
} from './dispatch.ts';
import { acceptedAs } from './sign-document.ts';

export type SweepResult = {
  readonly canceled: number;
  readonly settled: number;
  readonly failed: readonly unknown[];
};

// A dispatch waits for the platform. So few at once take little of it from the calls that sign.
const MAX_AT_ONCE = 8;

/**
 * Cancels the documents of calls that never reached their end, where they are not signed. It begins none when `hasTime`
 * says no; the next sweep takes the rest.
 */
export async function sweepStranded(
  now: () => number,
  hasTime: () => boolean = () => true,
): Promise<SweepResult> {
  let canceled = 0;
  let settled = 0;
  const failed: unknown[] = [];
  const due = dueItems(dispatches, { partitions: DUE_DISPATCHES, nowMs: now(), hasTime });
  await forEachConcurrently(MAX_AT_ONCE, due, async (dispatch) => {
    const { correlationId: trace } = dispatch;
    try {
      const found = await goOnInTrace({ trace }, 'stranded', () => settle(dispatch, now));
      const count = found.filter(({ isCanceled }) => isCanceled).length;
      if (count > 0) canceled += count;
      else settled++;
    } catch (error) {
      failed.push(error); // the next sweep tries it again
    }
  });
  return { canceled, settled, failed };
}

async function settle(dispatch: StoredDispatch, now: () => number): Promise<readonly FoundDocument[]> {
  const found = await cancelDispatched(dispatch, now);
  await recordFound(dispatch, found, now());
  await closeSwept(dispatch, found, now());
  return found;
}

/** Closes a dispatch. A document that was signed is the answer of its call, if that is sent again. */
async function closeSwept(
  dispatch: StoredDispatch,
  found: readonly FoundDocument[],
  nowMs: number,
): Promise<void> {
  const signed = found.find(({ isSigned }) => isSigned);
  if (!dispatch.repeatable || !signed) return closeDispatch(dispatch);
  const answer = acceptedAs(signed.documentId, nowMs);
  const keeping = await keepingAnswerOf('session', dispatch.repeatable, answer);
  await closeDispatch(dispatch, [keeping]).catch((error: unknown) => {
    if (!(error instanceof AnswerKept)) throw error;
    return closeDispatch(dispatch);
  });
}

/** Writes the audit entry that the call could not: it did not learn how its document ended, or was killed. */
async function recordFound(
  { caller, correlationId, cpf }: StoredDispatch,
  found: readonly FoundDocument[],
  nowMs: number,
): Promise<void> {
  if (found.length === 0) return;
  const subject = { caller, correlationId, operation: 'signature.sweep', cpf } as const;
  await recordAudit(subject, { documents: found.map(outcomeOf) }, nowMs);
}

const outcomeOf = ({ documentId, isSigned, isCanceled }: FoundDocument): DocumentOutcome =>
  isSigned
    ? { signatureId: documentId, outcome: 'ok' }
    : {
        signatureId: documentId,
        outcome: 'DOCUMENT_UNAVAILABLE',
        reason: isCanceled
          ? 'It was not signed in time, and was canceled.'
          : 'It had ended without a signature.',
      };
