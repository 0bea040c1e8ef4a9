import type { GaugeName } from './metrics-table.ts';

/** The state of the pipeline that gauges show. */
export type PipelineGauges = {
  readonly isPaused: boolean;
  readonly inFlight: number;
  readonly queued: number;
  readonly failed: number;
  readonly awaitingSigner: number;
  readonly awaitingApproval: number;
  readonly liveInstances: number;
  readonly staleInstances: number;
};

/** The backup that succeeded last. Both are 0 before the first. */
export type BackupGauges = { readonly lastSizeBytes: number; readonly lastSuccessSeconds: number };

/** The gauges of a scrape. They are read from what they tell of, so that they are never wrong after a crash. */
export const gaugesOf = (
  pipeline: PipelineGauges,
  backup: BackupGauges,
): Readonly<Record<GaugeName, number>> => ({
  bulk_pipeline_paused: pipeline.isPaused ? 1 : 0,
  bulk_jobs_in_flight: pipeline.inFlight,
  bulk_jobs_awaiting_signer: pipeline.awaitingSigner,
  bulk_jobs_awaiting_approval: pipeline.awaitingApproval,
  bulk_backup_last_size_bytes: backup.lastSizeBytes,
  bulk_backup_last_success_timestamp_seconds: backup.lastSuccessSeconds,
  bulk_cluster_instances_live: pipeline.liveInstances,
  bulk_cluster_instances_stale: pipeline.staleInstances,
});
