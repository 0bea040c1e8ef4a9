import { getBoth } from '../../../../../shared/store/collection.ts';
import { keyedItems } from '../../../../../shared/store/keyed-items.ts';
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

type Holder = { readonly jobId: string };
type NameCounts = { readonly holders: number; readonly active: number };
type ActionHolder = Holder & { readonly isActive: boolean; readonly ttl?: number };

// A path may be longer than a key of DynamoDB.
const claimsOf = <T extends object, Id = string>(
  kind: 'PATH' | 'NAME' | 'OUTPUT' | 'ACTION',
  textOf: (id: Id) => string = String,
) =>
  keyedItems<T, Id>({
    service: 'batch',
    key: (id) => ({ pk: `${kind}#${hashOfName(textOf(id)).toString('base64url')}`, sk: kind }),
  });

const paths = claimsOf<Holder>('PATH');
const names = claimsOf<NameCounts>('NAME');
const outputs = claimsOf<Holder>('OUTPUT');
const actions = claimsOf<ActionHolder, FolderDocument>(
  'ACTION',
  ({ documentId, flowActionId }) => `${documentId}/${flowActionId ?? ''}`,
);

/** The keys under which the path and the name of a file are claimed. */
export const claimKeys = { path: paths.key, name: names.key };

const NONE = { anyOf: [undefined, { atMost: 0 }] } as const;

/** Claims the path and the name of a new job, or its action. Without a rule the name is counted, whoever has it. */
export function claimingNames(
  { id: jobId, parentJobId, originalPath, fileName, folderDocument }: Claims,
  { rejectProcessed, rejectActive = false }: NameRules,
): ItemWrite[] {
  if (folderDocument)
    return [claimingAction(folderDocument, { jobId, isActive: true }, { isRetry: parentJobId !== null })];
  const alreadyProcessing = () => errors.refuse('job.already-processing');
  return [
    ...(originalPath === null
      ? []
      : [paths.putting(originalPath, { jobId }, { when: 'no item', refusal: alreadyProcessing })]),
    names.adding(
      fileName,
      { holders: 1, active: 1 },
      rejectProcessed
        ? { when: { holders: NONE }, refusal: () => errors.refuse('file.already-processed', { fileName }) }
        : rejectActive
          ? { when: { active: NONE }, refusal: () => errors.refuse('job.already-processing', { fileName }) }
          : undefined,
    ),
  ];
}

/** Refuses what `claimingNames` would refuse now, without claiming anything. */
export async function requireFreeNames({
  originalPath,
  fileName,
}: {
  readonly originalPath: string;
  readonly fileName: string;
}): Promise<void> {
  const [path, name] = await getBoth([paths, originalPath], [names, fileName]);
  if (path) throw errors.refuse('job.already-processing');
  if (settings['Pipeline:RejectAlreadyProcessedFileNames'] && (name?.holders ?? 0) > 0)
    throw errors.refuse('file.already-processed', { fileName });
}

/** Of a job that is completed: its path is free, its name is kept. */
export const keepingName = (job: Claims): ItemWrite[] =>
  job.folderDocument
    ? [endingAction(job.folderDocument, Math.ceil(job.updatedAtMs / 1_000) + SIGNED_KEPT_SECONDS)]
    : [...releasingPath(job), names.adding(job.fileName, { active: -1 })];

/** Of a job that fails or is canceled: path and name are free. */
export const releasingNames = (job: Claims): ItemWrite[] =>
  job.folderDocument
    ? [endingAction(job.folderDocument)]
    : [...releasingPath(job), names.adding(job.fileName, { holders: -1, active: -1 })];

/** Of a job that has ended and is deleted: a completed one had its name still. */
export const releasingKeptName = ({ state, folderDocument, fileName }: Claims): ItemWrite[] =>
  state === 'Completed' && !folderDocument ? [names.adding(fileName, { holders: -1 })] : [];

const releasingPath = ({ originalPath }: Claims): ItemWrite[] =>
  originalPath === null ? [] : [paths.removing(originalPath)];

/** Claims the action of a document. A retry takes it over from a job that has ended. */
const claimingAction = (
  document: FolderDocument,
  holder: ActionHolder,
  { isRetry }: { readonly isRetry: boolean },
): ItemWrite =>
  actions.putting(document, holder, {
    when: isRetry ? { anyOf: ['no item', { isActive: false }] } : 'no item',
    refusal: () => errors.refuse('job.already-processing'),
  });

/** Claims the document of a job that has failed at once: it is told once. A file leaves no claim. */
export const claimingRefused = ({ id: jobId, folderDocument }: Claims): ItemWrite[] =>
  folderDocument ? [claimingAction(folderDocument, { jobId, isActive: false }, { isRetry: false })] : [];

/** Which of these documents have a job for their action, active, ended or deleted. */
export async function findKnownActions(
  documents: readonly FolderDocument[],
): Promise<ReadonlySet<FolderDocument>> {
  const found = await actions.getMany(documents);
  return new Set(documents.filter((_, n) => found[n] !== undefined));
}

// Far longer than a platform takes to show a signature.
const SIGNED_KEPT_SECONDS = 365 * 24 * 60 * 60;

const endingAction = (document: FolderDocument, ttl?: number): ItemWrite =>
  actions.patching(document, { isActive: false, ...(ttl !== undefined && { ttl }) });

/** Reserves a name in output/ for a job. Refused with OutputTaken. */
export const reservingOutput = (outputName: string, jobId: string): ItemWrite =>
  outputs.putting(outputName, { jobId }, { when: 'no item', refusal: () => new OutputTaken(outputName) });

/** Frees the name of a job's output. Refused with OutputTaken when the name belongs to another job by now. */
export const releasingOutput = (outputName: string, jobId: string): ItemWrite =>
  outputs.removing(outputName, { when: { jobId }, refusal: () => new OutputTaken(outputName) });

/** The job that has a name in output/, if any. */
export const outputHolder = async (outputName: string): Promise<string | undefined> =>
  (await outputHolders([outputName])).get(outputName);

/** The jobs that have these names in output/, by name. */
export async function outputHolders(outputNames: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = await outputs.getMany(outputNames);
  return new Map(outputNames.flatMap((name, n) => (found[n] ? [[name, found[n].jobId]] : [])));
}

/** Another job's file has this name in output/. */
export class OutputTaken extends Error {
  override readonly name = 'OutputTaken';

  constructor(outputName: string) {
    super(`Another job's file is ${outputName} in output/.`);
  }
}
