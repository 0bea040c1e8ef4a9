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
import { PIPELINE_PK } from '../../installation/cluster/domain/instance.ts';
import { requireShort } from '../../jobs/reason.ts';
import { recordingEvent } from '../../operations/domain/events.ts';
import { counting } from '../../operations/domain/metrics.ts';
import { say } from '../../sentences/sentences.ts';

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

export const pipelines = collection<Pipeline, 'pipeline'>({
  service: 'batch',
  name: 'pipeline',
  id: () => 'pipeline',
  key: () => ({ pk: PIPELINE_PK, sk: PIPELINE_PK }),
});

export const NEVER_PAUSED: Pipeline = { state: 'Running' };

type PipelineRequest = { readonly reason?: string | null | undefined };

/** Takes no new job from the queue until resumed. Jobs in flight finish. */
export const pausePipeline = (caller: Caller, request: PipelineRequest, nowMs: number): Promise<Pipeline> =>
  applyEvent('paused', caller, request, nowMs);

export const resumePipeline = (caller: Caller, request: PipelineRequest, nowMs: number): Promise<Pipeline> =>
  applyEvent('resumed', caller, request, nowMs);

// What a change records and counts, in its own write. An idempotent repeat changes nothing and records nothing.
const RECORDED = {
  paused: {
    type: 'PipelinePaused',
    counted: 'bulk_pipeline_pause_total',
  },
  resumed: {
    type: 'PipelineResumed',
    counted: 'bulk_pipeline_resume_total',
  },
} as const;

async function applyEvent(
  event: EventOf<typeof pipelineStates>,
  { application }: Caller,
  request: PipelineRequest,
  nowMs: number,
): Promise<Pipeline> {
  const reason = requireShort(request.reason);
  const at = new Date(nowMs).toISOString();
  const patch = {
    ...(event === 'paused' ? { pausedAt: at, pausedBy: application } : { resumedAt: at }),
    reason,
  };
  const { type, counted } = RECORDED[event];
  const message = reason ? say(`pipeline.${event}-because`, { reason }) : say(`pipeline.${event}`);
  const also = [...recordingEvent({ type, message, by: application }, nowMs), counting(counted)];
  try {
    const current = await pipelines.get('pipeline');
    const state = pipelineStates.next((current ?? NEVER_PAUSED).state, event);
    if (!state) return current ?? NEVER_PAUSED;
    // The first pause ever creates the item. Of several at once, one succeeds.
    return current
      ? await transition(pipelines, pipelineStates, current, event, patch, { also })
      : await pipelines.create({ ...patch, state }, { also });
  } catch (error) {
    if (error instanceof RaceLost || error instanceof AlreadyExists)
      throw errors.refuse('pipeline.race-lost');
    throw error;
  }
}
