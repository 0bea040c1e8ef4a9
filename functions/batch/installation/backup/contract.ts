import * as z from 'zod';

const EXAMPLE = {
  backupId: '20260302-050000-3f9a1c',
  state: 'Succeeded',
  phase: null,
  startedAt: '2026-03-02T05:00:00.000Z',
  cutAt: '2026-03-02T05:01:12.345Z',
  endedAt: '2026-03-02T05:01:30.000Z',
  by: null,
  instance: 'sign.example',
  items: 120_345,
  parts: 14,
  bytes: 18_400_000,
  files: 40_112,
  message: null,
} as const;

export const BackupStarted = z.object({ backupId: z.string(), startedAt: z.iso.datetime() }).meta({
  description: 'A backup that has begun.',
  examples: [{ backupId: EXAMPLE.backupId, startedAt: EXAMPLE.startedAt }],
});

export const BackupCanceled = z.object({ backupId: z.string(), canceledAt: z.iso.datetime() }).meta({
  description: 'A backup that was canceled. Its files are deleted when the store has ended its export.',
  examples: [{ backupId: EXAMPLE.backupId, canceledAt: EXAMPLE.endedAt }],
});

export const BackupInfo = z
  .object({
    backupId: z.string(),
    state: z.enum(['Running', 'Succeeded', 'Failed', 'Canceled']),
    phase: z
      .enum(['Exporting', 'Storing', 'ListingFiles'])
      .nullable()
      .describe('What a running backup is at. Null for one that has ended.'),
    startedAt: z.iso.datetime(),
    cutAt: z.iso.datetime().nullable().describe('The moment that it is a snapshot of.'),
    endedAt: z.iso.datetime().nullable(),
    by: z.string().nullable().describe('The operator who began it. Null: Backup:At did.'),
    instance: z.string(),
    items: z.int().describe('Items of the table.'),
    parts: z.int().describe('Files that are stored.'),
    bytes: z.int().describe('Stored, compressed.'),
    files: z.int().describe('Files that are listed. They are not in the backup.'),
    message: z.string().nullable().describe('Why it failed, or who canceled it.'),
  })
  .meta({ description: 'One backup.', examples: [EXAMPLE] });

export const BackupList = z
  .object({
    enabled: z.boolean(),
    target: z.string().describe('Where backups/ is: the bucket, or a share.'),
    retainCount: z.int(),
    running: BackupInfo.nullable(),
    items: z.array(BackupInfo).describe('Those that have ended, newest first.'),
  })
  .meta({
    description: 'The backup that runs, and those that have ended.',
    examples: [{ enabled: true, target: 'bucket', retainCount: 14, running: null, items: [EXAMPLE] }],
  });
