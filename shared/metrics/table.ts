import type { ServiceName } from '../settings/names.ts';

/** A dimension takes one of these values. */
type Closed = readonly string[];
/** A dimension takes names that the code declares: codes of error tables, queues, tasks. See `declareValues`. */
const DECLARED = 'declared';

/** The unit as CloudWatch knows it. */
type Unit = 'Bytes' | 'Count' | 'Milliseconds' | 'Seconds';

type Metric = {
  readonly kind: 'counter' | 'gauge' | 'distribution';
  readonly unit: Unit;
  readonly dimensions: Readonly<Record<string, Closed | typeof DECLARED>>;
  /** Its name for Prometheus. */
  readonly series: string;
  readonly help: string;
  /** Which value of a gauge counts where several processes have one: the newest, or that of all that live. */
  readonly combine?: 'newest' | 'sum' | 'max';
};

const counter = <const D extends Metric['dimensions']>(series: string, dimensions: D, help: string) =>
  ({ kind: 'counter', unit: 'Count', dimensions, series, help }) as const;
const gauge = <const D extends Metric['dimensions']>(
  series: string,
  unit: Unit,
  dimensions: D,
  help: string,
  combine: NonNullable<Metric['combine']> = 'newest',
) => ({ kind: 'gauge', unit, dimensions, series, help, combine }) as const;

/** The services that count their calls here. Batch and compact have counters of their own in the store. */
const METERED = ['session', 'hub', 'pki', 'documents', 'credentials'] as const;
const SCHEDULED = [...METERED, 'batch'] as const;
const BATCH = { Service: ['batch'] } as const;
/** The production host, which no service is. */
const HOST = { Service: ['host'] } as const;

export type MeteredService = (typeof METERED)[number];
export type ScheduledService = (typeof SCHEDULED)[number];

export const isMetered = (service: ServiceName | undefined): service is MeteredService =>
  (METERED as readonly (string | undefined)[]).includes(service);
export const isScheduled = (service: ServiceName): service is ScheduledService =>
  (SCHEDULED as readonly string[]).includes(service);

/** The formats of signatures by their usual names. `Raw` is the signature of a hash alone. */
export const FORMATS = { PAdES: 'Pades', CAdES: 'Cades', XAdES: 'Xades', raw: 'Raw' } as const;

/** Where the key of a signature is. `caller`: the caller signs the hash itself. */
const CUSTODIES = ['vault', 'workstation', 'cloud', 'caller'] as const;
export type Custody = (typeof CUSTODIES)[number];

/**
 * Every metric but those of the batch service's own table. Names and dimensions are not changed: alarms, dashboards and
 * alerts are written on them. No dimension has a value of a caller, so their number is bounded.
 */
