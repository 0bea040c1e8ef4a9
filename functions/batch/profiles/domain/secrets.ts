import { createPrivateKey, type KeyObject } from 'node:crypto';
import { type Opened, openStored, sealStored } from '../../../../shared/keyring/stored.ts';

/** The password of outputs and its salt, at least 16 bytes in base64. */
export type EncryptionPassword = { readonly password: string; readonly salt: string };

type Purpose = 'key' | 'encryption' | 'cloud session';

// The profile's name is sealed in: a value that is copied to another profile does not open there.
const sealedOf = (purpose: Purpose, profileName: string) => ({
  about: JSON.stringify(['batch profile', purpose, profileName]),
});

/** A private key in the form in which the store keeps it. */
export const sealPrivateKey = (profileName: string, key: KeyObject): Promise<string> =>
  sealStored(sealedOf('key', profileName), key.export({ format: 'der', type: 'pkcs8' }).toString('base64'));

export async function openPrivateKey(profileName: string, sealed: string): Promise<Opened<KeyObject>> {
  const opened = await openStored(sealedOf('key', profileName), sealed);
  if ('problem' in opened) return opened;
  const key = Buffer.from(opened.plain, 'base64');
  return { plain: createPrivateKey({ key, format: 'der', type: 'pkcs8' }) };
}

export const sealPassword = (profileName: string, { password, salt }: EncryptionPassword): Promise<string> =>
  sealStored(sealedOf('encryption', profileName), JSON.stringify({ password, salt }));

export async function openPassword(profileName: string, sealed: string): Promise<Opened<EncryptionPassword>> {
  const opened = await openStored(sealedOf('encryption', profileName), sealed);
  return 'problem' in opened ? opened : { plain: JSON.parse(opened.plain) as EncryptionPassword };
}

/** A session of the hub, which signs with the cloud certificate of a profile. */
export const sealCloudSession = (profileName: string, session: string): Promise<string> =>
  sealStored(sealedOf('cloud session', profileName), session);

export const openCloudSession = (profileName: string, sealed: string): Promise<Opened> =>
  openStored(sealedOf('cloud session', profileName), sealed);
