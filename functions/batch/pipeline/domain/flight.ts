import type { Stored } from '../../../../shared/store/collection.ts';
import { readPartition } from '../../../../shared/store/partition.ts';
import { type Instances, instancesIn, PIPELINE_PK } from '../../installation/cluster/domain/instance.ts';
import { readSlots, type Slot } from '../../jobs/domain/engine/slots.ts';
import { NEVER_PAUSED, type Pipeline, pipelines } from './pipeline.ts';

/** Whether the pipeline is paused, and the instances. */
export type PipelineState = { readonly pipeline: Pipeline; readonly instances: Instances };

/** The same, and the jobs in flight on each. */
export type Flight = PipelineState & { readonly slots: readonly Stored<Slot>[] };

export async function readPipeline(): Promise<PipelineState> {
  const items = await readPartition('batch', PIPELINE_PK);
  const flag = items.find(({ sk }) => sk?.S === PIPELINE_PK);
  return { pipeline: flag ? pipelines.read(flag) : NEVER_PAUSED, instances: instancesIn(items) };
}

export async function readFlight(): Promise<Flight> {
  const [state, slots] = await Promise.all([readPipeline(), readSlots()]);
  return { ...state, slots };
}
