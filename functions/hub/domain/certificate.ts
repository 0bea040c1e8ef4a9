import type { Caller } from '../../../shared/access/caller.ts';
import { ifThrown } from '../../../shared/errors/expected.ts';
import { parseCertificate } from '../../../shared/pki/certificate/certificate.ts';
import { RaceLost } from '../../../shared/store/refusals.ts';
import { errors } from '../errors.ts';
import { refusalAfter } from './provider-refusal.ts';
import { type HeldCertificate, listCertificates } from './providers/certificates-of.ts';
import { findProvider, type Provider } from './providers/provider.ts';
import {
  type HubSession,
  type OpenSession,
  openContent,
  requireUsableSession,
  sealContent,
  sessions,
  tokenOf,
} from './session.ts';

// A holder has a few certificates of some 3 KB each. An item of the store holds 400 KB; a longer list is not cached.
const MAX_CACHED_CHARACTERS = 200_000;

/** Chooses one of the holder's certificates. */
export type CertificateChoice = (held: readonly HeldCertificate[]) => HeldCertificate | undefined;

/** Chooses the certificate that is valid now and was issued last. */
export const newestValid =
  (nowMs: number): CertificateChoice =>
  (held) =>
    held
      .filter(({ certificate: { notBeforeMs, notAfterMs } }) => notBeforeMs <= nowMs && nowMs <= notAfterMs)
      .toSorted((a, b) => b.certificate.notBeforeMs - a.certificate.notBeforeMs)[0];

/** The provider of a session. A session at a removed provider is refused. */
export async function providerOf({ provider: name }: OpenSession): Promise<Provider> {
  const provider = await findProvider(name);
  if (!provider) throw errors.refuse('SessionInvalidOrAlreadyUsed');
  return provider;
}

type FindCertificateRequest = {
  readonly session: OpenSession;
  readonly provider: Provider;
  readonly choice: CertificateChoice;
  /** Keeps what the provider answered for later calls. In the session at once, where it is left out. */
  readonly keep?: (learned: Learned) => void | Promise<void>;
};

/** The certificates of a session as its item keeps them. */
export type Learned = Pick<HubSession, 'sealedCertificates'>;

/** The chosen certificate, from the cache or else from the provider: a session may outlive a certificate. */
export async function findCertificate(
  caller: Caller,
  { session, provider, choice, keep = keepInSession(session) }: FindCertificateRequest,
  now: () => number,
): Promise<HeldCertificate | undefined> {
  const cached = choice(cachedIn(session));
  if (cached) return cached;
  const held = await listCertificates(caller, provider, tokenOf(session), now);
  const sealedCertificates = sealContent(session.value, 'certificates', JSON.stringify(held.map(cachedOf)));
  if (sealedCertificates.length <= MAX_CACHED_CHARACTERS) await keep({ sealedCertificates });
  return choice(held);
}

type CachedCertificate = { readonly alias: string; readonly der: string };

function cachedIn({ value, sealedCertificates }: OpenSession): HeldCertificate[] {
  const cached: CachedCertificate[] = JSON.parse(
    openContent(value, 'certificates', sealedCertificates) ?? '[]',
  );
  return cached.map(({ alias, der }) => ({
    alias,
    certificate: parseCertificate(Buffer.from(der, 'base64')),
  }));
}

const cachedOf = ({ alias, certificate }: HeldCertificate): CachedCertificate => ({
  alias,
  der: certificate.der.toString('base64'),
});

// Any version: the write does not touch the state that a running call has set.
const keepInSession = (session: OpenSession) => async (learned: Learned) => {
  const when = { valueHash: session.valueHash };
  await sessions.change(session, learned, { when, anyVersion: true }).catch(ifThrown(RaceLost));
};

/** The certificate that a session signs with when no alias is given. */
export async function getCertificate(caller: Caller, value: string, now: () => number) {
  const nowMs = now();
  const session = await requireUsableSession(caller, value, nowMs);
  const provider = await providerOf(session);
  const request = { session, provider, choice: newestValid(nowMs) };
  const held = await findCertificate(caller, request, now).catch(async (error: unknown) => {
    throw await refusalAfter(session, error, now);
  });
  if (!held) throw errors.refuse('NoValidCertificate');
  return {
    content: held.certificate.der.toString('base64'),
    alias: held.alias,
    serviceName: provider.name,
  };
}
