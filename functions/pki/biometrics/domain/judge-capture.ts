import type * as z from 'zod';
import type { Stored } from '../../../../shared/store/collection.ts';
import { NotAllowed } from '../../../../shared/store/state-machine.ts';
import type { JudgedCapture } from '../contract/page.ts';
import { attemptsLeft } from './begin-capture.ts';
import { enrol } from './enrol.ts';
import { FAULTS, type Fault } from './failures.ts';
import { refusalOfProvider } from './provider-refusal.ts';
import { biometricProvider } from './providers/choose-provider.ts';
import {
  type BiometricProvider,
  type CapturedPictures,
  type Judgement,
  ProviderFailure,
} from './providers/provider.ts';
import { type BioSession, endedWith, type IdCapture, moveSession } from './session.ts';
import { findVisitedSession, type PageRequest, runStep } from './visit.ts';

// Longer than any function runs: after that nobody works on the try.
const JUDGE_TIMEOUT_MS = 60_000;

export type CaptureResult = z.infer<typeof JudgedCapture>;

/** Lets the provider judge the captured pictures, and ends the session or allows another try. */
export async function judgeCapture(
  visit: PageRequest,
  taken: CapturedPictures,
  nowMs: number,
): Promise<CaptureResult> {
  const session = await findVisitedSession(visit, nowMs);
  return runStep(session, nowMs, async () => {
    const { capture, state } = session;
    // No try, or the call to the provider for it is still under way.
    if (capture === undefined) throw new NotAllowed(state, 'submitted');
    const judging = await moveSession(session, 'submitted', { judgedByMs: nowMs + JUDGE_TIMEOUT_MS });
    try {
      return await conclude(judging, await biometricProvider(), capture, taken, nowMs);
    } catch (error) {
      if (error instanceof ProviderFailure)
        await moveSession(judging, 'interrupted', { attempts: judging.attempts - 1 });
      throw refusalOfProvider(error);
    }
  });
}

async function conclude(
  judging: Stored<BioSession>,
  provider: BiometricProvider,
  capture: string,
  taken: CapturedPictures,
  nowMs: number,
): Promise<CaptureResult> {
  const judgement = await judgeWithDocument(judging, provider, capture, taken);
  const facts = { ...idCaptureOf(judging, judgement), isLive: isLive(judgement) };
  if (judgement.verdict !== 'live') return recordFault(judging, judgement.verdict, facts);
  const fault =
    judging.kind === 'enrollment' ? await enrol(judging, provider, capture, facts, nowMs) : undefined;
  if (fault) return recordFault(judging, fault, facts);
  if (judging.kind === 'liveness') await moveSession(judging, 'passed', { ...facts, ...endedWith(null) });
  return { outcome: 'passed', verdict: 'live', failure: null, attemptsLeft: attemptsLeft(judging) };
}

/** A required document that is missing counts as one that could not be captured. */
const judgeWithDocument = async (
  { wantsDocument }: BioSession,
  provider: BiometricProvider,
  capture: string,
  taken: CapturedPictures,
): Promise<Judgement> =>
  wantsDocument && !taken.document ? { verdict: 'noDocument' } : provider.judge(capture, taken);

type Facts = Partial<Pick<BioSession, 'idCapture' | 'isLive'>>;

async function recordFault(
  judging: Stored<BioSession>,
  verdict: Fault,
  facts: Facts,
): Promise<CaptureResult> {
  const { mayRetry, failure } = FAULTS[verdict];
  const left = mayRetry ? attemptsLeft(judging) : 0;
  if (left > 0) {
    await moveSession(judging, 'again', { ...facts, capture: undefined });
    return { outcome: 'again', verdict, failure: null, attemptsLeft: left };
  }
  await moveSession(judging, 'failed', { ...facts, ...endedWith(failure) });
  return { outcome: 'failed', verdict, failure, attemptsLeft: 0 };
}

// Findings on documents and subjects are about a live person.
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
