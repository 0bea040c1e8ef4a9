import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../shared/access/caller.ts';
import { Refusal } from '../../../shared/errors/errors.ts';
import { logger } from '../../../shared/log/logger.ts';
import { collection, type Stored } from '../../../shared/store/collection.ts';
import { pageByCursor } from '../../../shared/store/cursor.ts';
import { settings } from '../settings.ts';

/** Who asks, and under which name the log knows the request. */
export type Actor = Pick<Caller, 'application' | 'keyId'> & { readonly correlationId: string };

/** How one document of a signing call ended. */
export type DocumentOutcome = {
  /** Its id at the signature service; null where it never reached it. */
  readonly signatureId: string | null;
  /** `ok` once it is signed, else the code of what stood in the way. */
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
  /** `ok`, or the code that the caller was answered, or that of the first document that was not signed. */
  readonly outcome: string;
  readonly correlationId: string;
  /** Ids of the documents that reached the signature service. */
  readonly signatureIds: readonly string[];
  /** The documents that were not signed, accepted or not. */
  readonly notSigned?: readonly DocumentOutcome[];
};

/** `signature.sweep` is what became of a document whose call did not learn it, under that call's correlation id. */
type Operation =
  | 'session.create'
  | 'session.deactivate'
  | 'signature.create'
  | 'signature.batch'
  | 'signature.sweep';

type Id = Pick<AuditEntry, 'at' | 'id'>;
const dayOf = (at: string): string => at.slice(0, 10);
const partition = (day: string): string => `AUDIT#${day}`;

const entries = collection<AuditEntry, Id>({
  service: 'session',
  name: 'audit entry',
  id: ({ at, id }) => ({ at, id }),
  key: ({ at, id }) => ({ pk: partition(dayOf(at)), sk: `${at}#${id}` }),
  indexed: ({ at }) => ({ ttl: Math.ceil(Date.parse(at) / 1000) + settings['Audit:RetentionDays'] * 86_400 }),
});

export type AuditSubject = {
  readonly actor: Actor;
  readonly operation: Operation;
  readonly cpf: string;
};

/**
 * Does something and records who did it, to whom, and how it ended. A signing call notes each of its documents. Never
 * what was signed, never a PIN.
 */
export async function audit<T>(
  about: AuditSubject,
  run: (note: (document: DocumentOutcome) => void) => Promise<T>,
): Promise<T> {
  const documents: DocumentOutcome[] = [];
  try {
    const done = await run((document) => documents.push(document));
    await recordAudit(about, documents);
    return done;
  } catch (error) {
    await recordAudit(about, documents, error instanceof Refusal ? error.code : 'INTERNAL_ERROR');
    throw error;
  }
}

// What the trail needs to tell; a platform's account may be a page.
const MAX_REASON_CHARACTERS = 300;

/** Records how something ended. A trail that cannot be written is told in the log and fails nobody's call. */
export async function recordAudit(
  { actor, operation, cpf }: AuditSubject,
  documents: readonly DocumentOutcome[],
  refusedAs?: string,
): Promise<void> {
  const notSigned = documents
    .filter(({ outcome }) => outcome !== 'ok')
    .map(({ reason, ...rest }) => ({
      ...rest,
      ...(reason && { reason: reason.slice(0, MAX_REASON_CHARACTERS) }),
    }));
  const { application, keyId, correlationId } = actor;
  const outcome = refusedAs ?? notSigned[0]?.outcome ?? 'ok';
  const told = { operation, outcome, application, keyId, correlationId };
  const entry: AuditEntry = {
    ...told,
    id: randomUUID(),
    at: new Date().toISOString(),
    cpf,
    signatureIds: documents.flatMap(({ signatureId }) => signatureId ?? []),
    ...(notSigned.length > 0 && { notSigned }),
  };
  await entries.create(entry).catch((error: unknown) => {
    logger('session').error('An audit entry was not kept.', {
      ...told,
      signatureIds: entry.signatureIds,
      error,
    });
  });
}

const READ_AT_ONCE = 500;
const DAY_MS = 86_400_000;

// Decided by the day and not by what the store has cleared away by now.
const isPastRetention = (day: string, nowMs: number): boolean =>
  Date.parse(day) + (settings['Audit:RetentionDays'] + 1) * DAY_MS <= nowMs;

/** The entries of one day (yyyy-mm-dd, UTC), oldest first. @example for await (const entry of auditOf('2026-11-15')) … */
export async function* auditOf(day: string, nowMs = Date.now()): AsyncGenerator<Stored<AuditEntry>> {
  if (isPastRetention(day, nowMs)) return;
  let cursor: string | undefined;
  do {
    const page = await pageByCursor(entries, {
      pk: partition(day),
      limit: READ_AT_ONCE,
      ...(cursor && { cursor }),
    });
    if (!('items' in page)) return;
    yield* page.items;
    cursor = page.next;
  } while (cursor);
}
