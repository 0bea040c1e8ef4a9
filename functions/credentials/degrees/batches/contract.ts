import * as z from 'zod';
import {
  anyBody,
  type BodyReader,
  jsonBody,
  oneOf,
  type UnreadBody,
} from '../../../../shared/http/body/reader.ts';
import { pageOf } from '../../../../shared/http/page-of.ts';
import { paging, rangeInOrder, timeRange } from '../../../../shared/http/request/list-query.ts';
import { Id, INSTITUTE_ID, ITEM_ID, STUDIES, SUBSCRIPTION_ID } from '../../items/shapes.ts';

const BATCH_ID = 'b7a1d0de-3c44-4b43-9a55-6f1f0a3e8c21';
const LINE = JSON.stringify({ ...STUDIES, instituteId: INSTITUTE_ID });
const Time = z.iso.datetime();

/** Media types of lines of JSON. */
const LINES: ReadonlySet<string> = new Set([
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
]);

/** Lines of JSON, as they arrive. */
const linesBody: BodyReader<UnreadBody> = {
  ...anyBody(),
  accepts: (mediaType) => LINES.has(mediaType),
  optional: false,
  content: {
    'application/x-ndjson': {
      schema: {
        type: 'string',
        description:
          'One degree on each line: the body of POST /api/degrees as JSON, without line breaks in it. Lines end with LF or CR LF; blank lines are ignored, but count in the numbers of lines.',
        examples: [`${LINE}\n${LINE}\n`],
      },
    },
  },
};

const SubscriptionId = Id.optional().describe("The organization. Without it the key's first one.");

export const CreateDegreeBatchQuery = z.object({
  subscriptionId: SubscriptionId.describe(
    "The organization whose keys see the batch. Without it the key's first one, or that of the upload.",
  ),
});

export const CreateDegreeBatch = z
  .object({ uploadId: Id.describe('The upload whose file was put.') })
  .meta({ description: 'A batch of an upload.', examples: [{ uploadId: BATCH_ID }] });

/** The id of an upload, or lines. Only lines may be as long as a batch: they are not held in memory. */
export const degreeBatchBody = (maxBytes: () => number) =>
  oneOf(jsonBody(CreateDegreeBatch), { ...linesBody, ceilingBytes: maxBytes });

export const PresignDegreeBatch = z
  .object({
    size: z.int().min(1).describe('Of the file in bytes. A put of any other size is refused.'),
    subscriptionId: SubscriptionId,
  })
  .meta({ description: 'The file that will be put to the address.', examples: [{ size: 12_408_113 }] });

export const PresignedDegreeBatch = z
  .object({
    uploadId: z.uuid().describe('Name it in POST /api/degrees/batches once the file is put.'),
    method: z.literal('PUT'),
    url: z.url(),
    headers: z.record(z.string(), z.string()).describe('To be sent with the put.'),
    expiresAt: Time,
  })
  .meta({
    description: 'How to put the file, and the id of the upload.',
    examples: [
      {
        uploadId: BATCH_ID,
        method: 'PUT',
        url: 'https://store.example/batches/arriving/b7a1d0de?X-Amz-Expires=3600',
        headers: { 'content-type': 'application/x-ndjson' },
        expiresAt: '2026-03-02T13:00:00.000Z',
      },
    ],
  });

const DegreeBatchStatus = z.enum(['Created', 'Running', 'Finished']);
const BATCH = {
  id: BATCH_ID,
  subscriptionId: SUBSCRIPTION_ID,
  status: 'Running',
  lines: 50_000,
  processed: 12_400,
  created: 12_397,
  failed: 3,
  sha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
  creationDate: '2026-03-02T12:00:00.000Z',
  updateDate: '2026-03-02T12:01:04.000Z',
} as const;

export const DegreeBatch = z
  .object({
    id: z.string(),
    subscriptionId: z.string().describe('The organization whose keys see the batch.'),
    status: DegreeBatchStatus,
    lines: z.int().describe('Lines that are not blank.'),
    processed: z.int().describe('Lines that were created or failed.'),
    created: z.int(),
    failed: z.int().describe('Lines with an error, see `/errors`.'),
    sha256: z.string().describe('Of the file.'),
    creationDate: Time,
    updateDate: Time,
  })
  .meta({
    description:
      'A batch of degrees and how far it is. It is finished when every line was created or failed.',
    examples: [BATCH],
  });

const page = <S extends z.ZodObject>(item: S, description: string, example: object) =>
  pageOf(item).meta({ description, examples: [{ items: [example], page: 1, pageSize: 50, totalCount: 1 }] });

export const DegreeBatchList = page(DegreeBatch, 'A page of batches, newest first.', BATCH);

export const DegreeBatchListQuery = z
  .object({
    ...paging,
    ...timeRange,
    status: DegreeBatchStatus.optional().describe('Only batches of this status.'),
    subscriptionId: SubscriptionId,
  })
  .refine(...rangeInOrder);

/** Of the errors and the lines of one batch. */
export const BatchPageQuery = z.object(paging);

const DegreeBatchError = z.object({
  line: z.int().describe('From 1, blank lines included.'),
  code: z.string().describe('As POST /api/degrees would answer it.'),
  message: z.string(),
  details: z.record(z.string(), z.string()).nullable(),
});

export const DegreeBatchErrors = page(DegreeBatchError, 'A page of the errors, in the order of the lines.', {
  line: 7,
  code: 'InvalidFields',
  message: 'A field or parameter is missing or invalid. The details name it.',
  details: { field: 'studentCpf', reason: 'must be a CPF of 11 digits' },
});

const DegreeBatchLine = z.object({
  line: z.int(),
  degreeId: z.string().nullable().describe('Null for a line that is blank or has an error.'),
});

export const DegreeBatchLines = page(DegreeBatchLine, 'A page of the lines that were worked through.', {
  line: 1,
  degreeId: ITEM_ID,
});
