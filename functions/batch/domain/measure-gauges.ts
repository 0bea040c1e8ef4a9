import { setGauge } from '../../../shared/metrics/count.ts';
import type { GaugeName } from '../../../shared/metrics/table.ts';
import { readBackupGauges } from '../backup/domain/list-backups.ts';
import { jobList } from '../jobs/domain/job/list.ts';
import { readPipelineGauges } from '../pipeline/domain/read-gauges.ts';
import { degradedProfiles, firstCertificateEndMs } from '../profiles/domain/degraded.ts';

const DAY_MS = 86_400_000;

/**
 * Measures what alarms need to know of the service and its counters do not tell. Of a backup or a certificate that there is
 * none of, nothing is told.
 */
export async function measureGauges(nowMs: number): Promise<void> {
  const [pipeline, backup, [oldest], degraded, endMs] = await Promise.all([
    readPipelineGauges(nowMs),
    readBackupGauges(),
    jobList({ state: 'Queued' }).walk({ oldestFirst: true, limit: 1 }),
    degradedProfiles(),
    firstCertificateEndMs(),
  ]);
  const { lastSuccessSeconds } = backup;
  const measured: Partial<Record<GaugeName, number>> = {
    JobsWaiting: pipeline.queued,
    JobsInFlight: pipeline.inFlight,
    JobsFailed: pipeline.failed,
    OldestQueued: oldest ? Math.max(0, Math.round((nowMs - oldest.atMs) / 1_000)) : 0,
    AwaitingSigner: pipeline.awaitingSigner,
    AwaitingApproval: pipeline.awaitingApproval,
    PipelinePaused: pipeline.isPaused ? 1 : 0,
    ProfilesDegraded: degraded.length,
    InstancesStale: pipeline.staleInstances,
    ...(endMs !== undefined && { ProfileCertificateDaysLeft: Math.floor((endMs - nowMs) / DAY_MS) }),
    ...(lastSuccessSeconds > 0 && { BackupAge: Math.round(nowMs / 1_000 - lastSuccessSeconds) }),
  };
  for (const [name, value] of Object.entries(measured))
    setGauge(name as GaugeName, { Service: 'batch' }, value);
}
