import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../shared/access/caller.ts';
import { mergeSorted } from '../../../shared/async/merge-sorted.ts';
import { Refusal } from '../../../shared/errors/errors.ts';
import { logger } from '../../../shared/log/logger.ts';
import { collection, type Stored } from '../../../shared/store/collection.ts';
import { commit, isRefused } from '../../../shared/store/commit.ts';
import { eachItem } from '../../../shared/store/cursor.ts';
import { AnswerKept } from '../../../shared/store/kept-answers.ts';
import { RaceLost } from '../../../shared/store/refusals.ts';
import { type Shards, shards } from '../../../shared/store/shards.ts';
import type { ItemWrite } from '../../../shared/store/write.ts';
import { settings } from '../settings.ts';

/** How one document of a signing call ended. */
export type DocumentOutcome = {
  /** Its id at the signature service; null where it never reached it. */
  readonly signatureId: string | null;
  /** `ok` once it is signed, else the code of its failure. */
  readonly outcome: string;
  readonly reason?: string | undefined;
};

export type AuditEntry = {
  readonly id: string;
  readonly at: string;
  readonly application: string;
  readonly keyId: string;
  readonly operation: Operation;
  readonly cpf: string;
  /** `ok`, the code that the caller was answered, or the code of the first document that was not signed. */
  readonly outcome: string;
  readonly correlationId: string;
  /** Ids of the documents that reached the signature service. */
  readonly signatureIds: readonly string[];
  /** The documents that were not signed, accepted or not. */
  readonly notSigned?: readonly DocumentOutcome[];
};

/** `signature.sweep` is the outcome of a document whose call did not learn it, under that call's correlation id. */
type Operation =
  | 'session.create'
  | 'session.deactivate'
  | 'signature.create'
  | 'signature.batch'
  | 'signature.sweep';

type Id = Pick<AuditEntry, 'at' | 'id'>;
const sortKeyOf = ({ at, id }: Id): string => `${at}#${id}`;
const dayOf = (at: string): string => at.slice(0, 10);
const shardsOf = (day: string): Shards => shards(`AUDIT#${day}`, 8);

const entries = collection<AuditEntry, Id>({
  service: 'session',
  name: 'audit entry',
  id: ({ at, id }) => ({ at, id }),
  key: ({ at, id }) => ({ pk: shardsOf(dayOf(at)).of(id), sk: sortKeyOf({ at, id }) }),
  indexed: ({ at }) => ({ ttl: Math.ceil(Date.parse(at) / 1000) + settings['Audit:RetentionDays'] * 86_400 }),
});

/** Who did what for whom. */
export type AuditSubject = {
  readonly caller: Pick<Caller, 'application' | 'keyId'>;
  readonly correlationId: string;
  readonly operation: Operation;
  readonly cpf: string;
};

/** The record of one call while it runs. */
export type CallRecord = {
  /** Adds a document to the entry of the call. */
  readonly noteOutcome: (document: DocumentOutcome) => void;
  /** Writes what the call has achieved together with its entry. Throws where it is not written. */
  readonly commit: (writes: readonly ItemWrite[]) => Promise<void>;
  /** Adds a write that ends with the call, and is committed with its entry. */
  readonly addWrite: (write: ItemWrite) => void;
  /** The same for writes without which no other may be: a repeat of the call depends on them. */
  readonly addFirst: (writes: readonly ItemWrite[]) => void;
  /** Adds work that ends with the call, beside the write of its entry. It must not fail. */
  readonly addWork: (work: Promise<void>) => void;
};

/**
 * Runs an operation and records who ran it, for which CPF, and how it ended. A signing call adds each of its documents.
 * The trail never holds a document or a PIN.
 */
export async function audit<T>(
  subject: AuditSubject,
  now: () => number,
  run: (record: CallRecord) => Promise<T>,
): Promise<T> {
  const documents: DocumentOutcome[] = [];
  const writes: EndingWrites = { first: [], others: [] };
  const work: Promise<void>[] = [];
  let isRecorded = false;
  const end = async (refusedAs?: string): Promise<void> => {
    await Promise.all([
      ...work,
      recordAudit(subject, { documents, ...(refusedAs && { refusedAs }) }, now(), writes),
    ]);
  };
  try {
    const result = await run({
      noteOutcome: (document) => documents.push(document),
      addWrite: (write) => writes.others.push(write),
      addFirst: (first) => writes.first.push(...first),
      addWork: (each) => work.push(each),
      async commit(achieved) {
        await commitWithEntry(entryOf(subject, { documents }, now()), achieved);
        isRecorded = true;
      },
    });
    if (!isRecorded) await end();
    return result;
  } catch (error) {
    const refusal = error instanceof Refusal ? error : undefined;
    if (refusal) logRefused(subject, refusal);
    await end(refusal?.code ?? 'INTERNAL_ERROR');
    throw error;
  }
}

