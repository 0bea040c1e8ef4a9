import { type InstanceState, isExpired, stateOf } from '../../cluster/domain/instance.ts';
import { jobList } from '../../jobs/domain/job/list.ts';
import type { PipelineGauges } from '../../operations/domain/gauges.ts';
import { readFlight } from './flight.ts';

/** The pipeline now, in a fixed number of requests: the slots with the instances, and the counts of two lists. */
export async function readPipelineGauges(nowMs: number): Promise<PipelineGauges> {
  const [{ pipeline, slots, instances }, awaitingSigner, awaitingApproval] = await Promise.all([
    readFlight(),
    totalOf('AwaitingSigner'),
    totalOf('AwaitingApproval'),
  ]);
  const countOf = (state: InstanceState): number =>
    [...instances.values()].filter(
      (instance) => !isExpired(instance, nowMs) && stateOf(instance, nowMs) === state,
    ).length;
  return {
    isPaused: pipeline.state === 'Paused',
    inFlight: slots.length,
    awaitingSigner,
    awaitingApproval,
    liveInstances: countOf('Live'),
    staleInstances: countOf('Stale'),
  };
}

const totalOf = async (state: 'AwaitingSigner' | 'AwaitingApproval'): Promise<number> =>
  (await jobList({ state }).slice({ offset: 0, limit: 0 })).total;
