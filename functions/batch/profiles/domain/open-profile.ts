import type { KeyObject } from 'node:crypto';
import { processWide } from '../../../../shared/async/process-wide.ts';
import {
  type Certificate,
  CertificateMalformed,
  parseCertificate,
} from '../../../../shared/pki/certificate/certificate.ts';
import { icpBrasilIdentity } from '../../../../shared/pki/icp-brasil/icp-brasil.ts';
import type { Pkcs12Entry } from '../../../../shared/pki/pkcs12/entries.ts';
import { passwordKey } from '../../../../shared/signing/encryption/password-envelope.ts';
import { SigningRefused } from '../../../../shared/signing/errors.ts';
import { localKey, type SigningKey } from '../../../../shared/signing/key.ts';
import { hasExternalService } from '../../external-service.ts';
import type { Approval, Profile } from './profile.ts';
import { openPassword, openPrivateKey } from './secrets.ts';

/** The profile cannot sign. `reason` is for operators. Its jobs fail with profile.degraded. */
export class ProfileDegraded extends Error {
  override readonly name = 'ProfileDegraded';
  readonly reason: string;
  constructor(profileName: string, reason: string) {
    super(`Profile ${profileName} is degraded. ${reason}`);
    this.reason = reason;
  }
}

export type OpenedEncryption =
  /** `key` is derived from the password once: it takes half a second. */
  | { readonly password: string; readonly salt: Buffer; readonly key: KeyObject }
  | { readonly certificate: Certificate };

export type OpenedProfile = {
  /** The key and certificates, as openPkcs12 gives them, and as a key that signs. None where others alone sign. */
  readonly signer?: Pkcs12Entry & SigningKey;
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
 * for files that approvers alone sign: `signerSet` is that of a job whose rule is frozen.
 * @example const { signer, encryption } = await openProfile(profile);
 */
export async function openProfile(
  profile: Profile,
  signerSet: SignerSet = signerSetOf(profile),
): Promise<OpenedProfile> {
  const place = placeOf(profile, signerSet);
  const known = opened.get(place);
  if (known?.version === profile.version) return known.profile;
  // Thrown before anything is kept: functions of one process share the map, and not the class.
  const parts = openParts(profile, signerSet);
  const opening = withDerivedKey(parts);
  opened.set(place, { version: profile.version, profile: opening });
  opening.catch(() => opened.delete(place));
  return opening;
}

/** Why a profile cannot sign; undefined where it can. An expired certificate is no reason: jobs judge it. */
export function degradedReasonOf(profile: Profile): string | undefined {
  const signerSet = signerSetOf(profile);
  if (opened.get(placeOf(profile, signerSet))?.version === profile.version) return undefined;
  try {
    openParts(profile, signerSet);
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

function openParts(profile: Profile, signerSet: SignerSet): Parts {
  const refuse = (reason: string): never => {
    throw new ProfileDegraded(profile.name, reason);
  };
  if (profile.method !== 'Local') requireExternalService(refuse);
  const isKeyUsed = profile.method !== 'ExternalSigner' && signerSet !== 'Approvers';
  const signer = isKeyUsed ? openSigner(profile, refuse) : undefined;
  if (profile.method === 'SignerFolder' && signer && icpBrasilIdentity(signer.certificate).cpf === undefined)
    refuse(
      'Its certificate names no CPF, by which documents of the folder are found. Give it the key of a person.',
    );
  const encryption = openEncryption(profile, refuse);
  return { ...(signer && { signer }), ...(encryption && { encryption }) };
}

type Refuse = (reason: string) => never;

function requireExternalService(refuse: Refuse): void {
  if (hasExternalService()) return;
  refuse('No external signature service is configured: set Signer:BaseAddress and Signer:ApiKey.');
}

function openSigner({ name, certificate, chain = [], sealedKey }: Profile, refuse: Refuse) {
  if (!certificate || sealedKey === undefined)
    return refuse(`It has no key. Give it one: npm run admin -- profiles key ${name} FILE.p12`);
  const privateKey = openPrivateKey(name, sealedKey);
  if (!privateKey)
    return refuse(
      'Its key does not open: Profiles:SealingKey is another one, or the key was sealed for another profile. Give the key again.',
    );
  try {
    const above = chain.map((der) => parseCertificate(der));
    return { ...localKey(privateKey, parseCertificate(certificate), above), privateKey };
  } catch (error) {
    if (!(error instanceof CertificateMalformed) && !(error instanceof SigningRefused)) throw error;
    return refuse(`Its key cannot sign: ${error.message}`);
  }
}

function openEncryption({ name, encryption }: Profile, refuse: Refuse): Parts['encryption'] {
  if (!encryption) return undefined;
  if ('certificate' in encryption) {
    try {
      return { certificate: parseCertificate(encryption.certificate) };
    } catch (error) {
      if (!(error instanceof CertificateMalformed)) throw error;
      return refuse('The certificate that its outputs are encrypted for cannot be read. Give it again.');
    }
  }
  const secret = openPassword(name, encryption.sealed);
  if (!secret)
    return refuse(
      'Its encryption password does not open: Profiles:SealingKey is another one, or it was sealed for another profile. Give the password again.',
    );
  return { password: secret.password, salt: Buffer.from(secret.salt, 'base64') };
}
