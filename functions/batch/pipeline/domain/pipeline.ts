import type { Caller } from '../../../../shared/access/caller.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { shardedCounter } from '../../../../shared/store/counter.ts';
import { AlreadyExists, RaceLost } from '../../../../shared/store/refusals.ts';
import {
  type EventOf,
  type StateOf,
  stateMachine,
  transition,
} from '../../../../shared/store/state-machine.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
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

/** The jobs that are being signed, by format. */
const inFlight = shardedCounter({ service: 'batch', name: 'in-flight', shards: 4 });

const pipelines = collection<Pipeline, 'pipeline'>({
  service: 'batch',
  name: 'pipeline',
  id: () => 'pipeline',
  key: () => ({ pk: 'PIPELINE', sk: 'PIPELINE' }),
});

const NEVER_PAUSED: Pipeline = { state: 'Running' };

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

function requireShort(reason: string | undefined): string | undefined {
  if (reason && reason.length > MAX_REASON_CHARACTERS) {
    throw errors.refuse('validation.reason-too-long', { maxCharacters: MAX_REASON_CHARACTERS });
  }
  return reason;
}

/** The pipeline as the contract shows it. Reads it unless it is given. */
export async function renderPipeline(known?: Pipeline) {
  const [pipeline, pades, cades, xades] = await Promise.all([
    known ?? pipelines.get('pipeline').then((found: Stored<Pipeline> | undefined) => found ?? NEVER_PAUSED),
    inFlight.read('pades'),
    inFlight.read('cades'),
    inFlight.read('xades'),
  ]);
  const total = pades + cades + xades;
  return {
    paused: pipeline.state === 'Paused',
    pausedAtUtc: pipeline.pausedAt ?? null,
    resumedAtUtc: pipeline.resumedAt ?? null,
    pausedBy: pipeline.pausedBy ?? null,
    reason: pipeline.reason ?? null,
    maxConcurrency: settings['Pipeline:MaxConcurrency'],
    jobsInFlight: total,
    jobsInFlightByFormat: { pades, cades, xades, total },
  };
}
