import { dueItems } from '../../../../shared/store/due/items.ts';
import { type DocumentOutcome, record } from '../audit.ts';
import { cancelDispatched, type Found } from './cancel-dispatched.ts';
import { DUE_DISPATCHES, dispatches, over, type StoredDispatch } from './dispatch.ts';

export type Swept = {
  readonly canceled: number;
  readonly settled: number;
  readonly failed: readonly unknown[];
};

/** Looks after documents that were sent and whose call never came to its end: those that still wait are canceled. */
export async function sweepStranded(nowMs: number): Promise<Swept> {
  let canceled = 0;
  let settled = 0;
  const failed: unknown[] = [];
  for (const dispatch of await dueItems(dispatches, { duePk: DUE_DISPATCHES, nowMs })) {
    try {
      const found = await cancelDispatched(dispatch);
      await recordFound(dispatch, found);
      await over(dispatch);
      const count = found.filter(({ isCanceled }) => isCanceled).length;
      if (count > 0) canceled += count;
      else settled++;
    } catch (error) {
      failed.push(error); // it comes again with the next sweep
    }
  }
  return { canceled, settled, failed };
}

/** The call could not tell how its document ended, or was killed before it could: the trail is told here. */
async function recordFound({ actor, cpf }: StoredDispatch, found: readonly Found[]): Promise<void> {
  if (found.length === 0 || !actor) return;
  await record({ actor, operation: 'signature.sweep', cpf }, found.map(outcomeOf));
}

const outcomeOf = ({ documentId, isSigned, isCanceled }: Found): DocumentOutcome =>
  isSigned
    ? { signatureId: documentId, outcome: 'ok' }
    : {
        signatureId: documentId,
        outcome: 'DOCUMENT_UNAVAILABLE',
        reason: isCanceled
          ? 'It was not signed in time, and was canceled.'
          : 'It had ended without a signature.',
      };
