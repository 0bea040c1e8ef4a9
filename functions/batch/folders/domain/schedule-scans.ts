import { sendAll } from '../../../../shared/queue/send.ts';
import { instanceName } from '../../config/instance-name.ts';
import { readInstances } from '../../installation/cluster/domain/instance.ts';
import { settings } from '../../settings.ts';
import type { InputFolder } from '../../storage-setting.ts';
import { assignedProfiles, readFolderRecords } from './folder.ts';
import { recordUnassigned } from './record-scan.ts';
import { SCANS_QUEUE, type ScanMessage } from './scan-message.ts';
import { isWatcher } from './watcher.ts';

const MINUTE_MS = 60_000;

// A schedule fires once a minute. It sends the scans that begin in its minute, delayed. A scan begins at the multiples of
// its folder's interval, so that intervals over a minute need no record of the last scan:
//
//   schedule    |0:12                                    |1:12
//   poll=30         0:30              1:00                    1:30       2:00
//   poll=90                                                   1:30
//
// Two runs are at times more than a minute apart, and a scan between the minute of the first and the second has no
// message. The second sends it, if none has begun since it was due:
//
//   schedule    |0:12.0                                  |1:12.9
//   poll=4      ...                               1:08  1:12

/** The times at which a folder is scanned: in the next minute, and the last one before where no scan has begun since. */
function dueTimesOf({ pollSeconds }: InputFolder, lastScanAtMs: number, nowMs: number): number[] {
  const everyMs = pollSeconds * 1_000;
  const lastDueAtMs = Math.ceil(nowMs / everyMs) * everyMs - everyMs;
  const isMissed = lastDueAtMs > nowMs - MINUTE_MS && lastDueAtMs > lastScanAtMs;
  const times: number[] = isMissed ? [lastDueAtMs] : [];
  for (let ms = Math.ceil(nowMs / everyMs) * everyMs; ms < nowMs + MINUTE_MS; ms += everyMs) times.push(ms);
  return times;
}

/**
 * Sends the scans of the next minute of the folders that this instance watches, and records which folders no profile
 * selects any more.
 */
export async function scheduleScans(nowMs: number): Promise<void> {
  const folders = settings['Storage:Inputs'];
  if (folders.length === 0) return;
  const [assigned, known, instances] = await Promise.all([
    assignedProfiles(),
    readFolderRecords(),
    readInstances(),
  ]);
  const watcher = instanceName();
  const scans = folders
    .filter(({ name }) => assigned.has(name) && isWatcher(name, known.get(name), instances, nowMs))
    .flatMap((folder) => {
      const { lastScanAtMs = 0, instance: insteadOf } = known.get(folder.name) ?? {};
      return dueTimesOf(folder, lastScanAtMs, nowMs).map((dueAtMs) => ({
        body: { folder: folder.name, dueAtMs, watcher, insteadOf } satisfies ScanMessage,
        delaySeconds: Math.max(0, Math.ceil((dueAtMs - nowMs) / 1_000)),
      }));
    });
  await sendAll('batch', SCANS_QUEUE, scans);
  for (const { name } of folders.filter((each) => !assigned.has(each.name))) {
    const record = known.get(name);
    if (record) await recordUnassigned(record, nowMs);
  }
}
