import { dueItems } from '../../../../shared/store/due-items.ts';
import { cancelDispatched } from './cancel-dispatched.ts';
import { DUE_DISPATCHES, dispatches, over } from './dispatch.ts';

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
      const count = await cancelDispatched(dispatch);
      await over(dispatch);
      if (count > 0) canceled += count;
      else settled++;
    } catch (error) {
      failed.push(error); // it comes again with the next sweep
    }
  }
  return { canceled, settled, failed };
}
