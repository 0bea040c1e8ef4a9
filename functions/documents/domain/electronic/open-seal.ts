import { deadlineIn } from '../../../../shared/async/deadline.ts';
import { parseCertificate } from '../../../../shared/pki/certificate/certificate.ts';
import { localKey, type SigningKey } from '../../../../shared/signing/key.ts';
import { type CloudSeal, type KeptSeal, openKey, openSession, type Seal } from '../places/seal.ts';
import { cloud } from './cloud.ts';

/** The hub signs in so long, or not at all; the task that seals has two minutes. */
const SIGN_MS = 60_000;

const read = (base64: string) => parseCertificate(Buffer.from(base64, 'base64'));

const notOpening = (organizationId: string, problem: string): Error =>
  new Error(
    `The seal of the organization ${organizationId} does not open: ${problem} Or set it again: npm run admin -- organizations seal ${organizationId} FILE.p12`,
  );

/** The key of an organization's seal, wherever it is. Throws an Error for operators where it does not open. */
export const openSeal = (organizationId: string, seal: Seal, now: () => number): Promise<SigningKey> =>
  'sealedKey' in seal ? openKept(organizationId, seal) : openInCloud(organizationId, seal, now);

async function openKept(organizationId: string, { sealedKey, certificate, chain }: KeptSeal) {
  const opened = await openKey(organizationId, sealedKey);
  if ('problem' in opened) throw notOpening(organizationId, opened.problem);
  return localKey(opened.plain, read(certificate), chain.map(read));
}

async function openInCloud(
  organizationId: string,
  { sealedSession, alias, certificate, chain }: CloudSeal,
  now: () => number,
): Promise<SigningKey> {
  const opened = await openSession(organizationId, sealedSession);
  if ('problem' in opened) throw notOpening(organizationId, opened.problem);
  const session = opened.plain;
  return {
    certificate: read(certificate),
    chain: chain.map(read),
    // The seal is over SHA-256, which signPades takes by default.
    signHash: (_, hash) => cloud.hub.signHash({ session, hash, alias }, deadlineIn(SIGN_MS, now)),
  };
}
