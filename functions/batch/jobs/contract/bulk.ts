import * as z from 'zod';
import { rangeInOrder } from '../../../../shared/http/request/list-query.ts';
import { Reason } from '../reason.ts';
import { Job, JobStatus } from './job.ts';
import { failuresInOrder, filters } from './lists.ts';

const BulkKind = z.enum(['retry', 'cancel', 'delete']);

/** A misspelt filter is refused: without it the action would take more jobs than were meant. */
export const StartBulk = z
  .strictObject({
    action: BulkKind.describe(
      'retry: failed jobs that nobody has retried. cancel: jobs that no worker has. delete: finished jobs.',
    ),
    filter: z
      .strictObject(filters)
      .refine(...rangeInOrder)
      .refine(...failuresInOrder)
      .describe('As of the list of jobs. An empty one takes every job that the action takes.'),
    reason: Reason.describe('Why jobs are canceled, for the record; at most 512 characters.'),
    preview: z.boolean().optional().describe('Whether the jobs are only counted: nothing is changed.'),
  })
  .meta({
    description: 'An action on all jobs of a filter.',
    examples: [
      {
        action: 'retry' as const,
        filter: { status: 'Failed' as const, error: 'job.certificate-invalid', profile: 'default' },
        reason: null,
        preview: false,
      },
    ],
  });

export const BulkPreview = z
  .object({ action: BulkKind, count: z.int().describe('The jobs that the action would take now.') })
  .meta({ description: 'How many jobs an action would take.', examples: [{ action: 'retry', count: 12 }] });

const bulk = {
  id: '20260302120000000-4f1c09ab',
  action: 'retry' as const,
  status: 'Running' as const,
  filter: {
    status: 'Failed' as const,
    profile: 'default',
    source: null,
    text: null,
    error: 'job.certificate-invalid',
    from: null,
    to: null,
    failedFrom: null,
    failedTo: null,
  },
  reason: null,
  by: 'operator',
  startedAt: '2026-03-02T12:00:00.000Z',
  endedAt: null,
  expected: 12,
  done: 9,
  skipped: 1,
  refused: [{ code: 'job.input-missing', count: 1 }],
};

export const Bulk = z
  .object({
    id: z.string(),
    action: BulkKind,
    status: z.enum(['Running', 'Done', 'Stopped']),
    filter: z.object({
      status: JobStatus.nullable(),
      profile: z.string().nullable(),
      source: Job.shape.source.nullable(),
      text: z.string().nullable(),
      error: z.string().nullable(),
      from: z.iso.datetime().nullable(),
      to: z.iso.datetime().nullable(),
      failedFrom: z.iso.datetime().nullable(),
      failedTo: z.iso.datetime().nullable(),
    }),
    reason: z.string().nullable(),
    by: z.string().describe('Who started it.'),
    startedAt: z.iso.datetime().describe('Jobs that were created, or have failed, later are left alone.'),
    endedAt: z.iso.datetime().nullable(),
    expected: z.int().describe('The jobs that matched when it started.'),
    done: z.int(),
    skipped: z.int().describe('Jobs that no longer matched when their turn came.'),
    refused: z
      .array(z.object({ code: z.string(), count: z.int() }))
      .describe('Jobs whose action was refused, by the code of the error table.'),
  })
  .meta({ description: 'An action on many jobs, and how far it has come.', examples: [bulk] });

export const BulkList = z
  .object({ items: z.array(Bulk) })
  .meta({ description: 'The newest actions on many jobs, the newest first.', examples: [{ items: [bulk] }] });

export const BulkParams = z.object({
  id: z.string().meta({ description: 'The id of the action.', examples: [bulk.id] }),
});
