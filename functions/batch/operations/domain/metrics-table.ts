/** A label takes one of these values. */
type Closed = readonly string[];
/** A label takes names of the installation: profiles, folders. */
const ANY = 'any';

type Metric = {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: Readonly<Record<string, Closed | typeof ANY>>;
  readonly help: string;
  /** Upper bounds in seconds, of a histogram. */
  readonly buckets?: readonly number[];
};

const PROFILE = { profile: ANY } as const;
const NONE = {} as const;

const counter = <const L extends Metric['labels']>(labels: L, help: string) =>
  ({ type: 'counter', labels, help }) as const;
const gauge = (help: string) => ({ type: 'gauge', labels: NONE, help }) as const;
const histogram = <const L extends Metric['labels']>(labels: L, buckets: readonly number[], help: string) =>
  ({ type: 'histogram', labels, buckets, help }) as const;

// A signature takes milliseconds; a timestamp, a slow store or a file of 100 MB takes seconds.
const SIGNING_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const POLL_SECONDS = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
const BACKUP_SECONDS = [1, 5, 15, 60, 300, 900, 3600];

/** Every metric of the service. Names and labels are never changed: dashboards and alerts are written on them. */
export const METRICS = {
  bulk_jobs_enqueued_total: counter({ folder: ANY }, 'Jobs enqueued, by input folder; (upload) for uploads.'),
  bulk_jobs_completed_total: counter(NONE, 'Jobs that reached Completed.'),
  bulk_jobs_failed_total: counter(NONE, 'Jobs that reached Failed.'),
  bulk_jobs_canceled_total: counter(NONE, 'Jobs canceled by an operator.'),
  bulk_jobs_verify_skipped_total: counter(PROFILE, 'Jobs of profiles with Verify false.'),
  bulk_cert_validation_failed_total: counter(PROFILE, 'Certificates refused before signing.'),
  bulk_pipeline_pause_total: counter(NONE, 'Changes from running to paused.'),
  bulk_pipeline_resume_total: counter(NONE, 'Changes from paused to running.'),
  bulk_pipeline_paused: gauge('1 while the pipeline is paused, 0 while it runs.'),
  bulk_files_encrypted_total: counter(NONE, 'Encryption envelopes written.'),
  bulk_jobs_in_flight: gauge('Jobs in Processing or Verifying.'),
  bulk_signing_duration_seconds: histogram(
    { format: ['Pades', 'Cades', 'Xades'] },
    SIGNING_SECONDS,
    'Time to sign, verify and place the output.',
  ),
  bulk_jobs_dispatched_to_signer_total: counter(PROFILE, 'Jobs handed to the external service.'),
  bulk_jobs_awaiting_signer: gauge('Jobs in AwaitingSigner.'),
  bulk_signer_poll_duration_seconds: histogram(
    NONE,
    POLL_SECONDS,
    'One pass over the jobs in AwaitingSigner.',
  ),
  bulk_signer_api_errors_total: counter({ op: ['poll', 'download'] }, 'Errors of the external service.'),
  bulk_signer_folder_jobs_enqueued_total: counter(PROFILE, 'Jobs created for documents of a signer folder.'),
  bulk_signer_folder_signatures_total: counter(
    { outcome: ['signed', 'refused', 'no-longer-pending', 'failed'] },
    'Attempts to sign a document of a signer folder.',
  ),
  bulk_signer_folder_sweep_errors_total: counter(
    { op: ['pass', 'folder'] },
    'Failures of signer folder sweeps.',
  ),
  bulk_signer_notifications_total: counter(
    { outcome: ['accepted', 'ignored', 'unreadable', 'unauthorized', 'unavailable', 'throttled'] },
    'Notifications received from the external service.',
  ),
  bulk_jobs_parked_for_approval_total: counter(PROFILE, 'Jobs parked for approval.'),
  bulk_jobs_awaiting_approval: gauge('Jobs in AwaitingApproval.'),
  bulk_approvals_recorded_total: counter(PROFILE, 'Decisions, one for each person and job.'),
  bulk_approvals_rejected_total: counter(PROFILE, 'Rejections.'),
  bulk_jobs_released_by_approval_total: counter(PROFILE, 'Jobs released by their quorum.'),
  bulk_approvals_expired_total: counter(PROFILE, 'Approvals that expired.'),
  bulk_jobs_content_changed_total: counter(
    PROFILE,
    'Jobs whose content changed between approval and signing. It should stay zero.',
  ),
  bulk_inputs_diverged_total: counter(PROFILE, 'Inputs rewritten during their job and left in place.'),
  bulk_cnab240_payment_date_checks_skipped_total: counter(
    PROFILE,
    'Remittances signed with the payment date check off.',
  ),
  bulk_approver_signatures_total: counter(
    {
      outcome: [
        'signed',
        'cpf-mismatch',
        'without-cpf',
        'certificate-invalid',
        'signature-invalid',
        'conflict',
        'abandoned',
        'browser-failed',
        'provider-failed',
      ],
      means: ['browser', 'cloud'],
    },
    'Signature attempts of approvers.',
  ),
  bulk_second_factor_verifications_total: counter(
    { outcome: ['accepted', 'invalid-code', 'locked-out'] },
    'Second-factor attempts.',
  ),
  bulk_second_factor_enrolments_total: counter(NONE, 'Confirmed second-factor enrolments.'),
  bulk_cluster_instances_live: gauge('Instances that send heartbeats.'),
  bulk_cluster_instances_stale: gauge('Instances without a heartbeat for Cluster:StaleAfterSeconds.'),
  bulk_backup_runs_total: counter({ result: ['Succeeded', 'Failed', 'Canceled'] }, 'Backups, by result.'),
  bulk_backup_duration_seconds: histogram(NONE, BACKUP_SECONDS, 'Duration of successful backups.'),
  bulk_backup_last_size_bytes: gauge('Size of the backup stored last.'),
  bulk_backup_last_success_timestamp_seconds: gauge('Unix time of the last successful backup; 0 before it.'),
  bulk_backup_prune_failures_total: counter(NONE, 'Backups stored while old ones were not pruned.'),
  bulk_log_sink_outages_total: counter(NONE, 'Outages of the log sink.'),
  bulk_log_sink_dropped_total: counter(NONE, 'Log events dropped by a full sink queue.'),
} as const satisfies Readonly<Record<string, Metric>>;

type Table = typeof METRICS;
export type MetricName = keyof Table;
type NameOf<Type> = { [Name in MetricName]: Table[Name]['type'] extends Type ? Name : never }[MetricName];
export type CounterName = NameOf<'counter'>;
export type GaugeName = NameOf<'gauge'>;
export type HistogramName = NameOf<'histogram'>;

/** The labels of a metric: a wrong name or value does not compile. */
export type LabelsOf<Name extends MetricName> = {
  readonly [Label in keyof Table[Name]['labels']]: Table[Name]['labels'][Label] extends readonly (infer Value extends
    string)[]
    ? Value
    : string;
};
