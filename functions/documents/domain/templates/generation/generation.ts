import { createHmac } from 'node:crypto';
import * as z from 'zod';
import type { Caller } from '../../../../../shared/access/caller.ts';
import type { LineBatch } from '../../../../../shared/lines/run-lines.ts';
import type { LineError } from '../../../../../shared/lines/work-line.ts';
import { sending } from '../../../../../shared/queue/outbox.ts';
import { collection, type Stored } from '../../../../../shared/store/collection.ts';
import { canceling } from '../../../../../shared/store/due/message.ts';
import { readLast } from '../../../../../shared/store/partition.ts';
import { type StateOf, stateMachine } from '../../../../../shared/store/state-machine.ts';
import type { Language } from '../../../../../shared/ui/languages.ts';
import { errors } from '../../../errors.ts';
import { codeOfBytes, documentIdOfCode } from '../../document/verification-code.ts';
import { isInScope } from '../../places/organization.ts';

/**
 * Completed: every line became a document. Done: some of them did, and the others were refused. Error: none did.
 * A generation that is canceled makes no further document, and can go on later.
 */
export const generationStates = stateMachine({
  Pending: {
    begun: 'Init',
    completed: 'Completed',
    partlyDone: 'Done',
    failed: 'Error',
    canceled: 'Canceling',
  },
  Init: { begun: 'Init', completed: 'Completed', partlyDone: 'Done', failed: 'Error', canceled: 'Canceling' },
  Canceling: { begun: 'Canceled', completed: 'Completed', partlyDone: 'Done', failed: 'Error' },
  Canceled: { resumed: 'Pending' },
  Completed: {},
  Done: {},
  Error: {},
});

export type GenerationState = StateOf<typeof generationStates>;

/** JSON of a request, in which texts may name columns: `{{name}}`. */
export type Patterns = {
  readonly documentName: string;
  readonly flowActions: readonly unknown[];
  readonly observers: readonly unknown[];
  readonly notifiedEmails: readonly unknown[];
  readonly description: string | null;
  readonly tags: readonly unknown[];
};

/** Documents to be made of a template, one for each line of a table of people. */
export type Generation = LineBatch & {
  readonly state: GenerationState;
  readonly organizationId: string;
  readonly application: string;
  readonly folderId: string | null;
  readonly template: {
    readonly key: string;
    readonly kind: 'form' | 'text';
    readonly name: string;
    readonly size: number;
  };
  /** The fields of the template that have a column. */
  readonly fields: readonly string[];
  /** The columns that nothing uses. */
  readonly ignoredColumns: readonly string[];
  readonly patterns: Patterns;
  readonly expirationDate: string | null;
  readonly silence: 'all' | 'pending' | null;
  /** Of its documents. */
  readonly language?: Language;
  /** Makes the codes of its documents. Whoever knew it would know them. */
  readonly seed: string;
  readonly lines: number;
  readonly createdAtMs: number;
};

// The record is read for some months after the documents are made.
const KEPT_SECONDS = 400 * 24 * 3600;

export const generations = collection<Generation, string>({
  service: 'documents',
  name: 'generation',
  id: ({ id }) => id,
  key: (id) => ({ pk: `GENERATION#${id}`, sk: 'GENERATION' }),
  indexed: ({ createdAtMs }) => ({ ttl: Math.ceil(createdAtMs / 1000) + KEPT_SECONDS }),
});

type GenerationEntry = Pick<Generation, 'id' | 'organizationId' | 'createdAtMs'>;

const partitionOf = (organizationId: string): string => `GENERATIONS#${organizationId}`;

/** Where the generations of an organization are found, the newest last. */
const generationEntries = collection<GenerationEntry, GenerationEntry>({
  service: 'documents',
  name: 'entry of a generation',
  id: ({ id, organizationId, createdAtMs }) => ({ id, organizationId, createdAtMs }),
  key: ({ id, organizationId, createdAtMs }) => ({
    pk: partitionOf(organizationId),
    sk: `${new Date(createdAtMs).toISOString()}#${id}`,
  }),
  indexed: ({ createdAtMs }) => ({ ttl: Math.ceil(createdAtMs / 1000) + KEPT_SECONDS }),
});

export const listingGeneration = ({ id, organizationId, createdAtMs }: Generation) =>
  generationEntries.creating({ id, organizationId, createdAtMs });

/** The newest generations of an organization, newest first. */
export async function newestGenerations(organizationId: string, limit: number): Promise<Generation[]> {
  const rows = await readLast('documents', partitionOf(organizationId), limit);
  return generations.getMany(rows.map((row) => generationEntries.read(row).id));
}

/** Numbered from 1 in the order of their lines, so that each page of them is read by key. */
type NumberedError = LineError & {
  readonly generationId: string;
  readonly number: number;
  readonly createdAtMs: number;
};

export const generationErrors = collection<NumberedError, Pick<NumberedError, 'generationId' | 'number'>>({
  service: 'documents',
  name: 'error of a generation',
  id: ({ generationId, number }) => ({ generationId, number }),
  key: ({ generationId, number }) => ({ pk: `GENERATION_ERROR#${generationId}#${number}`, sk: 'ERROR' }),
  indexed: ({ createdAtMs }) => ({ ttl: Math.ceil(createdAtMs / 1000) + KEPT_SECONDS }),
});

/** A generation of an organization of the key's scope. Any other does not exist. */
export async function requireGeneration(
  caller: Pick<Caller, 'registered'>,
  id: string,
): Promise<Stored<Generation>> {
  const found = await generations.get(id);
  if (found && isInScope(caller, found.organizationId)) return found;
  throw errors.refuse('GenerationNotFound', { resourceName: 'Generation', resourceId: id });
}

/** The code of the document of a row, from 1: the same in every run, so that it is created once. */
export const codeOfRow = ({ seed }: Pick<Generation, 'seed'>, row: number): string =>
  codeOfBytes(createHmac('sha256', seed).update(String(row)).digest());

export const documentIdOfRow = (generation: Pick<Generation, 'seed'>, row: number): string =>
  documentIdOfCode(codeOfRow(generation, row));

/** Generations have a queue of their own, so that they delay no other task. */
export const GENERATIONS_QUEUE = 'generations';

export const GenerationMessage = z.object({ generationId: z.string() });

const messageIdOf = (generationId: string): string => `generation:${generationId}`;

/** Asks for work on a generation, now or at a time. A later one of the same generation replaces it. */
export const generationMessage = (generationId: string, dueAtMs?: number) =>
  sending({
    service: 'documents',
    queue: GENERATIONS_QUEUE,
    body: { generationId } satisfies z.infer<typeof GenerationMessage>,
    id: messageIdOf(generationId),
    dueAtMs,
  });

export const cancelingGenerationMessage = (generationId: string) =>
  canceling('documents', messageIdOf(generationId));
