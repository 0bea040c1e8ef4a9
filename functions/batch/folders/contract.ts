import * as z from 'zod';

const FOLDER = {
  name: 'inbox',
  path: 'input/inbox',
  exists: true,
  status: 'Running',
  lastError: null,
  profileName: 'default',
  instance: 'main',
  lastEnqueueAt: '2026-03-02T12:00:00.000Z',
  processedCount: 1204,
  fileCount: 3,
} as const;

export const Folder = z
  .object({
    name: z.string(),
    path: z.string().describe('Its place, as `Storage:Inputs` gives it.'),
    exists: z.boolean().describe('Whether it could be listed just now.'),
    status: z
      .enum(['Running', 'Stopped', 'Unassigned'])
      .describe(
        'Running: a profile has selected it, and its last scan, if there was one, succeeded. Stopped: its last scan failed, until one succeeds. Unassigned: no profile has selected it, and nothing scans it.',
      ),
    lastError: z.string().nullable().describe('Why it could not be scanned, or cannot be listed now.'),
    profileName: z.string().nullable().describe('The profile that signs its files.'),
    instance: z.string().nullable().describe('The instance that watches it.'),
    lastEnqueueAt: z.iso.datetime().nullable().describe('When one of its files became a job last.'),
    processedCount: z.int().describe('Jobs that were made of its files.'),
    fileCount: z
      .int()
      .nullable()
      .describe('Files in it now that are not ignored, counted up to 50. Null where it cannot be listed.'),
  })
  .meta({ description: 'An input folder.', examples: [FOLDER] });

export const Folders = z
  .array(Folder)
  .meta({ description: 'The input folders, in the order of `Storage:Inputs`.', examples: [[FOLDER]] });

export const RescanQuery = z.object({
  folder: z.string().optional().describe('Only this folder. All of them, if left out.'),
});

const counts = {
  scanned: z.int().describe('Files that were found.'),
  enqueued: z.int().describe('Files that became jobs.'),
  alreadyActive: z
    .int()
    .describe('Files that have a job at work, or were signed and are about to be deleted.'),
  ignored: z
    .int()
    .describe('Files that are still written or named as such, and files of a disabled profile.'),
  errors: z
    .int()
    .describe(
      'Files that cannot become jobs, and one for a folder that cannot be scanned. The log says why.',
    ),
};

const COUNTS = { scanned: 7, enqueued: 2, alreadyActive: 3, ignored: 1, errors: 1 };

export const Rescan = z
  .object({
    folders: z.array(
      z.object({
        name: z.string(),
        path: z.string(),
        ...counts,
        enqueuedFiles: z.array(z.string()).describe('Their names, 1,000 at most.'),
      }),
    ),
    totals: z.object(counts),
    message: z
      .string()
      .describe('Says also which folders have no profile, which failed, and which go on in the background.'),
  })
  .meta({
    description: 'What a rescan did, by folder and in all.',
    examples: [
      {
        folders: [
          { name: 'inbox', path: 'input/inbox', ...COUNTS, enqueuedFiles: ['contrato.pdf', 'nota.xml'] },
        ],
        totals: COUNTS,
        message: '7 files were scanned, and 2 became jobs.',
      },
    ],
  });
