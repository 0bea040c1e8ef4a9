import type { Caller } from '../../../../../shared/access/caller.ts';
import { ThreadsBusy } from '../../../../../shared/async/thread-pool.ts';
import { files } from '../../../../../shared/files/files.ts';
import { readFile } from '../../../../../shared/files/stored-file.ts';
import {
  type LineKind,
  type RunOptions,
  type RunOutcome,
  runLines,
} from '../../../../../shared/lines/run-lines.ts';
import type { Line } from '../../../../../shared/lines/split-lines.ts';
import { type LineError, type LineRun, workLine } from '../../../../../shared/lines/work-line.ts';
import type { Logger } from '../../../../../shared/log/logger.ts';
import { AlreadyExists } from '../../../../../shared/store/refusals.ts';
import type { PeopleOfLine } from '../../../contract/generation.ts';
import { errors } from '../../../errors.ts';
import { refuseBecause } from '../../../sentences/sentences.ts';
import { createPlanned } from '../../creating/create-documents.ts';
import { planCreation } from '../../creating/plan-creation.ts';
import { documentItems } from '../../document/document.ts';
import { documentIdOfCode } from '../../document/verification-code.ts';
import { ORGANIZATIONS_OF } from '../../places/organization.ts';
import { receiveUpload } from '../../uploads/receive-upload.ts';
import {
  cancelingGenerationMessage,
  codeOfRow,
  documentIdOfRow,
  type Generation,
  generationErrors,
  generationMessage,
  generationStates,
  generations,
} from './generation.ts';
import { fillPatterns } from './patterns.ts';
import { MAX_ROW_BYTES, type Row } from './read-table.ts';
import { fillTemplate } from './template.ts';

/** Reads what a line asks for, by the contract. Throws the Refusal of one that does not hold. */
export type ReadPeople = (value: unknown) => PeopleOfLine;

// One organization has two threads for its files. The others read and write meanwhile.
const LINES_AT_ONCE = 4;

/** Makes the documents of a generation from its last checkpoint on. Running it twice does no harm. */
export async function runGeneration(
  generationId: string,
  { readPeople, now, logger }: RunOptions & { readonly readPeople: ReadPeople },
): Promise<RunOutcome> {
  const kind = kindOf(readPeople);
  const { outcome, batch } = await runLines(kind, generationId, { now, logger });
  if (outcome === 'finished' && batch && generationStates.isTerminal(batch.state))
    await removeFiles(batch, logger);
  return outcome;
}

const isOver = ({ state }: Generation): boolean => !generationStates.accepts(state, 'begun');

const kindOf = (readPeople: ReadPeople): LineKind<Generation> => {
  let template: Promise<Buffer> | undefined;
  return {
    service: 'documents',
    batches: generations,
    // A row is stored with its line number around it.
    maxLineBytes: MAX_ROW_BYTES + 1_024,
    linesAtOnce: LINES_AT_ONCE,
    idOf: documentIdOfRow,
    findMade: async (ids) => (await documentItems.getMany(ids)).map(({ id }) => id),
    make(generation, line, run) {
      template ??= readFile('documents', generation.template);
      return makeRow({ generation, template, readPeople }, line, run);
    },
    stateAfter: ({ state }, { created, failed, isLast }) => {
      const ended = failed === 0 ? 'completed' : created > 0 ? 'partlyDone' : 'failed';
      return generationStates.next(state, isLast ? ended : 'begun') ?? state;
    },
    isOver,
    isStopping: (generation) => {
      const state = generationStates.next(generation.state, 'begun');
      return state !== undefined && isOver({ ...generation, state });
    },
    recording: ({ id: generationId, createdAtMs }, error) =>
      generationErrors.putting({ ...error, generationId, createdAtMs }),
    message: generationMessage,
    cancelingMessage: cancelingGenerationMessage,
  };
};

type RowContext = {
  readonly generation: Generation;
  readonly template: Promise<Buffer>;
  readonly readPeople: ReadPeople;
};

type RowRequest = PeopleOfLine & { readonly values: Readonly<Record<string, string>> };

/** Makes the document of a row, once. Answers why not where the row is refused, with its line of the file. */
async function makeRow(context: RowContext, line: Line, run: LineRun): Promise<LineError | undefined> {
  const { generation, readPeople } = context;
  const row = JSON.parse(line.bytes?.toString('utf8') ?? '{}') as Row;
  const error = await workLine(
    line,
    {
      batchId: generation.id,
      read: (): RowRequest => {
        if ('problem' in row) throw refuseBecause('InvalidRequest', row.problem, { field: 'line' });
        return { ...readPeople(fillPatterns(generation.patterns, row.values)), values: row.values };
      },
      make: (request) => createOnce(context, line.number, request, run),
      unexpected: () => errors.refuse('UnexpectedError'),
      isPassing: (failure) => failure instanceof ThreadsBusy,
    },
    run,
  );
  return error && { ...error, line: row.line };
}

//   worker 1  |--fill--upload--|document of row 7|-- killed before its checkpoint
//   worker 2                                          |--row 7 exists: counted--|--fill row 8 ...
//
// The document of a row has the same id in every run. An upload of a run that was killed is collected.

async function createOnce(
  { generation, template }: RowContext,
  row: number,
  { values, documentName, ...people }: RowRequest,
  { now, deadlineAtMs }: LineRun,
): Promise<void> {
  const content = await fillTemplate(
    generation,
    await template,
    { title: documentName, values },
    { now, deadlineAtMs },
  );
  const file = { name: `${documentName}.pdf`, contentType: 'application/pdf' };
  const { organizationId, folderId, expirationDate, silence, language = null } = generation;
  const upload = await receiveUpload({ organizationId, ...file, content }, now());
  const request = {
    files: [{ id: upload.id, displayName: documentName, ...file }],
    ...people,
    ...{ folderId, newFolderName: null, expirationDate, language, additionalInfo: null, attachments: [] },
    disableNotifications: silence === 'all',
    disablePendingActionNotifications: silence === 'pending',
  };
  const code = codeOfRow(generation, row);
  try {
    await createPlanned(() =>
      planCreation(callerOf(generation), request, now(), { uploaded: [upload], code }),
    );
  } catch (error) {
    const isMade = error instanceof AlreadyExists && (await documentItems.get(documentIdOfCode(code)));
    if (!isMade) throw error;
  }
}

/** Who asked for it, in its organization alone. */
const callerOf = ({ application, organizationId }: Generation): Caller => ({
  ...{ application, keyId: '', permissions: [] },
  registered: { [ORGANIZATIONS_OF]: [organizationId] },
});

/** The rows name people: they are not kept. A file that stays is removed by the bucket's own rule. */
async function removeFiles({ id: generationId, file, template }: Generation, logger: Logger): Promise<void> {
  const removing = [file, template.key].map((key) => files('documents').remove(key));
  await Promise.all(removing).catch((error: unknown) =>
    logger.warn('The files of a generation were not removed. The bucket removes them later.', {
      generationId,
      error,
    }),
  );
}
