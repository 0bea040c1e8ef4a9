import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../shared/access/caller.ts';
import { Refusal } from '../../../shared/http/errors.ts';
import { logger } from '../../../shared/log/logger.ts';
import { collection, type Stored } from '../../../shared/store/collection.ts';
import { pageByCursor } from '../../../shared/store/cursor.ts';
import { settings } from '../settings.ts';

/** Who asks, and under which name the log knows the request. */
export type Actor = Pick<Caller, 'application' | 'keyId'> & { readonly correlationId: string };

export type AuditEntry = {
  readonly id: string;
  readonly at: string;
  readonly application: string;
  readonly keyId: string;
  readonly operation: 'session.create' | 'session.deactivate' | 'signature.create' | 'signature.batch';
  readonly cpf: string;
  /** `ok`, or the code that the caller was answered. */
  readonly outcome: string;
  readonly correlationId: string;
  /** Ids of the documents that reached the signature service. */
  readonly signatureIds: readonly string[];
};

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

export type Audited = {
  readonly actor: Actor;
  readonly operation: AuditEntry['operation'];
  readonly cpf: string;
};

/** Does something and records who did it, to whom, and how it ended. Never what was signed, never a PIN. */
export async function audited<T>(
  { actor, operation, cpf }: Audited,
  run: () => Promise<T>,
  signatureIdsOf: (done: T) => readonly string[] = () => [],
): Promise<T> {
  const { application, keyId, correlationId } = actor;
  const note = (outcome: string, signatureIds: readonly string[]): Promise<void> =>
    record({ application, keyId, correlationId, operation, cpf, outcome, signatureIds });
  try {
    const done = await run();
    await note('ok', signatureIdsOf(done));
    return done;
  } catch (error) {
    await note(error instanceof Refusal ? error.code : 'INTERNAL_ERROR', []);
    throw error;
  }
}

// What has happened has happened: a trail that cannot be written is told in the log and fails nobody's call.
async function record(entry: Omit<AuditEntry, 'id' | 'at'>): Promise<void> {
  const whole = { ...entry, id: randomUUID(), at: new Date().toISOString() };
  await entries.create(whole).catch((error: unknown) => {
    logger('session').error('An audit entry was not kept.', { entry: whole, error });
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
