import { parseCertificate } from '../../../shared/pki/certificate/certificate.ts';
import { RaceLost } from '../../../shared/store/refusals.ts';
import { errors } from '../errors.ts';
import { refusalAfter } from './provider-refusal.ts';
import { type HeldCertificate, listCertificates } from './providers/certificates-of.ts';
import { findProvider, type Provider } from './providers/provider.ts';
import {
  type OpenSession,
  openContent,
  requireUsableSession,
  sealContent,
  sessions,
  tokenOf,
} from './session.ts';

// A holder has a few, of some 3 KB each. An item of the store holds 400 KB, and more than this is asked for anew.
const MAX_KEPT_CHARACTERS = 200_000;

/** Which of the holder's certificates is meant. */
export type CertificateChoice = (held: readonly HeldCertificate[]) => HeldCertificate | undefined;

/** The one that is valid now, and of several the one that was issued last. */
export const newestValid =
  (nowMs: number): CertificateChoice =>
  (held) =>
    held
      .filter(({ certificate: { notBeforeMs, notAfterMs } }) => notBeforeMs <= nowMs && nowMs <= notAfterMs)
      .toSorted((a, b) => b.certificate.notBeforeMs - a.certificate.notBeforeMs)[0];

/** The provider that a session is at. One that an operator has removed accepts nothing any more. */
export async function providerOf({ provider: name, application }: OpenSession): Promise<Provider> {
  const provider = await findProvider(name);
  if (!provider) throw errors.refuse('SessionInvalidOrAlreadyUsed');
  return { ...provider, askedBy: application };
}

/** The certificate of the choice, asked for where none that is kept is meant: a session may outlive a certificate. */
export async function findCertificate(
  session: OpenSession,
  provider: Provider,
  choice: CertificateChoice,
): Promise<HeldCertificate | undefined> {
  return choice(keptIn(session)) ?? choice(await askedFor(session, provider));
}

function keptIn({ value, sealedCertificates }: OpenSession): HeldCertificate[] {
  const kept: Kept[] = JSON.parse(openContent(value, 'certificates', sealedCertificates) ?? '[]');
  return kept.map(({ alias, der }) => ({ alias, certificate: parseCertificate(Buffer.from(der, 'base64')) }));
}

type Kept = { readonly alias: string; readonly der: string };

async function askedFor(session: OpenSession, provider: Provider): Promise<readonly HeldCertificate[]> {
  const held = await listCertificates(provider, tokenOf(session));
  const kept: Kept[] = held.map(({ alias, certificate }) => ({
    alias,
    der: certificate.der.toString('base64'),
  }));
  const sealedCertificates = sealContent(session.value, 'certificates', JSON.stringify(kept));
  if (sealedCertificates.length > MAX_KEPT_CHARACTERS) return held;
  // The state that a call under way has given it is not touched: only what is known of the holder is added.
  const when = { valueHash: session.valueHash };
  await sessions.change(session, { sealedCertificates }, { when, anyVersion: true }).catch((error) => {
    if (!(error instanceof RaceLost)) throw error;
  });
  return held;
}

/** The certificate that a session signs with unless it is told otherwise. */
export async function getCertificate(value: string, application: string, now = () => Date.now()) {
  const nowMs = now();
  const session = await requireUsableSession(value, application, nowMs);
  const provider = await providerOf(session);
  const held = await findCertificate(session, provider, newestValid(nowMs)).catch(async (error: unknown) => {
    throw await refusalAfter(session, error, now);
  });
  if (!held) throw errors.refuse('NoValidCertificate');
  return {
    content: held.certificate.der.toString('base64'),
    alias: held.alias,
    serviceName: provider.name,
  };
}
