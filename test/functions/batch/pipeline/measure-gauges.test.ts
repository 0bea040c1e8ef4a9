import { expect, test, vi } from 'vitest';
import { startBackup } from '../../../../functions/batch/installation/backup/domain/start-backup.ts';
import { jobList } from '../../../../functions/batch/jobs/domain/job/list.ts';
import { measureGauges } from '../../../../functions/batch/pipeline/domain/measure-gauges.ts';
import { putProfile } from '../../../../functions/batch/profiles/domain/change-profile.ts';
import { countedSeries, takeCounted } from '../../../../shared/metrics/count.ts';
import { forFile } from '../../../runner/for-file.ts';
import { plainPdf } from '../../../shared/signing/pades/documents.ts';
import { refuseExports } from '../installation/backup/on-call.ts';
import { batchStage } from '../stage.ts';

const stage = await forFile(batchStage());
const DAY_MS = 86_400_000;

const measure = async (nowMs: number) => {
  takeCounted();
  await measureGauges(nowMs);
  return Object.fromEntries(countedSeries().map(({ name, value }) => [name, value]));
};

test('the gauges are those of the service: jobs, the oldest that waits, profiles and their certificates', async () => {
  const nowMs = Date.now();
  const empty = await measure(nowMs);
  expect(empty).toMatchObject({ JobsWaiting: 0, JobsFailed: 0, OldestQueued: 0, ProfilesDegraded: 0 });
  // No backup was made, and its age is not told.
  expect(Object.keys(empty)).not.toContain('BackupAge');
  const { ProfileCertificateDaysLeft: daysLeft = 0 } = empty;
  expect(daysLeft).toBeGreaterThan(0);
  expect((await measure(nowMs + (daysLeft + 3) * DAY_MS)).ProfileCertificateDaysLeft).toBeLessThan(0);

  await stage.upload('broken.pdf', 'no PDF', { format: 'Pades' });
  await stage.run();
  await stage.upload('first.pdf', await plainPdf('table'));
  await stage.upload('second.pdf', await plainPdf('table'));
  const [oldest] = await jobList({ state: 'Queued' }).walk({ oldestFirst: true, limit: 1 });
  expect(await measure((oldest?.atMs ?? 0) + 90_000)).toMatchObject({
    ...{ JobsWaiting: 2, JobsFailed: 1, JobsInFlight: 0, OldestQueued: 90, PipelinePaused: 0 },
    ...{ AwaitingSigner: 0, AwaitingApproval: 0, InstancesStale: 0 },
  });
});

test('backups that fail from the first one on age from then on, so that the alarm fires', async () => {
  const nowMs = Date.now();
  vi.stubEnv('Backup__Enabled', 'true');
  const stop = refuseExports('PointInTimeRecoveryUnavailableException');
  for (const days of [0, 1]) await expect(startBackup('ana', nowMs + days * DAY_MS)).rejects.toThrow();
  stop();
  const { BackupAge } = await measure(nowMs + 3 * DAY_MS);
  vi.unstubAllEnvs();
  expect(BackupAge).toBe((3 * DAY_MS) / 1_000);
});

test('a profile that cannot sign counts while it is enabled: a retired one keeps no alarm on', async () => {
  const [by, name] = ['ana', 'without-key'];
  await putProfile(by, { name }, Date.now());
  expect((await measure(Date.now())).ProfilesDegraded).toBe(1);
  await putProfile(by, { name, enabled: false }, Date.now());
  expect((await measure(Date.now())).ProfilesDegraded).toBe(0);
});
