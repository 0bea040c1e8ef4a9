import type { Stored } from '../../../../shared/store/collection.ts';
import { NotAllowed } from '../../../../shared/store/state-machine.ts';
import { attemptsLeft } from './begin-capture.ts';
import { enrol } from './enrol.ts';
import { FAULTS, type Failure, type Fault } from './failures.ts';
import { providerOr } from './provider-trouble.ts';
import {
  type BiometricProvider,
  biometricProvider,
  type Judgement,
  ProviderFailure,
  type Taken,
} from './providers/provider.ts';
import { type BioSession, ended, type IdCapture, move } from './session.ts';
import { stepOf, type Visit, visited } from './visit.ts';

// Longer than any function lives: by then nobody works on the try any more.
const JUDGED_WITHIN_MS = 60_000;

export type Judged = {
  readonly outcome: 'passed' | 'again' | 'failed';
  readonly verdict: string;
  /** Of the session, where this ended it. */
  readonly failure: Failure | null;
  readonly attemptsLeft: number;
};

/** Has the provider judge what was captured, and ends the session or gives the person another try. */
export async function judgeCapture(visit: Visit, taken: Taken, nowMs = Date.now()): Promise<Judged> {
  const session = await visited(visit, nowMs);
  return stepOf(session, nowMs, async () => {
    const { capture, state } = session;
    // The provider is still being asked for the try, or there is none.
    if (capture === undefined) throw new NotAllowed(state, 'submitted');
    const judging = await move(session, 'submitted', { judgedByMs: nowMs + JUDGED_WITHIN_MS });
    try {
      return await concluded(judging, await biometricProvider(), capture, taken);
    } catch (error) {
      if (error instanceof ProviderFailure)
        await move(judging, 'interrupted', { attempts: judging.attempts - 1 });
      throw providerOr(error);
    }
  });
}

async function concluded(
  judging: Stored<BioSession>,
  provider: BiometricProvider,
  capture: string,
  taken: Taken,
): Promise<Judged> {
  const judgement = await judged(judging, provider, capture, taken);
  const facts = { ...idCaptureOf(judging, judgement), isLive: isLive(judgement) };
  if (judgement.verdict !== 'live') return faulty(judging, judgement.verdict, facts);
  const fault = judging.kind === 'enrollment' ? await enrol(judging, provider, capture, facts) : undefined;
  if (fault) return faulty(judging, fault, facts);
  if (judging.kind === 'liveness') await move(judging, 'passed', { ...facts, ...ended(null) });
  return { outcome: 'passed', verdict: 'live', failure: null, attemptsLeft: attemptsLeft(judging) };
}

/** A document that was asked for and did not come is one that could not be captured. */
const judged = async (
  { wantsDocument }: BioSession,
  provider: BiometricProvider,
  capture: string,
  taken: Taken,
): Promise<Judgement> =>
  wantsDocument && !taken.document ? { verdict: 'noDocument' } : provider.judge(capture, taken);

type Facts = Partial<Pick<BioSession, 'idCapture' | 'isLive'>>;

async function faulty(judging: Stored<BioSession>, verdict: Fault, facts: Facts): Promise<Judged> {
  const { mayRetry, failure } = FAULTS[verdict];
  const left = mayRetry ? attemptsLeft(judging) : 0;
  if (left > 0) {
    await move(judging, 'again', { ...facts, capture: undefined });
    return { outcome: 'again', verdict, failure: null, attemptsLeft: left };
  }
  await move(judging, 'failed', { ...facts, ...ended(failure) });
  return { outcome: 'failed', verdict, failure, attemptsLeft: 0 };
}

// What is found about documents and subjects is found about somebody who is alive.
const isLive = ({ verdict }: Judgement): boolean =>
  verdict === 'live' || verdict === 'noDocument' || verdict === 'otherPerson';

function idCaptureOf(
  { wantsDocument }: BioSession,
  { verdict, document }: Judgement,
): { idCapture?: IdCapture } {
  if (!wantsDocument || !(document || verdict === 'noDocument')) return {};
  const matchedFace = document?.matchedFace ?? false;
  return {
    idCapture: { success: document !== undefined, matchedFace, matchedFaceLevel: document?.level ?? null },
  };
}
