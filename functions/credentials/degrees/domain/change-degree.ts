import type { Caller } from '../../../../shared/access/caller.ts';
import { recordingAnnulment } from '../../cancellation-lists/domain/annulments.ts';
import { errors } from '../../errors.ts';
import { changeByClient } from '../../flows/domain/change-by-client.ts';
import type { DegreeData } from '../../items/domain/data.ts';
import type { Item } from '../../items/domain/item.ts';
import { KINDS } from '../../items/domain/kinds.ts';

type DegreeChange = {
  readonly event: 'canceled' | 'canceledTemporarily' | 'restored';
  readonly reason: string;
  /** One of the schema's, of an annulment alone. */
  readonly cancellationReason?: string | undefined;
};

/**
 * Annuls, suspends or restores a degree. The annulment is recorded for the next list of the institute that registered it,
 * in the same commit. A degree that was never concluded was never public: it is on no list.
 */
export async function changeDegree(
  caller: Caller,
  id: string,
  { event, reason, cancellationReason }: DegreeChange,
  nowMs: number,
): Promise<Item<DegreeData>> {
  const isAnnulment = event === 'canceled';
  if (isAnnulment !== (cancellationReason !== undefined))
    throw errors.refuse('CancellationReasonMismatch', { event });
  return changeByClient<DegreeData>(
    caller,
    { kind: 'degree', id },
    { event, reason, cancellationReason },
    nowMs,
    async (degree) => {
      if (cancellationReason === undefined || !wasConcluded(degree)) return [];
      return [{ writes: await recordingAnnulment(degree, cancellationReason, nowMs) }];
    },
  );
}

// Nothing leads back to a state in which a degree can be concluded.
const wasConcluded = ({ state }: Item): boolean => !KINDS.degree.states.accepts(state, 'concluded');
