import type { KeyObject } from 'node:crypto';
import { processWide } from '../../../../shared/async/process-wide.ts';
import {
  type Certificate,
  CertificateMalformed,
  parseCertificate,
} from '../../../../shared/pki/certificate/certificate.ts';
import { icpBrasilIdentity } from '../../../../shared/pki/icp-brasil/icp-brasil.ts';
import { passwordKey } from '../../../../shared/signing/encryption/password-envelope.ts';
import { SigningRefused } from '../../../../shared/signing/errors.ts';
import { localKey, type SigningKey } from '../../../../shared/signing/key.ts';
import { hasExternalService } from '../../config/external-service.ts';
import { inEnglish, type Sentence, say } from '../../sentences/sentences.ts';
import { usesKey } from './certificate-notice.ts';
import { openCloudKey } from './cloud-key.ts';
import type { Approval, Profile } from './profile.ts';
import { openPassword, openPrivateKey } from './secrets.ts';

/** The profile cannot sign. `reason` is for operators. Its jobs fail with profile.degraded. */
export class ProfileDegraded extends Error {
  override readonly name = 'ProfileDegraded';
  readonly reason: Sentence;
  /** The same with the name of the profile. */
  readonly sentence: Sentence;
  constructor(profileName: string, reason: Sentence) {
    const sentence = say('degraded.profile', { name: profileName, reason });
    super(inEnglish(sentence));
    this.reason = reason;
    this.sentence = sentence;
  }
}

export type OpenedEncryption =
  /** `key` is derived from the password once: it takes half a second. */
  | { readonly password: string; readonly salt: Buffer; readonly key: KeyObject }
  | { readonly certificate: Certificate };

export type OpenedProfile = {
  /** The key of the profile, wherever it is. None where others alone sign. */
  readonly signer?: SigningKey;
  readonly encryption?: OpenedEncryption;
};

type Opened = { readonly version: string; readonly profile: Promise<OpenedProfile> };
const opened = processWide('batch.opened-profiles', () => new Map<string, Opened>());

type SignerSet = Approval['signerSet'];

const signerSetOf = ({ approval }: Profile): SignerSet => approval?.signerSet ?? 'Profile';

// A space: names of profiles have none.
const placeOf = ({ name }: Profile, signerSet: SignerSet): string =>
  signerSet === 'Approvers' ? `${name} keyless` : name;

/**
 * Opens the key and secrets of a profile, once per process and version. Throws ProfileDegraded. The key is left closed
 * for files that approvers alone sign: `signerSet` is that of a job whose rule is frozen. An authorization of a cloud
 * certificate ends by itself, so it is opened at every call.
 * @example const { signer, encryption } = await openProfile(profile);
 */
export async function openProfile(
  profile: Profile,
  signerSet: SignerSet = signerSetOf(profile),
  now: () => number = Date.now,
): Promise<OpenedProfile> {
  const signer = await openCloud(profile, signerSet, now);
  const kept = await openKept(profile, signerSet);
  return signer ? { ...kept, signer } : kept;
}

async function openKept(profile: Profile, signerSet: SignerSet): Promise<OpenedProfile> {
  const place = placeOf(profile, signerSet);
  const known = () => {
    const kept = opened.get(place);
    return kept?.version === profile.version ? kept.profile : undefined;
  };
  const before = known();
  if (before) return before;
  // Thrown before anything is kept: functions of one process share the map, and not the class.
  const parts = await openParts(profile, signerSet);
  const meanwhile = known();
  if (meanwhile) return meanwhile;
  const opening = withDerivedKey(parts);
  opened.set(place, { version: profile.version, profile: opening });
  opening.catch(() => opened.delete(place));
  return opening;
}

/** Why a profile cannot sign; undefined where it can. An expired certificate is no reason: jobs judge it. */
export async function degradedReasonOf(
  profile: Profile,
  now: () => number = Date.now,
): Promise<Sentence | undefined> {
  const signerSet = signerSetOf(profile);
  try {
    await openCloud(profile, signerSet, now);
    const known = opened.get(placeOf(profile, signerSet));
    if (known?.version !== profile.version) await openParts(profile, signerSet);
    return undefined;
  } catch (error) {
    if (error instanceof ProfileDegraded) return error.reason;
    throw error;
  }
}

type Parts = {
  readonly signer?: NonNullable<OpenedProfile['signer']>;
  readonly encryption?:
    | { readonly password: string; readonly salt: Buffer }
    | { readonly certificate: Certificate };
};

async function withDerivedKey({ encryption, ...key }: Parts): Promise<OpenedProfile> {
  if (!encryption) return key;
  if ('certificate' in encryption) return { ...key, encryption };
  const { password, salt } = encryption;
  return { ...key, encryption: { password, salt, key: await passwordKey(password, salt) } };
}

const refusing =
  ({ name }: Profile): Refuse =>
  (reason) => {
    throw new ProfileDegraded(name, reason);
  };

/** The key of a profile with a cloud certificate. */
async function openCloud(
  profile: Profile,
  signerSet: SignerSet,
  now: () => number,
): Promise<SigningKey | undefined> {
  if (!profile.cloudCertificate || !usesKey(profile, signerSet)) return undefined;
  const refuse = refusing(profile);
  const signer = await openCloudKey(profile, { refuse, now });
  requireHolder(profile, signer, refuse);
  return signer;
}

async function openParts(profile: Profile, signerSet: SignerSet): Promise<Parts> {
  const refuse = refusing(profile);
  if (profile.method !== 'Local') requireExternalService(refuse);
  const isHere = usesKey(profile, signerSet) && !profile.cloudCertificate;
  const signer = isHere ? await openSigner(profile, refuse) : undefined;
  if (signer) requireHolder(profile, signer, refuse);
  const encryption = await openEncryption(profile, refuse);
  return { ...(signer && { signer }), ...(encryption && { encryption }) };
}

type Refuse = (reason: Sentence) => never;

function requireHolder({ method }: Profile, { certificate }: SigningKey, refuse: Refuse): void {
  if (method !== 'SignerFolder' || icpBrasilIdentity(certificate).cpf !== undefined) return;
  refuse(say('degraded.no-cpf'));
}

function requireExternalService(refuse: Refuse): void {
  if (hasExternalService()) return;
  refuse(say('degraded.no-service'));
}

async function openSigner({ name, certificate, chain = [], sealedKey }: Profile, refuse: Refuse) {
  if (!certificate || sealedKey === undefined) return refuse(say('degraded.no-key', { name }));
  const opened = await openPrivateKey(name, sealedKey);
  if ('problem' in opened) return refuse(say('degraded.key-closed', { problem: opened.problem }));
  try {
    const above = chain.map((der) => parseCertificate(der));
    return localKey(opened.plain, parseCertificate(certificate), above);
  } catch (error) {
    if (!(error instanceof CertificateMalformed) && !(error instanceof SigningRefused)) throw error;
    return refuse(say('degraded.key-unfit', { problem: error.message }));
  }
}

async function openEncryption({ name, encryption }: Profile, refuse: Refuse): Promise<Parts['encryption']> {
  if (!encryption) return undefined;
  if ('certificate' in encryption) {
    try {
      return { certificate: parseCertificate(encryption.certificate) };
    } catch (error) {
      if (!(error instanceof CertificateMalformed)) throw error;
      return refuse(say('degraded.recipient-unreadable'));
    }
  }
  const opened = await openPassword(name, encryption.sealed);
  if ('problem' in opened) return refuse(say('degraded.password-closed', { problem: opened.problem }));
  return { password: opened.plain.password, salt: Buffer.from(opened.plain.salt, 'base64') };
}
