import { createHash } from 'node:crypto';
import { type Deadline, deadlineIn } from '../../../../shared/async/deadline.ts';
import { FileExists } from '../../../../shared/files/errors.ts';
import { files } from '../../../../shared/files/files.ts';
import { logger } from '../../../../shared/log/logger.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { changingItem, commitChanges } from '../../flows/domain/change-item.ts';
import { restampDueAtMs } from '../../flows/domain/proof.ts';
import { restampFileMessage, taskMessage } from '../../flows/domain/tasks.ts';
import type { RestampData } from '../../items/domain/data.ts';
import { type Item, items } from '../../items/domain/item.ts';
import { restampStates } from '../../items/domain/kinds.ts';
import { TOKEN_MEDIA_TYPE } from '../../items/vocabulary.ts';
import { type Chain, chains, fileOf, MAX_TOKEN_BYTES, tokenKey } from './chain.ts';
import { imprintOf, StampedFileChanged } from './imprint.ts';
import { requestToken, TokenRefused, type VerifiedToken, verifyToken } from './request-token.ts';
import { tryAgain } from './retry-restamp.ts';

type Restamp = Stored<Item<RestampData>>;
type Outcome = 'applied' | 'failed' | 'tried again' | 'nothing to do';

// For the questions to authorities, of the 120 s that a task has.
const BUDGET_MS = 60_000;

// Two workers have one attempt, or a worker is killed and another one goes on:
//
//   worker 1  |--token A--stored--|-- item: Applied, names A; chain: A; next look --|
//   worker 2    |--token B--not stored: A is there-- verifies A-- refused: it is applied --|
//   worker 3      (after worker 1 was killed) |--finds A-- verifies it-- item: Applied, names A --|
//
// A token is stored under the restamp and the attempt, and never replaced. What the committed item names is the token.
// Where worker 2 fails and commits that first, token A is not used: the next attempt asks anew.

/** Obtains the token of a restamp. One that failed before is first moved to its next attempt, when its time has come. */
export async function applyRestamp(id: string, now: () => number): Promise<Outcome> {
  const restamp = await readRestamp(id);
  if (!restamp) return 'nothing to do';
  if (accepts(restamp, 'applied')) return attempt(restamp, now);
  const { retryDate } = restamp.data;
  if (!accepts(restamp, 'updated') || retryDate === null || now() < Date.parse(retryDate))
    return 'nothing to do';
  await retryOnConflict(async () => {
    const current = await readRestamp(id);
    if (current && isSameAttempt(current, restamp)) await tryAgain(current, now());
  });
  return 'tried again';
}

const readRestamp = (id: string) => items.get({ kind: 'restamp', id }) as Promise<Restamp | undefined>;

const accepts = ({ state }: Restamp, event: (typeof restampStates.events)[number]): boolean =>
  restampStates.accepts(state as (typeof restampStates.states)[number], event);

/** Whether nobody has moved it since. */
const isSameAttempt = (current: Restamp, { state, data }: Restamp): boolean =>
  current.state === state && current.data.attempts === data.attempts;

async function attempt(restamp: Restamp, now: () => number): Promise<Outcome> {
  try {
    const token = await obtainToken(restamp, deadlineIn(BUDGET_MS, now));
    if (!token) return 'nothing to do';
    await recordToken(restamp, token, now());
    return 'applied';
  } catch (error) {
    if (!(error instanceof TokenRefused || error instanceof StampedFileChanged)) throw error;
    await recordFailure(restamp, error.message, now());
    return 'failed';
  }
}

/** The token of this attempt, verified and in the bucket. Undefined where another worker has applied it. */
async function obtainToken({ id, data }: Restamp, deadline: Deadline): Promise<VerifiedToken | undefined> {
  const file = fileOf(data);
  const [document, chain] = await Promise.all([items.get(file), chains.get(file)]);
  if (!document || chain?.openId !== id) return undefined;
  const imprint = await imprintOf(document, file, chain.applied);
  const key = tokenKey(file, { restampId: id, attempt: data.attempts });
  const stored = await files('credentials').read(key, MAX_TOKEN_BYTES);
  if (stored) return verifyToken(stored, imprint, deadline.now());
  const fresh = await requestToken(imprint, deadline);
  try {
    await files('credentials').put(key, fresh.token, { contentType: TOKEN_MEDIA_TYPE, onlyIfAbsent: true });
    return fresh;
  } catch (error) {
    const other = error instanceof FileExists && (await files('credentials').read(key, MAX_TOKEN_BYTES));
    if (!other) throw error;
    return verifyToken(other, imprint, deadline.now());
  }
}

/** Changes a restamp in one commit with what the change causes, unless another worker was faster. */
const recordAttempt = (
  restamp: Restamp,
  nowMs: number,
  step: { readonly event: 'applied' | 'applyingError'; readonly data: Partial<RestampData> },
  alsoOf: () => Promise<readonly Write[]>,
): Promise<void> =>
  retryOnConflict(async () => {
    const current = await readRestamp(restamp.id);
    if (!current || !isSameAttempt(current, restamp)) return;
    const patch = { data: { ...current.data, ...step.data } };
    const change = await changingItem(current, { event: step.event, patch }, nowMs);
    await commitChanges([change], await alsoOf());
  });

async function recordToken(restamp: Restamp, verified: VerifiedToken, nowMs: number): Promise<void> {
  const { token, timeMs, endsAtMs } = verified;
  const { id, data } = restamp;
  const file = fileOf(data);
  const sha256 = createHash('sha256').update(token).digest('hex');
  const applied = { restampId: id, attempt: data.attempts, sha256, timeMs, endsAtMs };
  const dueAtMs = restampDueAtMs({ endsAtMs, madeAtMs: timeMs });
  const result = {
    ...{ tokenSha256: sha256, errorReason: null, retryDate: null },
    date: new Date(timeMs).toISOString(),
    archivingExpiringDate: new Date(endsAtMs).toISOString(),
  };
  await recordAttempt(restamp, nowMs, { event: 'applied', data: result }, async () => {
    const chain = (await chains.get(file)) as Stored<Chain>;
    const closing = chains.changing(chain, { applied: [...chain.applied, applied], openId: null });
    return [closing, restampFileMessage(file, file.name, dueAtMs)];
  });
}

const FIRST_RETRY_MS = 15 * 60_000;
const MAX_RETRY_MS = 86_400_000;
// A good three days. Where the proof has not expired yet, attempts go on every day until it has.
const MIN_ATTEMPTS = 10;

async function recordFailure(restamp: Restamp, errorReason: string, nowMs: number): Promise<void> {
  const { id, data } = restamp;
  logger('credentials').error('A restamp could not be applied.', { id, errorReason });
  const hasExpired = nowMs >= Date.parse(data.archivingExpiringDate);
  const isLast = data.attempts >= MIN_ATTEMPTS && hasExpired;
  const retryAtMs = nowMs + Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (data.attempts - 1));
  const retryDate = isLast ? null : new Date(retryAtMs).toISOString();
  await recordAttempt(
    restamp,
    nowMs,
    { event: 'applyingError', data: { errorReason, retryDate } },
    async () => (isLast ? [] : [taskMessage('restamp', restamp, retryAtMs)]),
  );
}