/** The line of the call has its code alone. */
function logRefused({ caller, correlationId, operation, cpf }: AuditSubject, refusal: Refusal): void {
  const { code, message: reason, details } = refusal;
  const { application } = caller;
  const fields = { correlationId, operation, application, cpf, code, reason, details };
  logger('session').warn('An operation was refused.', fields);
}

/** The audit trail must not stop a call: where the two cannot be written together, the entry follows by itself. */
async function commitWithEntry(entry: AuditEntry, writes: readonly ItemWrite[]): Promise<void> {
  try {
    await commit([...writes, entries.creating(entry)]);
  } catch (error) {
    if (!isRefused(error)) throw error;
    await commit(writes);
    await createEntry(entry);
  }
}

type AuditResult = {
  readonly documents: readonly DocumentOutcome[];
  /** The code that the caller was answered. */
  readonly refusedAs?: string;
};

// A platform's explanation may be a page long.
const MAX_REASON_CHARACTERS = 300;

// DynamoDB takes 100 writes in one transaction, the entry included.
const MAX_WRITES_WITH_ENTRY = 99;

type EndingWrites = { readonly first: ItemWrite[]; readonly others: ItemWrite[] };

/**
 * Writes an audit entry, and with it the writes that end the call. A failed write is logged and fails no call. A write
 * whose item another has changed or deleted is left out; without `first` all are, and the sweeper ends the call.
 */
export async function recordAudit(
  subject: AuditSubject,
  result: AuditResult,
  nowMs: number,
  { first, others }: EndingWrites = { first: [], others: [] },
): Promise<void> {
  const entry = entryOf(subject, result, nowMs);
  const room = MAX_WRITES_WITH_ENTRY - first.length;
  try {
    await commit([entries.creating(entry), ...first, ...others.slice(0, room)]);
    await Promise.all(others.slice(room).map((write) => commitAlone([write], entry)));
  } catch (error) {
    if (!isRefused(error)) return logNotKept(entry, error);
    await createEntry(entry);
    if (await commitAlone(first, entry))
      await Promise.all(others.map((write) => commitAlone([write], entry)));
  }
}

const createEntry = (entry: AuditEntry): Promise<unknown> =>
  entries.create(entry).catch((error: unknown) => logNotKept(entry, error));

/** Whether the writes are in the store, or need not be any more. */
const commitAlone = (writes: readonly ItemWrite[], { correlationId }: AuditEntry): Promise<boolean> =>
  commit(writes).then(
    () => true,
    (error: unknown) => {
      if (error instanceof RaceLost || error instanceof AnswerKept) return true;
      logger('session').warn('A write at the end of a call failed.', { correlationId, error });
      return false;
    },
  );

function logNotKept({ cpf, at, id, notSigned, ...logged }: AuditEntry, error: unknown): void {
  logger('session').error('An audit entry was not kept.', { ...logged, error });
}

function entryOf(
  { caller: { application, keyId }, correlationId, operation, cpf }: AuditSubject,
  { documents, refusedAs }: AuditResult,
  nowMs: number,
): AuditEntry {
  const notSigned = documents
    .filter(({ outcome }) => outcome !== 'ok')
    .map(({ reason, ...rest }) => ({
      ...rest,
      ...(reason && { reason: reason.slice(0, MAX_REASON_CHARACTERS) }),
    }));
  const outcome = refusedAs ?? notSigned[0]?.outcome ?? 'ok';
  return {
    ...{ operation, outcome, application, keyId, correlationId, cpf },
    id: randomUUID(),
    at: new Date(nowMs).toISOString(),
    signatureIds: documents.flatMap(({ signatureId }) => signatureId ?? []),
    ...(notSigned.length > 0 && { notSigned }),
  };
}

// Of each shard.
const READ_AT_ONCE = 100;
const DAY_MS = 86_400_000;

// Decided by the day: the store deletes expired entries only some time later.
const isPastRetention = (day: string, nowMs: number): boolean =>
  Date.parse(day) + (settings['Audit:RetentionDays'] + 1) * DAY_MS <= nowMs;

/** The entries of one day (yyyy-mm-dd, UTC), oldest first. @example for await (const entry of auditOf('2026-11-15', Date.now())) … */
export async function* auditOf(day: string, nowMs: number): AsyncGenerator<Stored<AuditEntry>> {
  if (isPastRetention(day, nowMs)) return;
  yield* mergeSorted(
    shardsOf(day).all.map((pk) => eachItem(entries, { pk }, READ_AT_ONCE)),
    (a, b) => (sortKeyOf(a) < sortKeyOf(b) ? -1 : 1),
  );
}
