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

/** Begins a try, which counts from here on: each is a session at the provider, and may cost. */
export async function beginCapture(visit: Visit, nowMs = Date.now()) {
  const session = await visited(visit, nowMs);
  return stepOf(session, nowMs, async () => {
    if (session.geolocationType === 'Required' && !hasLocation(session))
      throw errors.refuse('GeolocationRequired');
    if (attemptsLeft(session) === 0) {
      await move(session, 'exhausted', ended('AttemptsLimitReached'));
      throw errors.refuse('BadBioSessionOperation', { state: 'Ended' });
    }
    // Counted before the provider is asked: of two pages at once, one begins.
    const begun = await move(session, 'begun', { attempts: session.attempts + 1, capture: undefined });
    return captured(begun);
  });
}

async function captured(begun: Stored<BioSession>) {
  try {
    const provider = await biometricProvider();
    const { capture, how } = await provider.begin({ subject: begun.subjectIdentifier });
    const current = await bioSessions.change(begun, { capture, provider: provider.name });
    return { attemptsLeft: attemptsLeft(current), capture: how };
  } catch (error) {
    // The try is given back: it is not the person's fault.
    if (error instanceof ProviderFailure) await move(begun, 'interrupted', { attempts: begun.attempts - 1 });
    throw providerOr(error);
  }
}

const hasLocation = ({ geolocations }: BioSession): boolean =>
  geolocations.some(({ device }) => device === 'Capture');
