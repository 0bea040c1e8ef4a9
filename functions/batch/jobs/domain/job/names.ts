import { createHash } from 'node:crypto';
import { tableName } from '../../../../../shared/settings/names.ts';
import { getBatch } from '../../../../../shared/store/collection.ts';
import { keyAttributes, toAttributes } from '../../../../../shared/store/item.ts';
import type { ItemWrite } from '../../../../../shared/store/write.ts';
import { errors } from '../../../errors.ts';
import { settings } from '../../../settings.ts';
import type { Job } from './job.ts';

// A file is signed once by construction: its claims are items, written in the transaction that creates the job.
//
//   PATH#…    held by one active job          refused: job.already-processing
//   NAME#…    counted: active and Completed   refused: file.already-processed
//   OUTPUT#…  held by one file in output/     refused: the job takes another name
//
//             created   Completed   Failed, Canceled   deleted
//   path      claimed   released    released           -
//   name      +1        kept        -1                 -1 of a Completed job
//   output    -         kept        released           kept while the file is there
//
// The name is a count and not one holder, because with Pipeline:RejectAlreadyProcessedFileNames off several jobs carry
// it; when the setting is switched on again, the names of those are known.

type Claims = Pick<Job, 'id' | 'originalPath' | 'fileName'>;

// Case folding: upper case first, so that ß and SS, and both forms of sigma, become one.
const fold = (text: string): string => text.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');

// A path may be longer than a key of DynamoDB.
const keyOf = (kind: 'PATH' | 'NAME' | 'OUTPUT', text: string) => ({
  pk: `${kind}#${createHash('sha256').update(fold(text)).digest('base64url')}`,
  sk: kind,
});

/** Claims the path and the name of a new job. Without `rejectProcessed` the name is counted, whoever has it. */
export const claimingNames = (
  { id, originalPath, fileName }: Claims,
  { rejectProcessed }: { readonly rejectProcessed: boolean },
): ItemWrite[] => [
  ...(originalPath === null ? [] : [claiming(keyOf('PATH', originalPath), id, 'job.already-processing')]),
  {
    item: {
      Update: {
        ...nameUpdate(fileName, 1),
        ...(rejectProcessed && {
          ConditionExpression: 'attribute_not_exists(#holders) OR #holders <= :none',
          ExpressionAttributeValues: { ':change': { N: '1' }, ':none': { N: '0' } },
        }),
      },
    },
    refusal: () => errors.refuse('file.already-processed', { fileName }),
  },
];

/** Refuses what `claimingNames` would refuse now, without claiming anything. */
export async function requireFreeNames({ originalPath, fileName }: Omit<Claims, 'id'>): Promise<void> {
  const name = keyOf('NAME', fileName);
  const path = originalPath === null ? [] : [keyOf('PATH', originalPath)];
  const found = await getBatch(tableName('batch'), [name, ...path]);
  if (found.some(({ sk }) => sk?.S === 'PATH')) throw errors.refuse('job.already-processing');
  const holders = Number(found.find(({ pk }) => pk?.S === name.pk)?.holders?.N ?? 0);
  if (settings['Pipeline:RejectAlreadyProcessedFileNames'] && holders > 0)
    throw errors.refuse('file.already-processed', { fileName });
}

/** The path is free for the next job. The name stays taken. */
export const releasingPath = ({ originalPath }: Claims): ItemWrite[] =>
  originalPath === null ? [] : [removing(keyOf('PATH', originalPath))];

export const releasingName = ({ fileName }: Claims): ItemWrite => ({
  item: { Update: nameUpdate(fileName, -1) },
});

/** Reserves a name in output/ for a job. Refused with OutputTaken. */
export const reservingOutput = (outputName: string, jobId: string): ItemWrite => ({
  ...claiming(keyOf('OUTPUT', outputName), jobId, 'job.already-processing'),
  refusal: () => new OutputTaken(outputName),
});

/** Frees the name of a job's output. Refused with OutputTaken when the name belongs to another job by now. */
export const releasingOutput = (outputName: string, jobId: string): ItemWrite => ({
  item: {
    Delete: {
      TableName: tableName('batch'),
      Key: keyAttributes(keyOf('OUTPUT', outputName)),
      ConditionExpression: 'jobId = :jobId',
      ExpressionAttributeValues: { ':jobId': { S: jobId } },
    },
  },
  refusal: () => new OutputTaken(outputName),
});

/** The job that has a name in output/, if any. */
export async function outputHolder(outputName: string): Promise<string | undefined> {
  const [found] = await getBatch(tableName('batch'), [keyOf('OUTPUT', outputName)]);
  return found?.jobId?.S;
}

/** Another job's file has this name in output/. */
export class OutputTaken extends Error {
  override readonly name = 'OutputTaken';

  constructor(outputName: string) {
    super(`Another job's file is ${outputName} in output/.`);
  }
}

type Key = ReturnType<typeof keyOf>;

const claiming = (
  key: Key,
  jobId: string,
  code: 'job.already-processing' | 'file.already-processed',
): ItemWrite => ({
  item: {
    Put: {
      TableName: tableName('batch'),
      Item: toAttributes({ ...key, jobId }),
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  },
  refusal: () => errors.refuse(code),
});

const removing = (key: Key): ItemWrite => ({
  item: { Delete: { TableName: tableName('batch'), Key: keyAttributes(key) } },
});

const nameUpdate = (fileName: string, change: 1 | -1) => ({
  TableName: tableName('batch'),
  Key: keyAttributes(keyOf('NAME', fileName)),
  UpdateExpression: 'ADD #holders :change',
  ExpressionAttributeNames: { '#holders': 'holders' },
  ExpressionAttributeValues: { ':change': { N: String(change) } },
});
