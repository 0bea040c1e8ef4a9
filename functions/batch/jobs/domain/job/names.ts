import type { Update } from '@aws-sdk/client-dynamodb';
import { tableName } from '../../../../../shared/settings/names.ts';
import { getBatch } from '../../../../../shared/store/collection.ts';
import { keyAttributes, toAttributes } from '../../../../../shared/store/item.ts';
import type { ItemWrite } from '../../../../../shared/store/write.ts';
import { errors } from '../../../errors.ts';
import { settings } from '../../../settings.ts';
import { hashOfName } from './file-name.ts';
import type { FolderDocument, Job } from './job.ts';

// A file is signed once by construction: its claims are items, written in the transaction that creates the job.
//
//   PATH#…    held by one active job          refused: job.already-processing
//   NAME#…    counted: active and Completed   refused: file.already-processed
//             counted: active                 refused: job.already-processing, at the compact surface
//   OUTPUT#…  held by one file in output/     refused: the job takes another name
//   ACTION#…  held by one job, also when it   refused: job.already-processing
//             has ended or is deleted
//
//             created   Completed   Failed, Canceled   deleted
//   path      claimed   released    released           -
//   name      +1        kept        -1                 -1 of a Completed job
//     active  +1        -1          -1                 -
//   output    -         kept        released           kept while the file is there
//   action    claimed   inactive,   inactive           kept
//                       for a year
//
// A job of a file has path, name and output. One that signs a document of the external service has only the flow action
// of that document. A retry takes it over from the job that has ended. The action of a job that failed or was canceled
// is kept for good: the document may wait there still, and no deletion here may have the key sign it. After a signature
// the document waits no longer.
//
// Names are claimed as they were given, in any case and Unicode form.
//
// The name is a count and not one holder, because with Pipeline:RejectAlreadyProcessedFileNames off several jobs carry
// it; when the setting is switched on again, the names of those are known.

type Claims = Pick<
  Job,
  'id' | 'parentJobId' | 'originalPath' | 'fileName' | 'state' | 'updatedAtMs' | 'folderDocument'
>;

/** Which names are refused to a new job: one that a completed or active job has, or one that an active job has. */
export type NameRules = { readonly rejectProcessed: boolean; readonly rejectActive?: boolean | undefined };

// A path may be longer than a key of DynamoDB.
const keyOf = (kind: 'PATH' | 'NAME' | 'OUTPUT' | 'ACTION', text: string) => ({
  pk: `${kind}#${hashOfName(text).toString('base64url')}`,
  sk: kind,
});

/** The keys under which the path and the name of a file are claimed. */
export const claimKeys = {
  path: (originalPath: string) => keyOf('PATH', originalPath),
  name: (fileName: string) => keyOf('NAME', fileName),
};

/** Claims the path and the name of a new job, or its action. Without a rule the name is counted, whoever has it. */
export const claimingNames = (
  { id, parentJobId, originalPath, fileName, folderDocument }: Claims,
  { rejectProcessed, rejectActive = false }: NameRules,
): ItemWrite[] =>
  folderDocument
    ? [claimingAction(folderDocument, { id, isRetry: parentJobId !== null, isActive: true })]
    : [
        ...(originalPath === null
          ? []
          : [claiming(keyOf('PATH', originalPath), id, 'job.already-processing')]),
        {
          item: {
            Update: nameUpdate(
              fileName,
              { holders: 1, active: 1 },
              rejectProcessed ? 'holders' : rejectActive ? 'active' : undefined,
            ),
          },
          refusal: () =>
            errors.refuse(rejectProcessed ? 'file.already-processed' : 'job.already-processing', {
              fileName,
            }),
        },
      ];

