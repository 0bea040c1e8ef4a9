import { type Check, checkReadiness, type ReadinessResult } from '../../batch/operations/domain/readiness.ts';
import { probeFolders } from './checks/folders.ts';
import { findSigningChecks } from './checks/signing.ts';

// Several probes come every few seconds. One check of the stores serves them all, however long it takes:
//
//   caller 1  |--check, slow------------------| its verdict
//   caller 2          |--waits for the same---|
//   caller 3                                    |--the same verdict, for five seconds from its end--|
const MAX_AGE_MS = 5_000;

let pending: Promise<ReadinessResult> | undefined;
let last: { readonly result: ReadinessResult; readonly endedAtMs: number } | undefined;

/** The readiness of the service, at most five seconds old. Callers that come meanwhile share one check. */
export async function recentReadiness(now: () => number): Promise<ReadinessResult> {
  if (pending) return pending;
  const ageMs = last ? now() - last.endedAtMs : MAX_AGE_MS;
  // A negative age means that the clock was set back: nobody knows how old the verdict is.
  if (last && ageMs >= 0 && ageMs < MAX_AGE_MS) return last.result;
  pending = checkCompact(now);
  try {
    const result = await pending;
    last = { result, endedAtMs: now() };
    return result;
  } finally {
    pending = undefined;
  }
}

async function checkCompact(now: () => number): Promise<ReadinessResult> {
  const [database, folders] = await Promise.all([checkDatabase(), probeFolders(now)]);
  // The profile is in the same store.
  const signing = database.ok ? await findSigningChecks(now()) : [];
  const checks = [database, ...folders, ...signing];
  return { ready: checks.every(({ ok }) => ok), checks };
}

/** Batch's table has the jobs. The own one has the rate windows, without which no call is answered. */
async function checkDatabase(): Promise<Check> {
  const results = await Promise.all([checkReadiness('batch'), checkReadiness('compact')]);
  const found = results.flatMap(({ checks }) => checks);
  return found.find(({ ok }) => !ok) ?? found[0] ?? { name: 'database', ok: false, detail: 'Not checked.' };
}
