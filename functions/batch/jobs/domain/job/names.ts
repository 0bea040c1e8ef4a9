import { createHash } from 'node:crypto';
import type { Update } from '@aws-sdk/client-dynamodb';
import { tableName } from '../../../../../shared/settings/names.ts';
import { getBatch } from '../../../../../shared/store/collection.ts';
import { keyAttributes, toAttributes } from '../../../../../shared/store/item.ts';
import type { ItemWrite } from '../../../../../shared/store/write.ts';
import { errors } from '../../../errors.ts';
import type { Job } from './job.ts';

// A file is signed once by construction: its claims are items, written in the transaction that creates the job.
//
//   PATH#…    held by one active job          refused: job.already-processing
//   NAME#…    counted: active and Completed   refused: file.already-processed
//             counted: active                 refused: job.already-processing, at the compact surface
//   OUTPUT#…  held by one file in output/     refused: the job takes another name
//
//             created   Completed   Failed, Canceled   deleted
//   path      claimed   released    released           -
//   name      +1        kept        -1                 -1 of a Completed job
//     active  +1        -1          -1                 -
//   output    -         kept        released           kept while the file is there
//
// The name is a count and not one holder, because with Pipeline:RejectAlreadyProcessedFileNames off several jobs carry
// it; when the setting is switched on again, the names of those are known.

type Claims = Pick<Job, 'id' | 'originalPath' | 'fileName' | 'state'>;

/** Which names are refused to a new job: one that a completed or active job has, or one that an active job has. */
export type NameRules = { readonly rejectProcessed: boolean; readonly rejectActive?: boolean | undefined };

// Case folding: upper case first, so that ß and SS, and both forms of sigma, become one.
const fold = (text: string): string => text.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');

// A path may be longer than a key of DynamoDB.
const keyOf = (kind: 'PATH' | 'NAME' | 'OUTPUT', text: string) => ({
  pk: `${kind}#${createHash('sha256').update(fold(text)).digest('base64url')}`,
  sk: kind,
});

/** Claims the path and the name of a new job. Without a rule the name is counted, whoever has it. */
export const claimingNames = (
  { id, originalPath, fileName }: Claims,
  { rejectProcessed, rejectActive = false }: NameRules,
): ItemWrite[] => [
  ...(originalPath === null ? [] : [claiming(keyOf('PATH', originalPath), id, 'job.already-processing')]),
  {
    item: {
      Update: nameUpdate(
        fileName,
        { holders: 1, active: 1 },
        rejectProcessed ? 'holders' : rejectActive ? 'active' : undefined,
      ),
    },
    refusal: () =>
      errors.refuse(rejectProcessed ? 'file.already-processed' : 'job.already-processing', { fileName }),
  },
];

/** The path is free for the next job. The name stays as it is. */
export const releasingPath = ({ originalPath }: Claims): ItemWrite[] =>
  originalPath === null ? [] : [removing(keyOf('PATH', originalPath))];

/** A job that is completed carries its name and is not active any more. */
export const keepingName = ({ fileName }: Claims): ItemWrite => ({
  item: { Update: nameUpdate(fileName, { active: -1 }) },
});

/** Frees the name of an active job that fails or is canceled, or of a completed one that is deleted. */
export const releasingName = ({ fileName, state }: Claims): ItemWrite => ({
  item: {
    Update: nameUpdate(fileName, state === 'Completed' ? { holders: -1 } : { holders: -1, active: -1 }),
  },
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
export const outputHolder = async (outputName: string): Promise<string | undefined> =>
  (await outputHolders([outputName])).get(outputName);

/** The jobs that have these names in output/, by name. */
export async function outputHolders(outputNames: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const keys = new Map(outputNames.map((name) => [name, keyOf('OUTPUT', name)]));
  const found = await getBatch(tableName('batch'), [...keys.values()]);
  const byPk = new Map(found.map(({ pk, jobId }) => [pk?.S, jobId?.S]));
  return new Map(
    [...keys].flatMap(([name, { pk }]) => {
      const jobId = byPk.get(pk);
      return jobId === undefined ? [] : [[name, jobId]];
    }),
  );
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

type NameCount = 'holders' | 'active';

/** Adds to the counts of a name; only while one of them is zero, where it is given. */
function nameUpdate(
  fileName: string,
  changes: Readonly<Partial<Record<NameCount, 1 | -1>>>,
  onlyIfNone?: NameCount,
): Update {
  const names = Object.keys(changes) as NameCount[];
  return {
    TableName: tableName('batch'),
    Key: keyAttributes(keyOf('NAME', fileName)),
    UpdateExpression: `ADD ${names.map((name) => `#${name} :${name}`).join(', ')}`,
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: {
      ...Object.fromEntries(names.map((name) => [`:${name}`, { N: String(changes[name]) }])),
      ...(onlyIfNone && { ':none': { N: '0' } }),
    },
    ...(onlyIfNone && {
      ConditionExpression: `attribute_not_exists(#${onlyIfNone}) OR #${onlyIfNone} <= :none`,
    }),
  };
}
