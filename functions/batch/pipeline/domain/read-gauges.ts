import { jobList } from '../../jobs/domain/job/list.ts';
import type { PipelineGauges } from '../../operations/domain/gauges.ts';
import { readFlight } from './flight.ts';

/** The pipeline now, in a fixed number of requests: the slots, and the counts of two lists. */
export async function readPipelineGauges(): Promise<PipelineGauges> {
  const [{ pipeline, slots }, awaitingSigner, awaitingApproval] = await Promise.all([
    readFlight(),
    totalOf('AwaitingSigner'),
    totalOf('AwaitingApproval'),
  ]);
  return { isPaused: pipeline.state === 'Paused', inFlight: slots.length, awaitingSigner, awaitingApproval };
}

const totalOf = async (state: 'AwaitingSigner' | 'AwaitingApproval'): Promise<number> =>
  (await jobList({ state }).slice({ offset: 0, limit: 0 })).total;
