import { createPrivateKey, type KeyObject } from 'node:crypto';
import { type SealKey, seal, unseal } from '../../../../shared/access/seal.ts';
import { settings } from '../../settings.ts';

/** The password of outputs and its salt, at least 16 bytes in base64. */
export type EncryptionPassword = { readonly password: string; readonly salt: string };

type Purpose = 'key' | 'encryption';

// The profile's name is sealed in: a value that is copied to another profile does not open there.
const sealKeyOf = (purpose: Purpose, profileName: string): SealKey => ({
  secret: sealingKey(),
  about: JSON.stringify(['batch profile', purpose, profileName]),
});

function sealingKey(): Buffer {
  const key = settings['Profiles:SealingKey'];
  if (key !== '') return Buffer.from(key, 'base64');
  throw new Error(
    'Setting Profiles:SealingKey (Profiles__SealingKey) is not set: the keys and secrets of profiles are sealed with it. Give the key that the stage has, or make one with openssl rand -base64 32.',
  );
}

/** Undefined too where no sealing key is set: nothing opens then. */
function open(purpose: Purpose, profileName: string, sealed: string): string | undefined {
  return settings['Profiles:SealingKey'] === '' ? undefined : unseal(sealKeyOf(purpose, profileName), sealed);
}

/** A private key in the form in which the store keeps it. */
export const sealPrivateKey = (profileName: string, key: KeyObject): string =>
  seal(sealKeyOf('key', profileName), key.export({ format: 'der', type: 'pkcs8' }).toString('base64'));

/** Undefined if the present Profiles:SealingKey does not open it for this profile. */
export function openPrivateKey(profileName: string, sealed: string): KeyObject | undefined {
  const pkcs8 = open('key', profileName, sealed);
  return pkcs8 === undefined
    ? undefined
    : createPrivateKey({ key: Buffer.from(pkcs8, 'base64'), format: 'der', type: 'pkcs8' });
}

export const sealPassword = (profileName: string, { password, salt }: EncryptionPassword): string =>
  seal(sealKeyOf('encryption', profileName), JSON.stringify({ password, salt }));

/** Undefined if the present Profiles:SealingKey does not open it for this profile. */
export function openPassword(profileName: string, sealed: string): EncryptionPassword | undefined {
  const text = open('encryption', profileName, sealed);
  return text === undefined ? undefined : (JSON.parse(text) as EncryptionPassword);
}
