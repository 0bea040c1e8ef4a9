import type { GaugeName } from './metrics-table.ts';

/** The parts of the service that gauges are read from. */
export type GaugeReaders = {
  readonly isPaused: () => Promise<boolean>;
  /** The number of jobs in a state; a state without jobs may be left out. */
  readonly jobsByStatus: () => Promise<Readonly<Partial<Record<CountedStatus, number>>>>;
};

type CountedStatus = 'Processing' | 'Verifying' | 'AwaitingSigner' | 'AwaitingApproval';

/** The gauges now: read at the scrape and kept nowhere, so that they are never wrong after a crash. */
export async function readGauges({
  isPaused,
  jobsByStatus,
}: GaugeReaders): Promise<Readonly<Record<GaugeName, number>>> {
  const [paused, { Processing = 0, Verifying = 0, AwaitingSigner = 0, AwaitingApproval = 0 }] =
    await Promise.all([isPaused(), jobsByStatus()]);
  return {
    bulk_pipeline_paused: paused ? 1 : 0,
    bulk_jobs_in_flight: Processing + Verifying,
    bulk_jobs_awaiting_signer: AwaitingSigner,
    bulk_jobs_awaiting_approval: AwaitingApproval,
    // No backup has been made: the specification's value before the first.
    bulk_backup_last_size_bytes: 0,
    bulk_backup_last_success_timestamp_seconds: 0,
  };
}
