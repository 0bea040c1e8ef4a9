import { stepOf } from '../../../../shared/access/totp.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { errors } from '../../errors.ts';
import { authenticators, openPendingSecret, openSecret, sealSecret } from '../document/authenticator.ts';
import {
  type ActId,
  electronicActs,
  hashSigningCode,
  LOCKED_MS,
  MAX_WRONG_CODES,
  newAct,
  type StoredAct,
} from '../document/electronic-act.ts';
import type { CodeFactor, Factor } from '../flow/flow.ts';
import { readLiveness } from './liveness.ts';

export type Codes = Readonly<Partial<Record<Factor, string | undefined>>>;

type Check = ActId & {
  readonly organizationId: string;
  /** Whose app it is: a person has one for all documents, whatever their address. */
  readonly holderId: string;
  readonly via: string;
  readonly asked: readonly Factor[];
  readonly codes: Codes;
};

/** Refuses while somebody is locked out. */
export function requireUnlocked(act: StoredAct | undefined, nowMs: number): void {
  if (!act || act.lockedUntilMs <= nowMs) return;
  const retryAfterSeconds = Math.ceil((act.lockedUntilMs - nowMs) / 1000);
  throw errors.refuse(
    'CodesLocked',
    { lockedUntil: new Date(act.lockedUntilMs).toISOString() },
    { headers: { 'retry-after': String(retryAfterSeconds) } },
  );
}

// Guesses at once are counted one by one, because each is a write on the version that was read:
//
//   guess 1  |--reads (0 wrong)--|--writes 1: wrong
//   guess 2  |--reads (0 wrong)------|--refused; reads (1)--|--writes 2: wrong
//
// The sixth locks, and takes the codes that were sent along.

/**
 * Refuses a signature whose codes are missing, old or wrong. Answers the writes by which those that were right are used up,
 * beside the end of the act.
 */
export async function requireCodes(
  act: StoredAct | undefined,
  check: Check,
  nowMs: number,
): Promise<readonly Write[]> {
  requireUnlocked(act, nowMs);
  const { asked, codes } = check;
  const missing = asked.filter((factor) => factor !== 'Liveness' && !codes[factor]);
  if (missing.length > 0) throw errors.refuse('AuthenticationRequired', { missing });
  const writes: Write[] = [];
  for (const factor of asked) {
    const typed = (codes[factor] ?? '').replace(/\s/g, '');
    if (factor === 'Liveness') await requireLiveness(act, check.via);
    else if (factor === 'AuthenticatorApp') writes.push(await requireAppCode(act, check, typed, nowMs));
    else await requireSentCode(act, { ...check, factor }, typed, nowMs);
  }
  return writes;
}

/** A session of another link is none. */
async function requireLiveness(act: StoredAct | undefined, via: string): Promise<void> {
  const { liveness } = act ?? {};
  const success = liveness?.via === via ? await readLiveness(liveness.sessionId) : null;
  if (success === null) throw errors.refuse('AuthenticationRequired', { missing: ['Liveness'] });
  if (!success) throw errors.refuse('LivenessFailed');
}

async function requireSentCode(
  act: StoredAct | undefined,
  owner: Check & { readonly factor: CodeFactor },
  typed: string,
  nowMs: number,
): Promise<void> {
  const { factor } = owner;
  const sent = act?.codes[factor];
  if (!sent || sent.expiresAtMs <= nowMs) throw errors.refuse('CodeExpired', { factor });
  // Equal hashes tell no more about the code than a guess does.
  if (hashSigningCode(owner, typed) !== sent.hash) await countWrong(act, owner, factor, nowMs);
}

/** The write that uses a code of the person's app up, or confirms the app that was just set up. */
async function requireAppCode(
  act: StoredAct | undefined,
  check: Check,
  typed: string,
  nowMs: number,
): Promise<Write> {
  const { organizationId, holderId: personId, via } = check;
  const app = await authenticators.get({ organizationId, personId });
  const opened =
    !app && act?.pendingSecret !== undefined
      ? await openPendingSecret(check, via, act.pendingSecret)
      : undefined;
  const secret = app ? await openSecret(app) : opened && 'plain' in opened ? opened.plain : undefined;
  if (secret === undefined) throw errors.refuse('AuthenticatorNotSetUp');
  const step = stepOf(secret, typed, nowMs);
  // Replay: a code that was accepted, and any older one, is as wrong as a guess.
  if (step === undefined || step <= (app?.lastStep ?? 0))
    return countWrong(act, check, 'AuthenticatorApp', nowMs);
  if (app) return authenticators.changing(app, { lastStep: step });
  const id = { organizationId, personId };
  const sealedSecret = await sealSecret(id, secret);
  return authenticators.creating({ ...id, sealedSecret, lastStep: step, confirmedAtMs: nowMs });
}

async function countWrong(
  act: StoredAct | undefined,
  id: ActId,
  factor: Factor,
  nowMs: number,
): Promise<never> {
  const wrongCodes = (act?.wrongCodes ?? 0) + 1;
  const isLast = wrongCodes >= MAX_WRONG_CODES;
  const patch = isLast
    ? { codes: {}, wrongCodes: 0, lockedUntilMs: nowMs + LOCKED_MS, updatedAtMs: nowMs }
    : { wrongCodes, updatedAtMs: nowMs };
  const after = act
    ? await electronicActs.change(act, patch)
    : await electronicActs.create({ ...newAct(id, nowMs), ...patch });
  requireUnlocked(after, nowMs);
  throw errors.refuse('CodeWrong', { factor, attemptsLeft: MAX_WRONG_CODES - wrongCodes });
}
