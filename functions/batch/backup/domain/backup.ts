import { collection } from '../../../../shared/store/collection.ts';
import { dueMessage } from '../../../../shared/store/due/message.ts';
import type { Key } from '../../../../shared/store/item.ts';
import type { Leased } from '../../../../shared/store/lease.ts';
import { type StateOf, stateMachine } from '../../../../shared/store/state-machine.ts';

export const backupStates = stateMachine({
  Running: { completed: 'Succeeded', failed: 'Failed', canceledByOperator: 'Canceled' },
  Succeeded: {},
  Failed: {},
  Canceled: {},
});
export type BackupState = StateOf<typeof backupStates>;

/** What a running backup is at, in this order. */
export type Phase = 'Settling' | 'Scanning' | 'CatchingUp' | 'ListingFiles' | 'Finishing';

/** How far the scan of a part of the table has come. */
export type ScannedTo = { readonly after: Key | null; readonly isDone: boolean };

/** Where the list of files goes on. */
export type ListedTo = { readonly store: 'bucket' | 'work'; readonly cursor: string | null };

export type Backup = Leased & {
  /** Sorts by its start. It is the name of its folder. */
  readonly id: string;
  readonly state: BackupState;
  readonly phase: Phase;
  /** The operator who began it. Null: Backup:At did. */
  readonly by: string | null;
  readonly instance: string;
  /** Where backups/ was when it began. */
  readonly target: string;
  readonly startedAtMs: number;
  /** Every function takes part in it from then on. */
  readonly settledAtMs: number;
  /** The moment that it is a snapshot of. */
  readonly cutAtMs: number | null;
  readonly endedAtMs: number | null;
  /** When a part was stored last. */
  readonly touchedAtMs: number;
  /** Why it failed. */
  readonly message: string | null;
  readonly segments: readonly ScannedTo[];
  readonly listedTo: ListedTo;
  readonly nextPart: number;
  /** Cuts that took too long. */
  readonly failedCuts: number;
  readonly items: number;
  readonly parts: number;
  /** Stored, compressed. */
  readonly bytes: number;
  readonly files: number;
  readonly fileBytes: number;
  /** Whether the files that it leaves behind are deleted: its own where it failed, those of older ones where it succeeded. */
  readonly isTidied: boolean;
};

const BACKUPS_PK = 'BACKUPS';
const PREFIX = 'BACKUP#';

export const backups = collection<Backup, string>({
  service: 'batch',
  name: 'backup',
  id: ({ id }) => id,
  key: (id) => ({ pk: BACKUPS_PK, sk: `${PREFIX}${id}` }),
});

/** For a query of the backups, newest first. */
export const newestBackups = { pk: BACKUPS_PK, skPrefix: PREFIX, newestFirst: true } as const;

/** The backup under way. There is one at most in a store. */
export type RunningBackup = { readonly backupId: string };
export const runningBackup = collection<RunningBackup, null>({
  service: 'batch',
  name: 'running backup',
  id: () => null,
  key: () => ({ pk: BACKUPS_PK, sk: 'RUNNING' }),
});

/** The backup that succeeded last, for the metrics. */
export type LastBackup = { readonly backupId: string; readonly endedAtMs: number; readonly bytes: number };
export const lastBackup = collection<LastBackup, null>({
  service: 'batch',
  name: 'last backup',
  id: () => null,
  key: () => ({ pk: BACKUPS_PK, sk: 'LAST' }),
});

/** A stored part of a backup, in the words of its manifest. */
export type Part = {
  readonly name: string;
  readonly kind: 'scan' | 'patch' | 'files';
  readonly lines: number;
  /** Compressed. */
  readonly bytes: number;
  readonly sha256: string;
};
export type StoredPart = Part & { readonly backupId: string; readonly number: number };

export const partsOf = (backupId: string) => ({ pk: `BACKUP-PARTS#${backupId}`, skPrefix: 'PART#' });

const NUMBER_DIGITS = 6;

export const storedParts = collection<StoredPart, Pick<StoredPart, 'backupId' | 'number'>>({
  service: 'batch',
  name: 'part',
  id: ({ backupId, number }) => ({ backupId, number }),
  key: ({ backupId, number }) => ({
    pk: partsOf(backupId).pk,
    sk: `PART#${String(number).padStart(NUMBER_DIGITS, '0')}`,
  }),
});

/** Messages that have a worker go on with a backup. */
export const BACKUPS_QUEUE = 'backups';

export const messageIdOf = (backupId: string): string => `backup:${backupId}`;

/** The message that has a worker go on with a backup, recorded for a time when the present one must have ended. */
export const backupMessage = (backupId: string, dueAtMs: number) =>
  dueMessage({
    service: 'batch',
    queue: BACKUPS_QUEUE,
    body: { backupId },
    id: messageIdOf(backupId),
    dueAtMs,
  });
