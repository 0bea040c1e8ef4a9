import { createHmac, hkdfSync } from 'node:crypto';
import { type SealKey, seal, unseal } from '../../../shared/access/seal.ts';
import { settings } from '../settings.ts';

/** The record that a seal is for. */
type Sealed = Omit<SealKey, 'secret'> & {
  /** Names what is sealed, for the operator who has not set the key. @example 'the secrets of shares' */
  readonly contents: string;
};

const keyOf = ({ about, salt }: Sealed, key: string): SealKey => ({
  secret: Buffer.from(key, 'base64'),
  about,
  ...(salt !== undefined && { salt }),
});

function requireKey({ contents }: Pick<Sealed, 'contents'>): string {
  const key = settings['Profiles:SealingKey'];
  // An empty key would seal nothing.
  if (key === '')
    throw new Error(
      `Setting Profiles:SealingKey (Profiles__SealingKey) is not set: ${contents} are sealed with it. Give the key that the stage has, or make one with openssl rand -base64 32.`,
    );
  return key;
}

/**
 * Seals a text with the setting Profiles:SealingKey.
 * @example sealText({ contents: 'the secrets of shares', about: JSON.stringify(['batch share', name]) }, secret)
 */
export const sealText = (sealed: Sealed, plain: string): string =>
  seal(keyOf(sealed, requireKey(sealed)), plain);

/** Opens it. Undefined where another sealing key is set, or none, or where the text was sealed for another record. */
export function openText(sealed: Sealed, text: string): string | undefined {
  const key = settings['Profiles:SealingKey'];
  return key === '' ? undefined : unseal(keyOf(sealed, key), text);
}

const MAC_KEY_BYTES = 32;

/**
 * The HMAC of a text, by a key of its own that is derived from Profiles:SealingKey.
 * @example authenticateText({ contents: 'the manifests of backups', about: 'batch backup manifest' }, text)
 */
export function authenticateText(sealed: Omit<Sealed, 'salt'>, text: string): string {
  const secret = Buffer.from(requireKey(sealed), 'base64');
  const key = Buffer.from(hkdfSync('sha256', secret, '', `hmac: ${sealed.about}`, MAC_KEY_BYTES));
  return createHmac('sha256', key).update(text).digest('hex');
}
