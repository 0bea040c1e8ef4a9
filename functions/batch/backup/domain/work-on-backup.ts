import type { Files } from '../../../../shared/files/files.ts';
import type { Logger } from '../../../../shared/log/logger.ts';
import { recordAndSend } from '../../../../shared/queue/outbox.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { claim, isHeld, released } from '../../../../shared/store/lease.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import { SnapshotLost } from '../../../../shared/store/snapshot/records.ts';
import { readInstances, stateOf } from '../../cluster/domain/instance.ts';
import { settings } from '../../settings.ts';
import { BACKUPS_QUEUE, type Backup, backups, messageIdOf, type Phase } from './backup.ts';
import { completeBackup, failBackup } from './end-backup.ts';
import { type Manifest, manifestOf } from './manifest.ts';
import { catchUp } from './run/catch-up.ts';
import { listFiles } from './run/list-files.ts';
import { LEASE_MS, type Run, runOf, TakenOver } from './run/run.ts';
import { scanTable } from './run/scan-table.ts';
import { folderOf, keysBelow, manifestKey, targetFiles, targetName } from './target.ts';
import { tidyUp } from './tidy.ts';

export type BackupWorker = {
  readonly deadlineAtMs: number;
  /** A failure now ends the backup. */
  readonly isLastAttempt: boolean;
  readonly logger: Logger;
  readonly now: () => number;
};

/** A failure that another attempt would meet too. */
class CannotGoOn extends Error {
  override readonly name = 'CannotGoOn';
}

// A message that finds another worker at it comes back for the case that this one is killed.
const HELD_AGAIN_SECONDS = 30;

/** Goes on with a backup for as long as there is time. The rest is left to the next message, which this sends. */
export async function workOnBackup(backupId: string, worker: BackupWorker): Promise<void> {
  const { logger, now, isLastAttempt } = worker;
  const found = await backups.get(backupId);
  if (!found) return;
  if (found.state !== 'Running') return tidyUp(found, logger, now());
  if (isHeld(found, now())) return sendAgain(backupId, HELD_AGAIN_SECONDS, now);
  const claimed = await claimBackup(found, now);
  if (!claimed) return sendAgain(backupId, HELD_AGAIN_SECONDS, now);
  const run = runOf(claimed, () => now() < worker.deadlineAtMs, now);
  try {
    await requireSameSettings(claimed, now());
    const ended = await workOff(run);
    if (ended) await tidyUp(ended, logger, now());
  } catch (error) {
    if (error instanceof TakenOver) return;
    const isOver = isLastAttempt || error instanceof SnapshotLost || error instanceof CannotGoOn;
    logger.warn(isOver ? 'A backup failed.' : 'A backup stopped, and is tried again.', { backupId, error });
    if (!isOver) {
      await run.save({ ...released }).catch(() => undefined);
      throw error;
    }
    const failed = await failBackup(run.record(), (error as Error).message, now());
    if (failed) await tidyUp(failed, logger, now());
  }
}

/** Claims it, and skips the number of the part that a worker before may still be storing. */
async function claimBackup(found: Stored<Backup>, now: () => number): Promise<Stored<Backup> | undefined> {
  try {
    const claimed = await claim(backups, found, { leaseMs: LEASE_MS, now });
    return claimed && (await backups.change(claimed, { nextPart: claimed.nextPart + 1 }));
  } catch (error) {
    if (error instanceof RaceLost) return undefined;
    throw error;
  }
}

/** An instance that does not take part, or later than others, may leave half of a change in the snapshot. */
async function requireSameSettings({ target }: Backup, nowMs: number): Promise<void> {
  if (!settings['Backup:Enabled']) throw new CannotGoOn('Backup:Enabled was switched off.');
  if (target !== targetName())
    throw new CannotGoOn(`It began to write to ${target}, and Backup:Target is ${targetName()} now.`);
  const settleSeconds = settings['Backup:SettleSeconds'];
  for (const instance of (await readInstances()).values()) {
    const isInTime = (instance.backupSettleSeconds ?? Number.POSITIVE_INFINITY) <= settleSeconds;
    if (!isInTime && stateOf(instance, nowMs) === 'Live')
      throw new CannotGoOn(
        `The instance ${instance.name} takes no part in backups: give it Backup:Enabled true and Backup:SettleSeconds ${settleSeconds}, and then make another one.`,
      );
  }
}

/** The backup when it has succeeded. Undefined where another message goes on. */
async function workOff(run: Run): Promise<Stored<Backup> | undefined> {
  for (;;) {
    const { phase, settledAtMs } = run.record();
    if (phase === 'Finishing') return finish(run);
    const waitMs = settledAtMs - run.now();
    const isDone = phase === 'Settling' ? waitMs <= 0 : await WORK[phase](run);
    if (isDone) await enter(run, phase);
    if (isDone && run.hasTime()) continue;
    await run.save({ ...released });
    await sendAgain(run.id, Math.max(0, Math.ceil(waitMs / 1_000)), run.now);
    return undefined;
  }
}

const WORK: Readonly<Record<Exclude<Phase, 'Settling' | 'Finishing'>, (run: Run) => Promise<boolean>>> = {
  Scanning: scanTable,
  CatchingUp: catchUp,
  ListingFiles: async (run) => {
    // Writers need no gates any more: the cut is stored.
    await run.snapshot.end();
    await run.snapshot.clear();
    return listFiles(run);
  },
};

/** Other phases are entered together with their last part. */
const NEXT: Partial<Record<Phase, Phase>> = { Settling: 'Scanning', Scanning: 'CatchingUp' };

async function enter(run: Run, after: Phase): Promise<void> {
  const phase = NEXT[after];
  if (phase) await run.save({ phase });
}

/** The manifest, and then the success. */
async function finish(run: Run): Promise<Stored<Backup>> {
  await requireSameSettings(run.record(), run.now());
  const store = await targetFiles();
  const manifest = await manifestOf(run.record());
  await deleteOthers(store, manifest);
  await run.save({});
  const text = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  await store.put(manifestKey(run.id), text, { contentType: 'application/json' });
  try {
    return await completeBackup(run.record(), run.now());
  } catch (error) {
    if (!(error instanceof RaceLost)) throw error;
    // Canceled at the last moment: without its manifest it is no backup.
    const found = await backups.get(run.id);
    if (found && found.state !== 'Running' && found.state !== 'Succeeded')
      await store.remove(manifestKey(run.id));
    throw new TakenOver();
  }
}

/** Deletes files of workers that were killed, or late, before their progress was written. */
async function deleteOthers(store: Files, { id, parts, files: { parts: lists } }: Manifest): Promise<void> {
  const own = new Set([...parts, ...lists].map(({ name }) => `${folderOf(id)}${name}`));
  const others: string[] = [];
  for await (const keys of keysBelow(store, folderOf(id)))
    others.push(...keys.filter((key) => !own.has(key) && key !== manifestKey(id)));
  if (others.length > 0) await store.removeMany(others.map((key) => ({ key })));
}

// Longer than a worker's time: a message comes twice only when its worker was killed.
const HEAD_START_MS = 120_000;

const sendAgain = (backupId: string, delaySeconds: number, now: () => number): Promise<void> =>
  recordAndSend(
    'batch',
    BACKUPS_QUEUE,
    { backupId },
    { id: messageIdOf(backupId), delaySeconds, headStartMs: HEAD_START_MS, now },
  );
