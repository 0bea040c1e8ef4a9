import { deadlineIn } from '../../../../shared/async/deadline.ts';
import { ifThrown } from '../../../../shared/errors/expected.ts';
import { HubRefused, type HubUnreachable, isHubFailure } from '../../../../shared/hub/errors.ts';
import { CertificateMalformed, parseCertificate } from '../../../../shared/pki/certificate/certificate.ts';
import type { Digest, SigningDigest } from '../../../../shared/signing/digest.ts';
import { SigningRefused } from '../../../../shared/signing/errors.ts';
import { checkKey, type SigningKey } from '../../../../shared/signing/key.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import { cloud } from '../../config/hub.ts';
import { recordingEvent } from '../../operations/domain/events.ts';
import { type Sentence, say } from '../../sentences/sentences.ts';
import { type CloudAuthorization, type Profile, profiles } from './profile.ts';
import { openCloudSession } from './secrets.ts';

/** The hub signs in two minutes, or not at all. */
const SIGN_MS = 120_000;

// The holder's authorization is over: no later call would succeed. After any other failure one may.
const ENDED: ReadonlySet<string> = new Set(['SessionExpired', 'SessionInvalidOrAlreadyUsed']);

type Options = {
  /** Refuses the profile as degraded, for this reason. */
  readonly refuse: (reason: Sentence) => never;
  readonly now: () => number;
};

const endedReason = (expiresAtMs: number): Sentence =>
  say('degraded.authorization-ended', { time: new Date(expiresAtMs).toISOString() });

/**
 * The key of a profile with a cloud certificate: the hub signs each hash under the session that the holder has
 * authorized. A session that the hub refuses is over, and the profile is degraded from then on.
 */
export async function openCloudKey(profile: Profile, { refuse, now }: Options): Promise<SigningKey> {
  const { name, cloudAuthorization: authorization } = profile;
  if (!cloud.isOffered()) return refuse(say('degraded.no-hub'));
  if (!authorization) return refuse(say('degraded.not-authorized'));
  const { alias, sealedSession, expiresAtMs } = authorization;
  if (expiresAtMs <= now()) return refuse(endedReason(expiresAtMs));
  const opened = await openCloudSession(name, sealedSession);
  if ('problem' in opened) return refuse(say('degraded.authorization-closed', { problem: opened.problem }));
  const session = opened.plain;
  return {
    ...readCertificates(authorization, refuse),
    async signHash(digest, hash) {
      const request = { session, hash, digest: requireSupported(digest), alias };
      try {
        return await cloud.hub.signHash(request, deadlineIn(SIGN_MS, now));
      } catch (error) {
        if (!isHubFailure(error)) throw error;
        if (!(error instanceof HubRefused) || !ENDED.has(error.code)) throw unsigned(error);
        const endedAtMs = now();
        await endAuthorization(profile, authorization, endedAtMs);
        return refuse(endedReason(endedAtMs));
      }
    },
  };
}

function readCertificates(
  authorization: CloudAuthorization,
  refuse: Options['refuse'],
): Pick<SigningKey, 'certificate' | 'chain'> {
  try {
    const certificate = parseCertificate(authorization.certificate);
    checkKey(certificate.publicKey);
    return { certificate, chain: authorization.chain.map((der) => parseCertificate(der)) };
  } catch (error) {
    if (!(error instanceof CertificateMalformed) && !(error instanceof SigningRefused)) throw error;
    return refuse(say('degraded.cloud-unfit', { problem: error.message }));
  }
}

const SUPPORTED: readonly string[] = ['sha256', 'sha384', 'sha512'] satisfies SigningDigest[];

function requireSupported(digest: Digest): SigningDigest {
  if (!SUPPORTED.includes(digest)) throw new Error(`New signatures are not made over ${digest}.`);
  return digest as SigningDigest;
}

/** The hub or its provider did not sign this time. The message says what to do. */
export class CloudSignatureFailed extends Error {
  override readonly name = 'CloudSignatureFailed';
}

const unsigned = (cause: HubRefused | HubUnreachable): CloudSignatureFailed => {
  const code = cause.code && !cause.message.includes(cause.code) ? ` (${cause.code})` : '';
  return new CloudSignatureFailed(
    `The cloud certificate did not sign: ${cause.message}${code} Retry the job when the hub and its provider answer.`,
    { cause },
  );
};

/** Records that an authorization is over before its time. One that was renewed meanwhile stays. */
async function endAuthorization(
  { name }: Profile,
  authorization: CloudAuthorization,
  endedAtMs: number,
): Promise<void> {
  const current = await profiles.get(name);
  if (current?.cloudAuthorization?.sealedSession !== authorization.sealedSession) return;
  const message = say('profile.authorization-ended', { name });
  // Another job has recorded it, or an operator has edited the profile: the next job finds out.
  await commit([
    profiles.changing(current, {
      cloudAuthorization: { ...authorization, expiresAtMs: endedAtMs },
    }),
    ...recordingEvent({ type: 'ProfileChanged', message, profileName: name }, endedAtMs),
  ]).catch(ifThrown(RaceLost));
}
