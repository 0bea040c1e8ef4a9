import { instanceName } from '../../config/instance-name.ts';
import { hasStoodDown, type Instances, ownOf, stateOf } from '../../installation/cluster/domain/instance.ts';
import type { FolderRecord } from './folder.ts';
import type { ScanMessage } from './scan-message.ts';

// A folder is watched by the instance of its record. Another takes it when that one is stale or stopped, or no longer
// configured for it. Of two that do so at once, the first scan has it, and the scans of the other find another watcher:
//
//   north  stale
//   south  |--scans instead of north--|--record: south--|
//   west   |--scans instead of north------------------------|--the record is neither west's nor north's: nothing

/** Whether this instance sends the scans of a folder. */
export function isWatcher(
  folder: string,
  record: FolderRecord | undefined,
  all: Instances,
  nowMs: number,
): boolean {
  if (hasStoodDown(ownOf(all), nowMs)) return false;
  if (!record || record.instance === instanceName()) return true;
  const other = all.get(record.instance);
  return !other || stateOf(other, nowMs) !== 'Live' || !other.folders.includes(folder);
}

/** Whether a scan is of the watcher of its folder, or of the one that follows it. */
export const isOfWatcher = (
  { watcher, insteadOf }: ScanMessage,
  { instance }: Pick<FolderRecord, 'instance'>,
): boolean => watcher === undefined || instance === watcher || instance === insteadOf;
