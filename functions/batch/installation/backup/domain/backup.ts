import * as z from 'zod';
import { recordAndSend, sending } from '../../../../../shared/queue/outbox.ts';
import { collection } from '../../../../../shared/store/collection.ts';
import type { Leased } from '../../../../../shared/store/lease.ts';
import { type StateOf, stateMachine } from '../../../../../shared/store/state-machine.ts';

export const backupStates = stateMachine({
  Running: { completed: 'Succeeded', failed: 'Failed', canceledByOperator: 'Canceled' },
  Succeeded: {},
  Failed: {},
  Canceled: {},
});
export type BackupState = StateOf<typeof backupStates>;

/** What a running backup is at, in this order. */
export type Phase = 'Exporting' | 'Storing' | 'ListingFiles';

/** A stored file of a backup, in the words of its manifest. */
export const Part = z.object({
  /** Its key below the folder of the backup. */
  name: z.string().regex(/^(?:AWSDynamoDB\/[\w-]+\/data\/[\w-]+\.json\.gz|files\.jsonl\.gz)$/),
  kind: z.enum(['items', 'files']),
  lines: z.int(),
  /** Compressed. */
  bytes: z.int(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type Part = z.infer<typeof Part>;

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
  /** The store's own export. Null until a worker has seen it. */
  readonly exportArn: string | null;
  /** The moment that it is a snapshot of. */
  readonly cutAtMs: number | null;
  readonly endedAtMs: number | null;
  /** When a worker was at it last. */
  readonly touchedAtMs: number;
  /** Why it failed. */
  readonly message: string | null;
  readonly items: number;
  readonly parts: readonly Part[];
  readonly fileBytes: number;
  /** Whether the files that it leaves behind are deleted: its own where it failed, those of older ones where it succeeded. */
  readonly isTidied: boolean;
};

export const bytesOf = ({ parts }: Pick<Backup, 'parts'>): number =>
  parts.reduce((sum, { bytes }) => sum + bytes, 0);

/** The files that are listed. */
export const filesOf = ({ parts }: Pick<Backup, 'parts'>): number =>
  parts.reduce((sum, { kind, lines }) => sum + (kind === 'files' ? lines : 0), 0);

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

/** Messages that have a worker go on with a backup. */
export const BACKUPS_QUEUE = 'backups';

const messageIdOf = (backupId: string): string => `backup:${backupId}`;

/** Records the message that has a worker go on with a backup, for a time when the present one must have ended. */
export const backupMessage = (backupId: string, dueAtMs: number) =>
  sending({
    service: 'batch',
    queue: BACKUPS_QUEUE,
    body: { backupId },
    id: messageIdOf(backupId),
    dueAtMs,
  });

// Longer than a worker's time: a message comes twice only when its worker was killed.
const HEAD_START_MS = 120_000;

/** Has a worker go on with a backup after some seconds. */
export const sendAgain = (backupId: string, delaySeconds: number, now: () => number): Promise<void> =>
  recordAndSend(
    'batch',
    BACKUPS_QUEUE,
    { backupId },
    { id: messageIdOf(backupId), delaySeconds, headStartMs: HEAD_START_MS, now },
  );
