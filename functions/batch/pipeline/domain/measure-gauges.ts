import { setGauge } from '../../../../shared/metrics/count.ts';
import type { GaugeName } from '../../../../shared/metrics/table.ts';
import { withoutBackupSinceMs } from '../../installation/backup/domain/list-backups.ts';
import { jobList } from '../../jobs/domain/job/list.ts';
import { countDegraded, firstCertificateEndMs } from '../../profiles/domain/degraded.ts';
import { readPipelineGauges } from './read-gauges.ts';

const DAY_MS = 86_400_000;

/**
 * Measures what alarms need to know of the service and its counters do not tell. Nothing is told of backups that were never
 * tried, nor of a certificate that there is none of.
 */
export async function measureGauges(nowMs: number): Promise<void> {
  const [pipeline, withoutBackupMs, [oldest], degraded, endMs] = await Promise.all([
    readPipelineGauges(nowMs),
    withoutBackupSinceMs(),
    jobList({ state: 'Queued' }).walk({ oldestFirst: true, limit: 1 }),
    countDegraded(),
    firstCertificateEndMs(),
  ]);
  const measured: Partial<Record<GaugeName, number>> = {
    JobsWaiting: pipeline.queued,
    JobsInFlight: pipeline.inFlight,
    JobsFailed: pipeline.failed,
    OldestQueued: oldest ? Math.max(0, Math.round((nowMs - oldest.atMs) / 1_000)) : 0,
    AwaitingSigner: pipeline.awaitingSigner,
    AwaitingApproval: pipeline.awaitingApproval,
    PipelinePaused: pipeline.isPaused ? 1 : 0,
    ProfilesDegraded: degraded,
    InstancesStale: pipeline.staleInstances,
    ...(endMs !== undefined && { ProfileCertificateDaysLeft: Math.floor((endMs - nowMs) / DAY_MS) }),
    ...(withoutBackupMs !== undefined && { BackupAge: Math.round((nowMs - withoutBackupMs) / 1_000) }),
  };
  for (const [name, value] of Object.entries(measured))
    setGauge(name as GaugeName, { Service: 'batch' }, value);
}
