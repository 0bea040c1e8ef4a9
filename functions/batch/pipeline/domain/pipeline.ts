import type { Caller } from '../../../../shared/access/caller.ts';
import { collection } from '../../../../shared/store/collection.ts';
import { AlreadyExists, RaceLost } from '../../../../shared/store/refusals.ts';
import {
  type EventOf,
  type StateOf,
  stateMachine,
  transition,
} from '../../../../shared/store/state-machine.ts';
import { errors } from '../../errors.ts';
import { MAX_REASON_CHARACTERS } from '../contract.ts';

/** A single flag: pausing a paused pipeline, or resuming a running one, changes nothing. */
export const pipelineStates = stateMachine({
  Running: { paused: 'Paused' },
  Paused: { resumed: 'Running' },
});

/** Whether jobs are taken from the queue. There is one pipeline, and one item. */
export type Pipeline = {
  readonly state: StateOf<typeof pipelineStates>;
  readonly pausedAt?: string;
  readonly resumedAt?: string;
  readonly pausedBy?: string;
  readonly reason?: string;
};

/** The partition of the flag and of the slots of jobs in flight, which are read together. */
export const PIPELINE_PK = 'PIPELINE';

export const pipelines = collection<Pipeline, 'pipeline'>({
  service: 'batch',
  name: 'pipeline',
  id: () => 'pipeline',
  key: () => ({ pk: PIPELINE_PK, sk: PIPELINE_PK }),
});

export const NEVER_PAUSED: Pipeline = { state: 'Running' };

type PipelineRequest = { readonly reason?: string | undefined };

/** Takes no new job from the queue until resumed. Jobs in flight finish. */
export const pausePipeline = (
  { application }: Caller,
  { reason }: PipelineRequest,
  nowMs: number,
): Promise<Pipeline> =>
  applyEvent('paused', {
    pausedAt: new Date(nowMs).toISOString(),
    pausedBy: application,
    reason: requireShort(reason),
  });

export const resumePipeline = ({ reason }: PipelineRequest, nowMs: number): Promise<Pipeline> =>
  applyEvent('resumed', { resumedAt: new Date(nowMs).toISOString(), reason: requireShort(reason) });

async function applyEvent(
  event: EventOf<typeof pipelineStates>,
  patch: Partial<Omit<Pipeline, 'state'>>,
): Promise<Pipeline> {
  try {
    const current = await pipelines.get('pipeline');
    const state = pipelineStates.next((current ?? NEVER_PAUSED).state, event);
    if (!state) return current ?? NEVER_PAUSED;
    // The first pause ever creates the item. Of several at once, one succeeds.
    return current
      ? await transition(pipelines, pipelineStates, current, event, patch)
      : await pipelines.create({ ...patch, state });
  } catch (error) {
    if (error instanceof RaceLost || error instanceof AlreadyExists)
      throw errors.refuse('pipeline.race-lost');
    throw error;
  }
}

/** A reason as an operator gave it, or the refusal validation.reason-too-long. */
export function requireShort(reason: string | undefined): string | undefined {
  if (reason && reason.length > MAX_REASON_CHARACTERS) {
    throw errors.refuse('validation.reason-too-long', { maxCharacters: MAX_REASON_CHARACTERS });
  }
  return reason;
}
