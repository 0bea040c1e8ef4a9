import type { GaugeName } from './metrics-table.ts';

/** The state of the pipeline that gauges show. */
export type PipelineGauges = {
  readonly isPaused: boolean;
  readonly inFlight: number;
  readonly awaitingSigner: number;
  readonly awaitingApproval: number;
  readonly liveInstances: number;
  readonly staleInstances: number;
};

/** The gauges of a scrape. They are kept nowhere, so that they are never wrong after a crash. */
export const gaugesOf = (pipeline: PipelineGauges): Readonly<Record<GaugeName, number>> => ({
  bulk_pipeline_paused: pipeline.isPaused ? 1 : 0,
  bulk_jobs_in_flight: pipeline.inFlight,
  bulk_jobs_awaiting_signer: pipeline.awaitingSigner,
  bulk_jobs_awaiting_approval: pipeline.awaitingApproval,
  bulk_cluster_instances_live: pipeline.liveInstances,
  bulk_cluster_instances_stale: pipeline.staleInstances,
  // No backup has been made: the specification's value before the first.
  bulk_backup_last_size_bytes: 0,
  bulk_backup_last_success_timestamp_seconds: 0,
});
