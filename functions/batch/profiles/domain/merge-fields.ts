import { isDeepStrictEqual } from 'node:util';
import { checkCombination, type ProfileFields, recipientOf } from './fields.ts';
import type { Approval, Encryption, StoredProfile } from './profile.ts';
import { openPassword, sealPassword } from './secrets.ts';

/** A new profile has these where its fields are left out. */
const DEFAULTS = {
  enabled: true,
  method: 'Local',
  verify: true,
  validateCertificate: true,
  preserveFileExtension: false,
  saveAsPem: false,
  checkCnab240: false,
  checkCnab240PaymentDates: true,
  checkCnab240LotSums: false,
  timestamp: false,
} as const satisfies Partial<StoredProfile>;

/**
 * The profile with these fields over its present ones. A field that is left out stays as it is: an edit that does not
 * repeat the password must not end the encryption of outputs.
 */
export const mergeFields =
  ({ default: _, encryption, approval, ...fields }: ProfileFields) =>
  async (current: StoredProfile | undefined): Promise<StoredProfile> => {
    const given = {
      ...fields,
      ...(encryption !== undefined && {
        encryption: await encryptionOf(fields.name, encryption, current),
      }),
      ...(approval !== undefined && { approval: approval && approvalOf(approval) }),
    };
    const merged = Object.entries({ ...DEFAULTS, ...current, ...withoutUndefined(given) });
    const next = Object.fromEntries(merged.filter(([, value]) => value !== null)) as StoredProfile;
    checkCombination(next);
    const { cloudAuthorization, ...unauthorized } = next;
    // It was given for the certificate that the profile had.
    const isSame = isDeepStrictEqual(next.cloudCertificate, current?.cloudCertificate);
    return isSame ? next : unauthorized;
  };

const withoutUndefined = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

async function encryptionOf(
  name: string,
  given: ProfileFields['encryption'],
  current: StoredProfile | undefined,
): Promise<Encryption | null> {
  if (!given) return null;
  const { password = '', salt = '', certificate } = given;
  if (certificate !== undefined) return { certificate: Uint8Array.from(recipientOf(certificate).der) };
  // Sealing anew changes the text: the same password is no change.
  const known = current?.encryption;
  if (known && 'sealed' in known) {
    const opened = await openPassword(name, known.sealed);
    if ('plain' in opened && isDeepStrictEqual(opened.plain, { password, salt })) return known;
  }
  return { sealed: await sealPassword(name, { password, salt }) };
}

const approvalOf = ({
  expiresAfter,
  signerSet = 'Profile',
  ...rest
}: NonNullable<ProfileFields['approval']>): Approval => ({
  ...rest,
  signerSet,
  ...(expiresAfter !== undefined && { expiresAfterSeconds: expiresAfter }),
});
