import { collection, type Stored } from '../../../shared/store/collection.ts';
import { shardedCounter } from '../../../shared/store/counter.ts';
import { AlreadyExists, RaceLost } from '../../../shared/store/refusals.ts';
import { type EventOf, type StateOf, transition } from '../../../shared/store/state-machine.ts';
import { REASON_MAX_CHARACTERS } from '../contract.ts';
import { errors } from '../errors.ts';
import { settings } from '../settings.ts';
import { pipelineStates } from './pipeline-states.ts';

/** Whether jobs are taken from the queue. One item: there is one pipeline. */
export type Pipeline = {
  readonly state: StateOf<typeof pipelineStates>;
  readonly pausedAt?: string;
  readonly resumedAt?: string;
  readonly pausedBy?: string;
  readonly reason?: string;
};

/** Jobs being signed now, by format. */
const inFlight = shardedCounter({ service: 'batch', name: 'in-flight', shards: 4 });

const pipelines = collection<Pipeline, 'pipeline'>({
  service: 'batch',
  name: 'pipeline',
  id: () => 'pipeline',
  key: () => ({ pk: 'PIPELINE', sk: 'PIPELINE' }),
});

const NEVER_PAUSED: Pipeline = { state: 'Running' };

type Ask = { readonly by: string; readonly reason: string | undefined; readonly now?: number };

/** Takes no new job from the queue until resumed. Jobs in flight finish. */
export const pausePipeline = ({ by, reason, now = Date.now() }: Ask): Promise<Pipeline> =>
  move('paused', { pausedAt: new Date(now).toISOString(), pausedBy: by, reason: checked(reason) });

export const resumePipeline = ({ reason, now = Date.now() }: Ask): Promise<Pipeline> =>
  move('resumed', { resumedAt: new Date(now).toISOString(), reason: checked(reason) });

async function move(
  event: EventOf<typeof pipelineStates>,
  patch: Partial<Omit<Pipeline, 'state'>>,
): Promise<Pipeline> {
  try {
    const current = await pipelines.get('pipeline');
    const state = pipelineStates.next((current ?? NEVER_PAUSED).state, event);
    if (!state) return current ?? NEVER_PAUSED;
    // The first pause ever makes the item, in the state it leads to: of several, one is first.
    return current
      ? await transition(pipelines, pipelineStates, current, event, patch)
      : await pipelines.create({ ...patch, state });
  } catch (error) {
    if (error instanceof RaceLost || error instanceof AlreadyExists)
      throw errors.refuse('pipeline.race-lost');
    throw error;
  }
}

function checked(reason: string | undefined): string | undefined {
  if (reason && reason.length > REASON_MAX_CHARACTERS) {
    throw errors.refuse('validation.reason-too-long', { maxCharacters: REASON_MAX_CHARACTERS });
  }
  return reason;
}

/** The pipeline as the interface shows it. */
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
