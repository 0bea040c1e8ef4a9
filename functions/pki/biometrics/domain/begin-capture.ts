import type { Stored } from '../../../../shared/store/collection.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import { providerOr } from './provider-trouble.ts';
import { biometricProvider, ProviderFailure } from './providers/provider.ts';
import { type BioSession, bioSessions, ended, move } from './session.ts';
import { stepOf, type Visit, visited } from './visit.ts';

/** How many tries a session has left. */
export const attemptsLeft = ({ attempts }: BioSession): number =>
  Math.max(0, settings['Biometrics:MaxAttempts'] - attempts);

// Longer than a provider may take: by then nobody asks it for the try any more.
const BEGUN_WITHIN_MS = 60_000;

// Several begin at once, by a double click or in two windows:
//
//   page 1  |--reads Open--- begun: 1 try --|--asks the provider--|--is told how--|
//   page 2    |--reads Open---- refused: another version --|
//   page 3             |--reads that one is being begun: refused --|
//   page 4                  |--asked before page 1 was told--------------- reads: refused --|
//
// Whoever asks after page 1 was told begins anew: that page was left, and its try counts.
const isBeingBegun = ({ begunAtMs = 0, capturedAtMs = 0 }: BioSession, nowMs: number): boolean =>
  nowMs < begunAtMs + BEGUN_WITHIN_MS || nowMs < capturedAtMs;

/** Begins a try, which counts from here on: each is a session at the provider, and may cost. */
export async function beginCapture(visit: Visit, nowMs: number) {
  const session = await visited(visit, nowMs);
  return stepOf(session, nowMs, async () => {
    if (session.geolocationType === 'Required' && !hasLocation(session))
      throw errors.refuse('GeolocationRequired');
    if (isBeingBegun(session, nowMs)) throw errors.refuse('BadBioSessionOperation', { state: session.state });
    if (attemptsLeft(session) === 0) {
      await move(session, 'exhausted', ended('AttemptsLimitReached'));
      throw errors.refuse('BadBioSessionOperation', { state: 'Ended' });
    }
    // Counted before the provider is asked: however many pages begin at once, one try is taken.
    const begun = await move(session, 'begun', {
      attempts: session.attempts + 1,
      capture: undefined,
      begunAtMs: Date.now(),
    });
    return captured(begun);
  });
}

async function captured(begun: Stored<BioSession>) {
  try {
    const provider = await biometricProvider();
    const { capture, how } = await provider.begin({ subject: begun.subjectIdentifier });
    const current = await bioSessions.change(begun, {
      capture,
      provider: provider.name,
      begunAtMs: undefined,
      capturedAtMs: Date.now(),
    });
    return { attemptsLeft: attemptsLeft(current), capture: how };
  } catch (error) {
    // The try is given back: it is not the person's fault.
    if (error instanceof ProviderFailure)
      await move(begun, 'interrupted', { attempts: begun.attempts - 1, begunAtMs: undefined });
    throw providerOr(error);
  }
}

const hasLocation = ({ geolocations }: BioSession): boolean =>
  geolocations.some(({ device }) => device === 'Capture');
