import type { Stored } from '../../../../shared/store/collection.ts';
import { readSlots, type Slot } from '../../jobs/domain/job/slots.ts';
import { NEVER_PAUSED, type Pipeline, pipelines } from './pipeline.ts';

export type Flight = { readonly pipeline: Pipeline; readonly slots: readonly Stored<Slot>[] };

/** Whether the pipeline is paused, and the jobs in flight on every instance, in one query. */
export async function readFlight(): Promise<Flight> {
  const { slots, others } = await readSlots();
  const [flag] = others;
  return { pipeline: flag ? pipelines.read(flag) : NEVER_PAUSED, slots };
}
