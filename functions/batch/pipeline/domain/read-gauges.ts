import { type InstanceState, isExpired, stateOf } from '../../installation/cluster/domain/instance.ts';
import { jobList } from '../../jobs/domain/job/list.ts';
import type { PipelineGauges } from '../../operations/domain/gauges.ts';
import { readFlight } from './flight.ts';

/** The pipeline now, in a fixed number of requests: its flag and instances, the slots, and the counts of jobs. */
export async function readPipelineGauges(nowMs: number): Promise<PipelineGauges> {
  const [{ pipeline, slots, instances }, { views }] = await Promise.all([readFlight(), jobList().count()]);
  const countOf = (state: InstanceState): number =>
    [...instances.values()].filter(
      (instance) => !isExpired(instance, nowMs) && stateOf(instance, nowMs) === state,
    ).length;
  return {
    isPaused: pipeline.state === 'Paused',
    inFlight: slots.length,
    queued: views.get('Queued') ?? 0,
    failed: views.get('Failed') ?? 0,
    awaitingSigner: views.get('AwaitingSigner') ?? 0,
    awaitingApproval: views.get('AwaitingApproval') ?? 0,
    liveInstances: countOf('Live'),
    staleInstances: countOf('Stale'),
  };
}