/** Refuses what `claimingNames` would refuse now, without claiming anything. */
export async function requireFreeNames({
  originalPath,
  fileName,
}: Pick<Claims, 'originalPath' | 'fileName'>): Promise<void> {
  const name = keyOf('NAME', fileName);
  const path = originalPath === null ? [] : [keyOf('PATH', originalPath)];
  const found = await getBatch(tableName('batch'), [name, ...path]);
  if (found.some(({ sk }) => sk?.S === 'PATH')) throw errors.refuse('job.already-processing');
  const holders = Number(found.find(({ pk }) => pk?.S === name.pk)?.holders?.N ?? 0);
  if (settings['Pipeline:RejectAlreadyProcessedFileNames'] && holders > 0)
    throw errors.refuse('file.already-processed', { fileName });
}

/** Of a job that is completed: its path is free, its name is kept. */
export const keepingName = ({ originalPath, fileName, folderDocument, updatedAtMs }: Claims): ItemWrite[] =>
  folderDocument
    ? [endingAction(folderDocument, Math.ceil(updatedAtMs / 1_000) + SIGNED_KEPT_SECONDS)]
    : [...releasingPath(originalPath), { item: { Update: nameUpdate(fileName, { active: -1 }) } }];

/** Of a job that fails or is canceled: path and name are free. */
export const releasingNames = ({ originalPath, fileName, folderDocument }: Claims): ItemWrite[] =>
  folderDocument
    ? [endingAction(folderDocument)]
    : [
        ...releasingPath(originalPath),
        { item: { Update: nameUpdate(fileName, { holders: -1, active: -1 }) } },
      ];

/** Of a job that has ended and is deleted: a completed one had its name still. */
export const releasingKeptName = ({ state, folderDocument, fileName }: Claims): ItemWrite[] =>
  state === 'Completed' && !folderDocument
    ? [{ item: { Update: nameUpdate(fileName, { holders: -1 }) } }]
    : [];

const releasingPath = (originalPath: string | null): ItemWrite[] =>
  originalPath === null ? [] : [removing(keyOf('PATH', originalPath))];

const actionKeyOf = ({ documentId, flowActionId }: FolderDocument) =>
  keyOf('ACTION', `${documentId}/${flowActionId ?? ''}`);

/** Claims the action of a document. A retry takes it over from a job that has ended. */
const claimingAction = (
  document: FolderDocument,
  { id, isRetry, isActive }: { readonly id: string; readonly isRetry: boolean; readonly isActive: boolean },
): ItemWrite => ({
  item: {
    Put: {
      TableName: tableName('batch'),
      Item: toAttributes({ ...actionKeyOf(document), jobId: id, isActive }),
      ConditionExpression: `attribute_not_exists(pk)${isRetry ? ' OR isActive = :no' : ''}`,
      ...(isRetry && { ExpressionAttributeValues: { ':no': { BOOL: false } } }),
    },
  },
  refusal: () => errors.refuse('job.already-processing'),
});

/** Claims the document of a job that has failed at once: it is told once. A file leaves no claim. */
export const claimingRefused = ({ id, folderDocument }: Claims): ItemWrite[] =>
  folderDocument ? [claimingAction(folderDocument, { id, isRetry: false, isActive: false })] : [];

/** Which of these documents have a job for their action, active, ended or deleted. */
export async function findKnownActions(
  documents: readonly FolderDocument[],
): Promise<ReadonlySet<FolderDocument>> {
  const found = await getBatch(tableName('batch'), documents.map(actionKeyOf));
  const known = new Set(found.map(({ pk }) => pk?.S));
  return new Set(documents.filter((document) => known.has(actionKeyOf(document).pk)));
}

// Far longer than a platform takes to show a signature.
const SIGNED_KEPT_SECONDS = 365 * 24 * 60 * 60;

const endingAction = (document: FolderDocument, ttl?: number): ItemWrite => ({
  item: {
    Update: {
      TableName: tableName('batch'),
      Key: keyAttributes(actionKeyOf(document)),
      UpdateExpression: `SET isActive = :no${ttl === undefined ? '' : ', #ttl = :ttl'}`,
      ...(ttl !== undefined && { ExpressionAttributeNames: { '#ttl': 'ttl' } }),
      ExpressionAttributeValues: {
        ':no': { BOOL: false },
        ...(ttl !== undefined && { ':ttl': { N: String(ttl) } }),
      },
    },
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
