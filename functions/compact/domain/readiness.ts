import { type Check, checkReadiness, type ReadinessResult } from '../../batch/operations/domain/readiness.ts';
import { probeFolders } from './checks/folders.ts';
import { findSigningChecks } from './checks/signing.ts';

// Several probes come every few seconds. One check of the stores serves them all.
const MAX_AGE_MS = 5_000;

let cached: { readonly result: Promise<ReadinessResult>; readonly atMs: number } | undefined;

/** The readiness of the service, at most five seconds old. Callers that come meanwhile share one check. */
export function recentReadiness(nowMs: number): Promise<ReadinessResult> {
  const ageMs = cached ? nowMs - cached.atMs : MAX_AGE_MS;
  // A negative age means that the clock was set back: nobody knows how old the verdict is.
  if (!cached || ageMs < 0 || ageMs >= MAX_AGE_MS) cached = { result: checkCompact(nowMs), atMs: nowMs };
  return cached.result;
}

async function checkCompact(nowMs: number): Promise<ReadinessResult> {
  const [database, folders] = await Promise.all([checkDatabase(), probeFolders()]);
  // The profile is in the same store.
  const signing = database.ok ? await findSigningChecks(nowMs) : [];
  const checks = [database, ...folders, ...signing];
  return { ready: checks.every(({ ok }) => ok), checks };
}

/** Batch's table has the jobs. The own one has the rate windows, without which no call is answered. */
async function checkDatabase(): Promise<Check> {
  const results = await Promise.all([checkReadiness('batch'), checkReadiness('compact')]);
  const found = results.flatMap(({ checks }) => checks);
  return found.find(({ ok }) => !ok) ?? found[0] ?? { name: 'database', ok: false, detail: 'Not checked.' };
}
