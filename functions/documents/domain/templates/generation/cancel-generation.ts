import type { Caller } from '../../../../../shared/access/caller.ts';
import { files } from '../../../../../shared/files/files.ts';
import { STALLED_AFTER_MS } from '../../../../../shared/lines/run-lines.ts';
import type { Stored } from '../../../../../shared/store/collection.ts';
import { retryOnConflict } from '../../../../../shared/store/retry-on-conflict.ts';
import { NotAllowed, transition } from '../../../../../shared/store/state-machine.ts';
import { errors } from '../../../errors.ts';
import {
  type Generation,
  generationMessage,
  generationStates,
  generations,
  requireGeneration,
} from './generation.ts';

/**
 * Has no further document made. The worker that is at it ends it with its next checkpoint. One that is dead by then is
 * replaced by another, once it would be taken for dead anyway: two would count apart.
 */
export const cancelGeneration = (caller: Caller, id: string, nowMs: number): Promise<Stored<Generation>> =>
  change(caller, id, 'canceled', nowMs, nowMs + STALLED_AFTER_MS);

/** Goes on with the lines that are left. */
export async function resumeGeneration(
  caller: Caller,
  id: string,
  nowMs: number,
): Promise<Stored<Generation>> {
  const { file, template } = await requireGeneration(caller, id);
  const found = await Promise.all([file, template.key].map((key) => files('documents').head(key)));
  if (found.includes(undefined)) throw errors.refuse('GenerationFilesGone', { generationId: id });
  return change(caller, id, 'resumed', nowMs);
}

const change = (
  caller: Caller,
  id: string,
  event: 'canceled' | 'resumed',
  nowMs: number,
  dueAtMs?: number,
): Promise<Stored<Generation>> =>
  retryOnConflict(async () => {
    const current = await requireGeneration(caller, id);
    const also = [generationMessage(id, dueAtMs)];
    return transition(generations, generationStates, current, event, { updatedAtMs: nowMs }, { also }).catch(
      (error: unknown) => {
        if (!(error instanceof NotAllowed)) throw error;
        throw errors.refuse('InvalidGenerationStatus', { generationId: id, status: current.state });
      },
    );
  });
