import { createPrivateKey, type KeyObject } from 'node:crypto';
import { openText, sealText } from '../../config/sealing-key.ts';

/** The password of outputs and its salt, at least 16 bytes in base64. */
export type EncryptionPassword = { readonly password: string; readonly salt: string };

type Purpose = 'key' | 'encryption' | 'cloud session';

// The profile's name is sealed in: a value that is copied to another profile does not open there.
const sealedOf = (purpose: Purpose, profileName: string) => ({
  contents: 'the keys and secrets of profiles',
  about: JSON.stringify(['batch profile', purpose, profileName]),
});

/** A private key in the form in which the store keeps it. */
export const sealPrivateKey = (profileName: string, key: KeyObject): string =>
  sealText(sealedOf('key', profileName), key.export({ format: 'der', type: 'pkcs8' }).toString('base64'));

/** Undefined if the present Profiles:SealingKey does not open it for this profile. */
export function openPrivateKey(profileName: string, sealed: string): KeyObject | undefined {
  const pkcs8 = openText(sealedOf('key', profileName), sealed);
  return pkcs8 === undefined
    ? undefined
    : createPrivateKey({ key: Buffer.from(pkcs8, 'base64'), format: 'der', type: 'pkcs8' });
}

export const sealPassword = (profileName: string, { password, salt }: EncryptionPassword): string =>
  sealText(sealedOf('encryption', profileName), JSON.stringify({ password, salt }));

/** Undefined if the present Profiles:SealingKey does not open it for this profile. */
export function openPassword(profileName: string, sealed: string): EncryptionPassword | undefined {
  const text = openText(sealedOf('encryption', profileName), sealed);
  return text === undefined ? undefined : (JSON.parse(text) as EncryptionPassword);
}

/** A session of the hub, which signs with the cloud certificate of a profile. */
export const sealCloudSession = (profileName: string, session: string): string =>
  sealText(sealedOf('cloud session', profileName), session);

/** Undefined if the present Profiles:SealingKey does not open it for this profile. */
export const openCloudSession = (profileName: string, sealed: string): string | undefined =>
  openText(sealedOf('cloud session', profileName), sealed);
