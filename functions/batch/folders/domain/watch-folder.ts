import { instanceName } from '../../config/instance-name.ts';
import { settings } from '../../settings.ts';
import { explainFailure } from './explain-failure.ts';
import { assignedProfiles, folderRecords } from './folder.ts';
import { endScan, recordUnassigned, whileScanning } from './record-scan.ts';
import { type ScannedPage, type Scanner, scanFolder } from './scan-folder.ts';
import { continueScan, type ScanMessage } from './scan-message.ts';
import { isOfWatcher } from './watcher.ts';

/**
 * One scan of a watched folder, from its message. It does nothing while another scan of the folder is under way, without
 * a profile, and for an instance that is no longer its watcher. A scan that fails is recorded, and not repeated: the next one comes. Past its time it goes on in a
 * further message.
 */
export async function watchFolder(message: ScanMessage, scanner: Scanner): Promise<void> {
  const { folder: name, cursor, watcher = instanceName() } = message;
  const folder = settings['Storage:Inputs'].find((each) => each.name === name);
  if (!folder) return;
  const { logger, now } = scanner;
  const [record, assigned] = await Promise.all([folderRecords.get(name), assignedProfiles()]);
  const profile = assigned.get(name);
  if (!profile) {
    if (record) await recordUnassigned(record, now());
    return;
  }
  if (record && !isOfWatcher(message, record)) return;
  const rest = await whileScanning(name, record, watcher, now, async (lease) => {
    let enqueued = 0;
    let left: Pick<ScannedPage, 'cursor'> | undefined;
    let lastError: string | null = null;
    try {
      for await (const page of scanFolder({ folder, profile, cursor }, scanner)) {
        enqueued += page.enqueued;
        left = page.isDone ? undefined : { cursor: page.cursor };
      }
    } catch (error) {
      left = undefined;
      lastError = explainFailure(folder, error);
      // One line when it begins, and not one for each scan of an outage.
      const about = { folder: name, lastError, error };
      if (record?.lastError === lastError) logger.debug('A folder still cannot be scanned.', about);
      else logger.warn('A folder cannot be scanned.', about);
    }
    if (enqueued > 0) logger.info('A scan enqueued files.', { folder: name, enqueued });
    const { pollSeconds } = folder;
    const outcome = { profileName: profile.name, lastError, enqueued };
    await endScan(lease, outcome, { goesOn: left !== undefined, pollSeconds }, now());
    return left;
  });
  if (rest && rest !== 'held') await continueScan({ folder: name, watcher, ...rest }, now);
}
