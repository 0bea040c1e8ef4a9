import { createPrivateKey, type KeyObject } from 'node:crypto';
import { type Opened, openStored, sealStored } from '../../../../shared/keyring/stored.ts';
import { errors } from '../../errors.ts';

// The certificate by which an organization seals the documents that people sign electronically. It is a part of the
// organization's item, which every call has at hand: a creation asks for it without another read.

type Certificates = {
  /** DER as base64, and those above it. */
  readonly certificate: string;
  readonly chain: readonly string[];
  readonly notAfterMs: number;
};

/** A key that is kept here, sealed as that of a profile is. */
export type KeptSeal = Certificates & { readonly sealedKey: string };

/** A certificate in the cloud: the hub signs under a session that its holder has authorized, until it ends. */
export type CloudSeal = Certificates & {
  readonly sealedSession: string;
  readonly alias: string;
  readonly sessionEndsAtMs: number;
};

export type Seal = KeptSeal | CloudSeal;

type Purpose = 'seal key' | 'seal session';

// The organization is sealed in: a value that is copied to another one does not open there.
const sealedOf = (purpose: Purpose, organizationId: string) => ({
  about: JSON.stringify(['documents organization', purpose, organizationId]),
});

/** The private key of a seal in the form in which the store keeps it. */
export const sealKey = (organizationId: string, key: KeyObject): Promise<string> =>
  sealStored(
    sealedOf('seal key', organizationId),
    key.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
  );

export async function openKey(organizationId: string, sealed: string): Promise<Opened<KeyObject>> {
  const opened = await openStored(sealedOf('seal key', organizationId), sealed);
  if ('problem' in opened) return opened;
  const key = Buffer.from(opened.plain, 'base64');
  return { plain: createPrivateKey({ key, format: 'der', type: 'pkcs8' }) };
}

/** The hub's session of a seal in the cloud. */
export const sealSession = (organizationId: string, session: string): Promise<string> =>
  sealStored(sealedOf('seal session', organizationId), session);

export const openSession = (organizationId: string, sealed: string): Promise<Opened> =>
  openStored(sealedOf('seal session', organizationId), sealed);

/** When a seal ends: its certificate, or the authorization of one in the cloud. */
export const sealEndsAtMs = (seal: Seal): number =>
  'sessionEndsAtMs' in seal ? Math.min(seal.notAfterMs, seal.sessionEndsAtMs) : seal.notAfterMs;

/** The seal of an organization. Refused by name where it has none, or one that has ended. */
export function requireSeal(
  { id, seal }: { readonly id: string; readonly seal?: Seal | undefined },
  nowMs: number,
): Seal {
  if (!seal) throw errors.refuse('SealRequired', { organizationId: id, reason: 'It has no seal.' });
  const endsAtMs = sealEndsAtMs(seal);
  if (endsAtMs > nowMs) return seal;
  const reason = `Its seal ended at ${new Date(endsAtMs).toISOString()}.`;
  throw errors.refuse('SealRequired', { organizationId: id, reason });
}
