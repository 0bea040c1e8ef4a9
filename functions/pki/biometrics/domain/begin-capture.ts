import type { Stored } from '../../../../shared/store/collection.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import { refusalOfProvider } from './provider-refusal.ts';
import { biometricProvider } from './providers/choose-provider.ts';
import { ProviderFailure } from './providers/provider.ts';
import { type BioSession, bioSessions, endedWith, moveSession } from './session.ts';
import { findVisitedSession, type PageRequest, runStep } from './visit.ts';

/** The number of tries that a session has left. */
export const attemptsLeft = ({ attempts }: BioSession): number =>
  Math.max(0, settings['Biometrics:MaxAttempts'] - attempts);

// Longer than a provider may take: after that the call for the try is over.
const BEGIN_TIMEOUT_MS = 60_000;

// Concurrent starts, by a double click or in two windows:
//
//   page 1  |--reads Open--- begun: 1 try --|--asks the provider--|--is told how--|
//   page 2    |--reads Open---- refused: another version --|
//   page 3             |--reads that one is being begun: refused --|
//   page 4                  |--asked before page 1 was told--------------- reads: refused --|
//
// A page that asks after page 1 got its answer begins a new try: page 1 was left, and its try counts.
const isBeginning = ({ begunAtMs = 0, capturedAtMs = 0 }: BioSession, nowMs: number): boolean =>
  nowMs < begunAtMs + BEGIN_TIMEOUT_MS || nowMs < capturedAtMs;

/**
 * Begins a try, which counts from here on: each is a session at the provider and may cost. `nowMs` is the time of the
 * request; `now` is read around the call to the provider.
 */
export async function beginCapture(visit: PageRequest, nowMs: number, now: () => number) {
  const session = await findVisitedSession(visit, nowMs);
  return runStep(session, nowMs, async () => {
    if (session.geolocationType === 'Required' && !hasLocation(session))
      throw errors.refuse('GeolocationRequired');
    if (isBeginning(session, nowMs)) throw errors.refuse('BadBioSessionOperation', { state: session.state });
    if (attemptsLeft(session) === 0) {
      await moveSession(session, 'exhausted', endedWith('AttemptsLimitReached'));
      throw errors.refuse('BadBioSessionOperation', { state: 'Ended' });
    }
    // Counted before the provider is called: concurrent pages use up one try.
    const begun = await moveSession(session, 'begun', {
      attempts: session.attempts + 1,
      capture: undefined,
      begunAtMs: now(),
    });
    return askProvider(begun, now);
  });
}

async function askProvider(begun: Stored<BioSession>, now: () => number) {
  try {
    const provider = await biometricProvider();
    const { capture, how } = await provider.begin({ subject: begun.subjectIdentifier });
    const current = await bioSessions.change(begun, {
      capture,
      provider: provider.name,
      begunAtMs: undefined,
      capturedAtMs: now(),
    });
    return { attemptsLeft: attemptsLeft(current), capture: how };
  } catch (error) {
    // A failure of the provider is not the person's: the try is given back.
    if (error instanceof ProviderFailure)
      await moveSession(begun, 'interrupted', { attempts: begun.attempts - 1, begunAtMs: undefined });
    throw refusalOfProvider(error);
  }
}

const hasLocation = ({ geolocations }: BioSession): boolean =>
  geolocations.some(({ device }) => device === 'Capture');
