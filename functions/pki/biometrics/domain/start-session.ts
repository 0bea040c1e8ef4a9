import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import type { Caller } from '../../../../shared/access/caller.ts';
import { hashSecret, newSecret } from '../../../../shared/access/secrets.ts';
import { commonSettings } from '../../../../shared/settings/common.ts';
import { checkReturnUrl, checkTrustedOrigin } from '../../domain/registered-addresses.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import type { StartBioEnrollmentSessionRequest, StartLivenessSessionRequest } from '../contract/sessions.ts';
import { type BioKind, bioSessions } from './session.ts';
import { readSubject } from './subject-identifier.ts';
import { subjects } from './subjects.ts';

type LivenessWish = z.output<typeof StartLivenessSessionRequest>;
type EnrollmentWish = z.output<typeof StartBioEnrollmentSessionRequest>;

export const startLiveness = (wish: LivenessWish, caller: Caller, nowMs = Date.now()) =>
  start('liveness', wish, caller, nowMs);

/** Refuses a subject that is enrolled already, unless the caller says that its face is to be replaced. */
export async function startEnrollment(wish: EnrollmentWish, caller: Caller, nowMs = Date.now()) {
  const identifier = subjectOf(wish.subjectIdentifier);
  const isKnown = identifier && (await subjects.get({ application: caller.application, identifier }));
  if (isKnown && !wish.dangerousOverrideIfAlreadyEnrolled) throw errors.refuse('SubjectAlreadyEnrolled');
  return start('enrollment', wish, caller, nowMs);
}

type Wish = LivenessWish & Pick<Partial<EnrollmentWish>, 'dangerousOverrideIfAlreadyEnrolled'>;

async function start(kind: BioKind, wish: Wish, caller: Caller, nowMs: number) {
  if (settings['Biometrics:Provider'] === 'None') throw errors.refuse('BiometricsUnavailable');
  const { returnUrl, trustedOrigin } = wish;
  if (returnUrl) checkReturnUrl(returnUrl, caller);
  if (trustedOrigin) checkTrustedOrigin(trustedOrigin, caller);
  const sessionId = randomUUID();
  const token = newSecret();
  await bioSessions.create({
    sessionId,
    kind,
    application: caller.application,
    tokenHash: hashSecret(token),
    returnUrl: returnUrl || null,
    trustedOrigin: trustedOrigin || null,
    subjectIdentifier: subjectOf(wish.subjectIdentifier),
    mayOverride: wish.dangerousOverrideIfAlreadyEnrolled ?? false,
    platformPreference: wish.platformPreference ?? 'NoPreference',
    wantsDocument: wish.captureIdentificationDocument ?? false,
    geolocationType: wish.geolocationCaptureType ?? 'Disabled',
    geolocationPolicy: wish.geolocationCapturePolicy ?? 'CollectOnCaptureDevice',
    expiresAtMs: nowMs + settings['Biometrics:SessionLifetime'] * 1000,
    state: 'Open',
    attempts: 0,
    geolocations: [],
  });
  return {
    sessionType: kind === 'liveness' ? ('Liveness' as const) : ('Enrollment' as const),
    sessionId,
    sessionUrl: sessionUrlOf(sessionId, token),
  };
}

/** The address that opens a session. @example sessionUrlOf(sessionId, token, { handoff: '1' }) */
export const sessionUrlOf = (sessionId: string, token: string, more: Record<string, string> = {}): string =>
  `${commonSettings['Http:PublicUrl']}/pki/bio/sessions/${sessionId}?${new URLSearchParams({ token, ...more })}`;

function subjectOf(given: string | null | undefined): string | null {
  if (!given) return null;
  const kinds = settings['Biometrics:SubjectIdentifiers'] ?? [];
  const identifier = readSubject(given, kinds);
  if (identifier === undefined)
    throw errors.refuse('InvalidSubjectIdentifier', { accepted: kinds.join(', ') });
  return identifier;
}
