import * as z from 'zod';

export const CleanupResult = z
  .object({
    jobsDeleted: z.int(),
    outputFilesDeleted: z.int(),
    errorFilesDeleted: z.int(),
    operationalEventsDeleted: z.int(),
    filesMissing: z
      .int()
      .describe('Outputs that were due, or whose jobs were, and that were not there any more.'),
    errors: z.int().describe('Items that could not be handled. The next run tries them again.'),
    message: z
      .string()
      .describe('The same in a sentence, and whether the rest is deleted in the background.'),
  })
  .meta({
    description: 'What a call of retention did within its time.',
    examples: [
      {
        jobsDeleted: 120,
        outputFilesDeleted: 110,
        errorFilesDeleted: 10,
        operationalEventsDeleted: 0,
        filesMissing: 1,
        errors: 0,
        message:
          '120 jobs, 110 files of output/, 10 files of error/ and 0 events were deleted. 1 outputs were not there any more.',
      },
    ],
  });
