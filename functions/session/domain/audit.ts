import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../shared/access/caller.ts';
import { mergeSorted } from '../../../shared/async/merge-sorted.ts';
import { Refusal } from '../../../shared/errors/errors.ts';
import { logger } from '../../../shared/log/logger.ts';
import { collection, type Stored } from '../../../shared/store/collection.ts';
import { pageByCursor } from '../../../shared/store/cursor.ts';
import { type Shards, shards } from '../../../shared/store/shards.ts';
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
const plainPartition = (day: string): string => `AUDIT#${day}`;
const shardsOf = (day: string): Shards => shards(plainPartition(day), 8);

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

/**
 * Runs an operation and records who ran it, for which CPF, and how it ended. A signing call adds each of its documents.
 * The trail never holds a document or a PIN.
 */
export async function audit<T>(
  subject: AuditSubject,
  now: () => number,
  run: (noteOutcome: (document: DocumentOutcome) => void) => Promise<T>,
): Promise<T> {
  const documents: DocumentOutcome[] = [];
  try {
    const result = await run((document) => documents.push(document));
    await recordAudit(subject, { documents }, now());
    return result;
  } catch (error) {
    const refusedAs = error instanceof Refusal ? error.code : 'INTERNAL_ERROR';
    await recordAudit(subject, { documents, refusedAs }, now());
    throw error;
  }
}

type AuditResult = {
  readonly documents: readonly DocumentOutcome[];
  /** The code that the caller was answered. */
  readonly refusedAs?: string;
};

// A platform's explanation may be a page long.
const MAX_REASON_CHARACTERS = 300;

/** Writes an audit entry. A failed write is logged and fails no call. */
export async function recordAudit(
  { caller: { application, keyId }, correlationId, operation, cpf }: AuditSubject,
  { documents, refusedAs }: AuditResult,
  nowMs: number,
): Promise<void> {
  const notSigned = documents
    .filter(({ outcome }) => outcome !== 'ok')
    .map(({ reason, ...rest }) => ({
      ...rest,
      ...(reason && { reason: reason.slice(0, MAX_REASON_CHARACTERS) }),
    }));
  const outcome = refusedAs ?? notSigned[0]?.outcome ?? 'ok';
  const logged = { operation, outcome, application, keyId, correlationId };
  const signatureIds = documents.flatMap(({ signatureId }) => signatureId ?? []);
  const entry: AuditEntry = {
    ...logged,
    id: randomUUID(),
    at: new Date(nowMs).toISOString(),
    cpf,
    signatureIds,
    ...(notSigned.length > 0 && { notSigned }),
  };
  await entries.create(entry).catch((error: unknown) => {
    logger('session').error('An audit entry was not kept.', { ...logged, signatureIds, error });
  });
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
  // Entries of versions without shards are under the plain key.
  const partitions = [plainPartition(day), ...shardsOf(day).all];
  yield* mergeSorted(partitions.map(entriesUnder), (a, b) => (sortKeyOf(a) < sortKeyOf(b) ? -1 : 1));
}

async function* entriesUnder(pk: string): AsyncGenerator<Stored<AuditEntry>> {
  let cursor: string | undefined;
  do {
    const page = await pageByCursor(entries, { pk, limit: READ_AT_ONCE, ...(cursor && { cursor }) });
    if (!('items' in page)) return;
    yield* page.items;
    cursor = page.next;
  } while (cursor);
}
