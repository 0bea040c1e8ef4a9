import type { Stored } from '../../../../shared/store/collection.ts';
import { type Instances, instancesIn } from '../../cluster/domain/instance.ts';
import { PIPELINE_PK, readSlots, type Slot } from '../../jobs/domain/engine/slots.ts';
import { NEVER_PAUSED, type Pipeline, pipelines } from './pipeline.ts';

export type Flight = {
  readonly pipeline: Pipeline;
  readonly slots: readonly Stored<Slot>[];
  readonly instances: Instances;
};

/** Whether the pipeline is paused, the instances, and the jobs in flight on each, in one query. */
export async function readFlight(): Promise<Flight> {
  const { slots, others } = await readSlots();
  const flag = others.find(({ sk }) => sk?.S === PIPELINE_PK);
  return { pipeline: flag ? pipelines.read(flag) : NEVER_PAUSED, slots, instances: instancesIn(others) };
}
