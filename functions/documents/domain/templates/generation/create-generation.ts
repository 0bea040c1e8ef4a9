import { randomBytes, randomUUID } from 'node:crypto';
import type { Caller } from '../../../../../shared/access/caller.ts';
import { ThreadsBusy } from '../../../../../shared/async/thread-pool.ts';
import { files } from '../../../../../shared/files/files.ts';
import { readFile } from '../../../../../shared/files/stored-file.ts';
import { START } from '../../../../../shared/lines/split-lines.ts';
import type { Stored } from '../../../../../shared/store/collection.ts';
import { commit } from '../../../../../shared/store/commit.ts';
import { keepingAnswer } from '../../../../../shared/store/kept-answers.ts';
import { retryOnConflict } from '../../../../../shared/store/retry-on-conflict.ts';
import type { CreateGeneration } from '../../../contract/generation.ts';
import { errors } from '../../../errors.ts';
import { refuseBecause, say } from '../../../sentences/sentences.ts';
import type { FillOptions } from '../../creating/fill-files.ts';
import { shownName } from '../../creating/new-document.ts';
import { expiryOf, resolveDestination } from '../../creating/plan-creation.ts';
import { requireElectronicPossible } from '../../creating/require-electronic.ts';
import { planFlow } from '../../flow/new-flow.ts';
import { isInScope, ORGANIZATIONS_OF, organizationNotFound } from '../../places/organization.ts';
import { taskMessage } from '../../tasks.ts';
import { takingUploads } from '../../uploads/take-or-collect.ts';
import { fileOf, type Upload } from '../../uploads/upload.ts';
import {
  type Generation,
  generationMessage,
  generations,
  listingGeneration,
  type Patterns,
} from './generation.ts';
import { columnsIn, fillWithSamples } from './patterns.ts';
import { renderGeneration } from './read-generation.ts';
import { MAX_TABLE_BYTES, readTable, type Table } from './read-table.ts';
import type { ReadPeople } from './run-generation.ts';
import { inspectTemplate, type Template } from './template.ts';

// The files are in the bucket before the generation is. A process that is killed between the two leaves files that no
// generation names: the bucket's own rule removes them.

export type CreateOptions = FillOptions & {
  /** Reads what a line asks for by the contract. Throws the Refusal of one that does not hold. */
  readonly readPeople: ReadPeople;
};

/** Begins to make a document of each line of a table. Whatever would be wrong with every line is refused here. */
export async function createGeneration(
  caller: Caller,
  request: CreateGeneration,
  nowMs: number,
  { readPeople, ...options }: CreateOptions,
): Promise<Stored<Generation>> {
  const id = randomUUID();
  const seed = randomBytes(32).toString('base64url');
  return retryOnConflict(async () => {
    expiryOf(request, nowMs);
    const scoped = scopeTo(caller, request.organizationId);
    const destination = await resolveDestination(scoped, request, nowMs);
    const { organizationId, folderId } = destination;
    const taken = await takingUploads([request.templateFile.id, request.dataFile.id], organizationId);
    const [templateUpload, dataUpload] = [...taken.uploads.values()] as [Stored<Upload>, Stored<Upload>];
    const table = await readData(dataUpload);
    const template = await inspectTemplate(templateUpload, options).catch(refuseIfBusy);
    const name = shownName(request.templateFile, templateUpload);
    const patterns = patternsOf(request, name, templateUpload.id);
    const sample = planFlow(readPeople(fillWithSamples(patterns)).flowActions, organizationId);
    await requireElectronicPossible(sample, destination.organizationId, [], nowMs);
    const uses = usesOf(template, patterns, table, templateUpload.id);
    const stored = await storeFiles(id, templateUpload, table);
    const created = generations.creating({
      ...{ id, organizationId, application: caller.application, folderId, seed, patterns, ...uses },
      ...{ state: 'Pending', template: { ...stored.template, kind: template.kind, name }, ...stored.rows },
      ...{ expirationDate: request.expirationDate, silence: silenceOf(request) },
      ...(request.language && { language: request.language }),
      ...{ lines: table.rows.length, created: 0, failed: 0, ...START },
      ...{ createdAtMs: nowMs, updatedAtMs: nowMs },
    });
    refuseTooLarge(created.after);
    await commit([
      created,
      listingGeneration(created.after),
      ...destination.writes,
      ...taken.writes,
      taskMessage({ task: 'removeFiles', keys: [templateUpload, dataUpload].map(fileOf) }),
      generationMessage(id),
      ...(await keepingAnswer(renderGeneration(created.after))),
    ]);
    return created.after;
  });
}