export const METRICS = {
  Calls: counter(
    'sinete_calls_total',
    { Service: METERED, Outcome: ['ok', 'refused', 'failed'] },
    'HTTP calls: below 400, 4xx and 5xx.',
  ),
  Latency: {
    kind: 'distribution',
    unit: 'Milliseconds',
    dimensions: { Service: METERED },
    series: 'sinete_latency_seconds',
    help: 'Time of HTTP calls, from their arrival to their answer.',
  },
  Refusals: counter(
    'sinete_refusals_total',
    { Service: METERED, Code: DECLARED },
    'Calls that were refused or failed, by the code of the error.',
  ),
  Messages: counter(
    'sinete_messages_total',
    { Service: METERED, Queue: DECLARED, Outcome: ['done', 'retried', 'dead'] },
    'Deliveries of queue messages: done, to be repeated, or sent to the dead letters.',
  ),
  Runs: counter(
    'sinete_runs_total',
    { Service: SCHEDULED, Task: DECLARED, Outcome: ['done', 'failed'] },
    'Runs of scheduled tasks.',
  ),
  Signatures: counter(
    'sinete_signatures_total',
    {
      Service: ['session', 'hub', 'pki', 'documents'],
      Format: ['Pades', 'Cades', 'Xades', 'Raw'],
      Custody: CUSTODIES,
    },
    'Signatures that were made or accepted.',
  ),
  PinLockouts: counter(
    'sinete_pin_lockouts_total',
    { Service: ['session'] },
    'CPFs that were locked for too many wrong PINs.',
  ),
  Conflicts: counter(
    'sinete_conflicts_total',
    { Service: METERED },
    'Writes that were repeated because another writer was faster.',
  ),
  Deliveries: counter(
    'sinete_deliveries_total',
    {
      // Batch: mail to approvers alone.
      Service: ['documents', 'credentials', 'batch'],
      Channel: ['webhook', 'mail'],
      Outcome: ['delivered', 'retried', 'exhausted', 'withdrawn'],
    },
    'Attempts to deliver webhooks and mail.',
  ),
  DueBacklog: gauge(
    'sinete_due_backlog',
    'Count',
    { Service: SCHEDULED },
    'Messages that a sweep of the last minute found due and did not send.',
  ),
  DueOldest: gauge(
    'sinete_due_oldest_seconds',
    'Seconds',
    { Service: SCHEDULED },
    'How long the oldest message that a sweep of the last minute found was past its time.',
  ),
  VaultCertificateDaysLeft: gauge(
    'sinete_vault_certificate_days_left',
    'Count',
    { Service: ['session'] },
    'Days until a certificate of the vault expires: the least of those judged within an hour.',
  ),
  JobsWaiting: gauge('sinete_batch_jobs_waiting', 'Count', BATCH, 'Jobs in Queued.'),
  JobsInFlight: gauge('sinete_batch_jobs_in_flight', 'Count', BATCH, 'Jobs in Processing or Verifying.'),
  JobsFailed: gauge('sinete_batch_jobs_failed', 'Count', BATCH, 'Jobs in Failed, until they are cleared.'),
  OldestQueued: gauge(
    'sinete_batch_oldest_queued_seconds',
    'Seconds',
    BATCH,
    'Age of the oldest job in Queued; 0 without one.',
  ),
  AwaitingSigner: gauge('sinete_batch_awaiting_signer', 'Count', BATCH, 'Jobs in AwaitingSigner.'),
  AwaitingApproval: gauge('sinete_batch_awaiting_approval', 'Count', BATCH, 'Jobs in AwaitingApproval.'),
  PipelinePaused: gauge('sinete_batch_pipeline_paused', 'Count', BATCH, '1 while the pipeline is paused.'),
  ProfilesDegraded: gauge(
    'sinete_batch_profiles_degraded',
    'Count',
    BATCH,
    'Enabled profiles that cannot sign.',
  ),
  ProfileCertificateDaysLeft: gauge(
    'sinete_batch_profile_certificate_days_left',
    'Count',
    BATCH,
    'Days until the first certificate of an enabled profile expires; negative once one has.',
  ),
  InstancesStale: gauge('sinete_batch_instances_stale', 'Count', BATCH, 'Instances without a heartbeat.'),
  BackupAge: gauge(
    'sinete_batch_backup_age_seconds',
    'Seconds',
    BATCH,
    'Age of the last good backup; before the first one, of the first attempt.',
  ),
  HostDiskFree: gauge(
    'sinete_host_disk_free_bytes',
    'Bytes',
    HOST,
    'Free space on the disk of the data folder.',
  ),
  HostStoreSize: gauge(
    'sinete_host_store_bytes',
    'Bytes',
    HOST,
    'Size of the database of the embedded stores.',
  ),
  HostStoreLog: gauge('sinete_host_store_log_bytes', 'Bytes', HOST, 'Size of the log of that database.'),
  HostBackupAge: gauge(
    'sinete_host_backup_age_seconds',
    'Seconds',
    HOST,
    'Age of the last backup of the installation; before the first one, since the host started.',
  ),
  HostLoopDelay: gauge(
    'sinete_host_event_loop_delay_seconds',
    'Seconds',
    HOST,
    'The longest time for which a process of the host was busy and heard nobody, of the last 15 s.',
    'max',
  ),
  HostWaitingCalls: gauge(
    'sinete_host_waiting_calls',
    'Count',
    HOST,
    'Calls that wait for their turn, of all processes.',
    'sum',
  ),
  HostTlsDaysLeft: gauge(
    'sinete_host_tls_certificate_days_left',
    'Count',
    HOST,
    'Days until the TLS certificate that the host serves expires.',
  ),
} as const satisfies Readonly<Record<string, Metric>>;

/** Upper bounds in seconds, of the latency for Prometheus. CloudWatch gets the values themselves. */
export const LATENCY_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;

type Table = typeof METRICS;
export type MetricName = keyof Table;
type NameOf<Kind> = { [Name in MetricName]: Table[Name]['kind'] extends Kind ? Name : never }[MetricName];
export type CounterName = NameOf<'counter'>;
export type GaugeName = NameOf<'gauge'>;

/** The dimensions of a metric: a wrong name or value does not compile. */
export type DimensionsOf<Name extends MetricName> = {
  readonly [D in keyof Table[Name]['dimensions']]: Table[Name]['dimensions'][D] extends readonly (infer Value extends
    string)[]
    ? Value
    : string;
};

/** The value for a name that nobody declared: the number of series stays bounded whatever is counted. */
export const OTHER = 'other';
