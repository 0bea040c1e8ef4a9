import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import type { Caller } from '../../../../shared/access/caller.ts';
import { hashSecret, newSecret } from '../../../../shared/access/secrets.ts';
import { commonSettings } from '../../../../shared/settings/common.ts';
import { parseCnpj } from '../../../../shared/taxpayer/cnpj.ts';
import { parseCpf } from '../../../../shared/taxpayer/cpf.ts';
import { checkReturnUrl, checkTrustedOrigin } from '../../domain/registered-addresses.ts';
import { errors } from '../../errors.ts';
import { IDENTIFIER_KINDS, type IdentifierKind, settings } from '../../settings.ts';
import type { StartBioEnrollmentSessionRequest, StartLivenessSessionRequest } from '../contract/sessions.ts';
import { type BioKind, bioSessions } from './session.ts';
import { subjects } from './subjects.ts';

type LivenessRequest = z.output<typeof StartLivenessSessionRequest>;
type EnrollmentRequest = z.output<typeof StartBioEnrollmentSessionRequest>;

export const startLiveness = (caller: Caller, request: LivenessRequest, nowMs: number) =>
  start(caller, 'liveness', request, nowMs);

/** Refuses an enrolled subject, unless the caller asks to replace the face. */
export async function startEnrollment(caller: Caller, request: EnrollmentRequest, nowMs: number) {
  const identifier = subjectOf(request.subjectIdentifier);
  const isKnown = identifier && (await subjects.get({ application: caller.application, identifier }));
  if (isKnown && !request.dangerousOverrideIfAlreadyEnrolled) throw errors.refuse('SubjectAlreadyEnrolled');
  return start(caller, 'enrollment', request, nowMs);
}

type SessionRequest = LivenessRequest &
  Pick<Partial<EnrollmentRequest>, 'dangerousOverrideIfAlreadyEnrolled'>;

async function start(caller: Caller, kind: BioKind, request: SessionRequest, nowMs: number) {
  if (settings['Biometrics:Provider'] === 'None') throw errors.refuse('BiometricsUnavailable');
  const { returnUrl, trustedOrigin } = request;
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
    subjectIdentifier: subjectOf(request.subjectIdentifier),
    mayOverride: request.dangerousOverrideIfAlreadyEnrolled ?? false,
    platformPreference: request.platformPreference ?? 'NoPreference',
    wantsDocument: request.captureIdentificationDocument ?? false,
    geolocationType: request.geolocationCaptureType ?? 'Disabled',
    geolocationPolicy: request.geolocationCapturePolicy ?? 'CollectOnCaptureDevice',
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
export const sessionUrlOf = (
  sessionId: string,
  token: string,
  parameters: Record<string, string> = {},
): string =>
  `${commonSettings['Http:PublicUrl']}/pki/bio/sessions/${sessionId}?${new URLSearchParams({ token, ...parameters })}`;

function subjectOf(given: string | null | undefined): string | null {
  if (!given) return null;
  const kinds = settings['Biometrics:SubjectIdentifiers'] ?? [];
  const identifier = readSubject(given, kinds);
  if (identifier === undefined)
    throw errors.refuse('InvalidSubjectIdentifier', { accepted: kinds.join(', ') });
  return identifier;
}

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Readers by kind: the canonical spelling, or undefined. */
const READERS: Readonly<Record<IdentifierKind, (given: string) => string | undefined>> = {
  CPF: (given) => parseCpf(given),
  CNPJ: (given) => parseCnpj(given),
  Email: (given) => (EMAIL.test(given) ? given.toLowerCase() : undefined),
};

/**
 * The canonical spelling of a subject's identifier; undefined where it is of no accepted kind.
 * @example readSubject('529.982.247-25', ['CPF']) // '52998224725'
 */
export function readSubject(given: string, kinds: readonly IdentifierKind[]): string | undefined {
  const isAny = kinds.length === 0;
  const read = (isAny ? IDENTIFIER_KINDS : kinds).map((kind) => READERS[kind](given));
  return read.find((value) => value !== undefined) ?? (isAny ? given : undefined);
}