function scopeTo(caller: Caller, organizationId: string | null): Caller {
  if (organizationId === null) return caller;
  if (!isInScope(caller, organizationId)) throw organizationNotFound(organizationId);
  return { ...caller, registered: { ...caller.registered, [ORGANIZATIONS_OF]: [organizationId] } };
}

/** The lines of an upload. Refused with DataFileNotUsable. */
export async function readData(upload: Upload): Promise<Table> {
  const { id: uploadId, size } = upload;
  if (size > MAX_TABLE_BYTES)
    throw refuseBecause('DataFileNotUsable', say('table.too-large', { bytes: MAX_TABLE_BYTES }), {
      uploadId,
    });
  return readTable(await readFile('documents', { key: fileOf(upload), size }), uploadId);
}

function refuseIfBusy(error: unknown): never {
  if (!(error instanceof ThreadsBusy)) throw error;
  const headers = { 'retry-after': '5' };
  throw errors.refuse('TooManyRequests', { reason: 'too many files are being read' }, { headers });
}

type PatternRequest = Pick<
  CreateGeneration,
  'documentName' | 'flowActions' | 'observers' | 'notifiedEmails' | 'description' | 'tags'
>;

/** What each line fills in. A mark on this upload is on the document, whose file has another id. */
export function patternsOf(request: PatternRequest, name: string, uploadId?: string): Patterns {
  const withoutUpload = (action: unknown): unknown =>
    JSON.parse(JSON.stringify(action), (key, value) =>
      key === 'uploadId' && value === uploadId ? null : value,
    );
  return {
    documentName: request.documentName ?? name,
    flowActions: request.flowActions.map(withoutUpload),
    observers: request.observers ?? [],
    notifiedEmails: request.notifiedEmails ?? [],
    description: request.description,
    tags: request.tags ?? [],
  };
}

const silenceOf = (request: CreateGeneration): Generation['silence'] =>
  request.disableNotifications ? 'all' : request.disablePendingActionNotifications ? 'pending' : null;

/** Which columns are used, and which names have none. */
export function matchColumns(template: Template, patterns: unknown, columns: readonly string[]) {
  const named = [...columnsIn(patterns), ...(template.kind === 'text' ? template.names : [])];
  const fields = template.kind === 'form' ? template.names.filter((name) => columns.includes(name)) : [];
  return {
    named,
    fields,
    missing: [...new Set(named)].filter((name) => !columns.includes(name)),
    ignoredColumns: columns.filter((name) => !named.includes(name) && !fields.includes(name)),
  };
}

/** The fields that have a column, and the columns without a use. A name that no column has is refused. */
function usesOf(template: Template, patterns: Patterns, { columns }: Table, uploadId: string) {
  const { fields, missing, ignoredColumns } = matchColumns(template, patterns, columns);
  const [unknown] = missing;
  if (unknown !== undefined)
    throw refuseBecause(
      'DataFileNotUsable',
      say('table.missing-column', { name: unknown, columns: columns.join(', ') }),
      { column: unknown },
    );
  // Thousands of people would get a form that nobody has filled in.
  if (template.kind === 'form' && template.names.length > 0 && fields.length === 0)
    throw refuseBecause(
      'TemplateNotUsable',
      say('template.no-fields', { fields: template.names.slice(0, 50).join(', ') }),
      { uploadId },
    );
  return { fields, ignoredColumns };
}

/** Copies the template, and stores the rows as lines of JSON. */
async function storeFiles(id: string, upload: Stored<Upload>, { rows }: Table) {
  const [templateKey, file] = [`generations/${id}/template`, `generations/${id}/rows.ndjson`];
  if ((await files('documents').copy(fileOf(upload), templateKey)) !== 'copied')
    throw errors.refuse('UploadNotFound', { uploadId: upload.id });
  const content = Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const { length: bytes } = await files('documents').put(file, content, {
    contentType: 'application/x-ndjson',
  });
  return { template: { key: templateKey, size: upload.size }, rows: { file, bytes } };
}

// An item of the table holds 400 KB, and every document has the flow as well.
const MAX_GENERATION_BYTES = 120_000;

function refuseTooLarge(generation: Generation): void {
  if (Buffer.byteLength(JSON.stringify(generation)) <= MAX_GENERATION_BYTES) return;
  const reason = 'are too large together to be stored as one document';
  throw errors.refuse('InvalidRequest', { field: 'flowActions', reason });
}
