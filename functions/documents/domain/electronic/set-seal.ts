import type { Caller } from '../../../../shared/access/caller.ts';
import type { Deadline } from '../../../../shared/async/deadline.ts';
import { isHubFailure } from '../../../../shared/hub/errors.ts';
import { type Certificate, PublicKeyUnsupported } from '../../../../shared/pki/certificate/certificate.ts';
import { icpBrasilIdentity } from '../../../../shared/pki/icp-brasil/icp-brasil.ts';
import type { Pkcs12Entry } from '../../../../shared/pki/pkcs12/entries.ts';
import { BrokenPkcs12, UnsupportedPkcs12, WrongPassword } from '../../../../shared/pki/pkcs12/errors.ts';
import { openPkcs12 } from '../../../../shared/pki/pkcs12/open.ts';
import { SigningRefused } from '../../../../shared/signing/errors.ts';
import { checkKey, localKey } from '../../../../shared/signing/key.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { errors } from '../../errors.ts';
import {
  findOrganization,
  forgetRecentOrganization,
  isActiveOrganization,
  type Organization,
  organizationNotFound,
  organizations,
} from '../places/organization.ts';
import { type Seal, sealEndsAtMs, sealKey, sealSession } from '../places/seal.ts';
import { judgeSigner } from '../signing/signer-certificate.ts';
import { cloud } from './cloud.ts';

/** A seal as answers show it: nothing of its key. */
type SealInfo = { readonly subject: string; readonly issuer: string; readonly validUntil: string };

const notUsable = (reason: string) => errors.refuse('SealNotUsable', { reason });

/** The only key of a PKCS#12 file. */
async function readKeyFile(file: Uint8Array, password: string): Promise<Pkcs12Entry> {
  const { entries } = await openPkcs12(file, password).catch((error: unknown) => {
    const isRefused = [WrongPassword, BrokenPkcs12, UnsupportedPkcs12].some((kind) => error instanceof kind);
    throw isRefused ? notUsable((error as Error).message) : error;
  });
  const [entry, ...others] = entries;
  if (!entry) throw notUsable('The file holds no certificate with its private key.');
  if (others.length > 0) throw notUsable('The file holds several keys. Export the one to seal with.');
  return entry;
}

/** Gives an organization the key of a PKCS#12 file as its seal. The password is not kept. */
export async function setKeptSeal(
  organizationId: string,
  { file, password }: { readonly file: Uint8Array; readonly password: string },
  nowMs: number,
): Promise<SealInfo> {
  const { privateKey, certificate, chain } = await readKeyFile(file, password);
  return keepSeal(organizationId, { privateKey, certificate, chain }, nowMs);
}

/** The same with a key that was read already. */
export async function keepSeal(
  organizationId: string,
  { privateKey, certificate, chain }: Pkcs12Entry,
  nowMs: number,
): Promise<SealInfo> {
  requireSigning(() => localKey(privateKey, certificate, chain));
  const sealedKey = await sealKey(organizationId, privateKey);
  return writeSeal(organizationId, { certificate, chain, key: { sealedKey } }, nowMs);
}

type CloudRequest = { readonly session: string; readonly lifetimeSeconds: number };

/**
 * Makes a certificate in the cloud the seal of an organization, by a SignatureSession of the hub that its holder has
 * authorized. The hub does not tell when a session ends, so the caller says it.
 */
export async function setCloudSeal(
  organizationId: string,
  { session, lifetimeSeconds }: CloudRequest,
  deadline: Deadline,
): Promise<SealInfo> {
  if (!cloud.isOffered()) throw errors.refuse('WayNotOffered');
  const { certificate, alias } = await cloud.hub.certificateOf(session, deadline).catch((error: unknown) => {
    if (!isHubFailure(error)) throw error;
    throw notUsable(`The hub did not serve the session: ${error.message}`);
  });
  requireSigning(() => checkKey(certificate.publicKey));
  const { path } = await judgeSigner(certificate, deadline.now());
  const key = {
    alias,
    sealedSession: await sealSession(organizationId, session),
    sessionEndsAtMs: deadline.now() + lifetimeSeconds * 1000,
  };
  return writeSeal(organizationId, { certificate, chain: path.slice(1), key }, deadline.now());
}

/** The seal of a request, for an organization of the caller. */
export async function setSeal(
  caller: Pick<Caller, 'registered'>,
  id: string,
  request: { readonly file: Uint8Array; readonly password: string } | CloudRequest,
  deadline: Deadline,
): Promise<SealInfo> {
  await findOrganization(caller, id);
  return 'session' in request
    ? setCloudSeal(id, request, deadline)
    : setKeptSeal(id, request, deadline.now());
}

function requireSigning(check: () => unknown): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof SigningRefused) && !(error instanceof PublicKeyUnsupported)) throw error;
    throw notUsable(error.message);
  }
}

type NewSeal = {
  readonly certificate: Certificate;
  readonly chain: readonly Certificate[];
  readonly key:
    | { readonly sealedKey: string }
    | { readonly sealedSession: string; readonly alias: string; readonly sessionEndsAtMs: number };
};

const base64 = ({ der }: Certificate): string => Buffer.from(der).toString('base64');

async function writeSeal(id: string, { certificate, chain, key }: NewSeal, nowMs: number): Promise<SealInfo> {
  const { notAfterMs } = certificate;
  const seal: Seal = { certificate: base64(certificate), chain: chain.map(base64), notAfterMs, ...key };
  if (sealEndsAtMs(seal) <= nowMs || certificate.notBeforeMs > nowMs)
    throw notUsable('The certificate is not valid now.');
  await retryOnConflict(async () => {
    const stored = await organizations.get(id);
    if (!stored || !isActiveOrganization(stored)) throw organizationNotFound(id);
    requireSameCompany(stored, certificate);
    await organizations.change(stored, { seal });
  });
  forgetRecentOrganization(id);
  return {
    subject: certificate.subject.text,
    issuer: certificate.issuer.text,
    validUntil: new Date(sealEndsAtMs(seal)).toISOString(),
  };
}

/** Impersonation: a seal says whose document it is. */
function requireSameCompany({ identifier }: Organization, certificate: Certificate): void {
  const { cnpj } = icpBrasilIdentity(certificate);
  if (cnpj !== undefined && identifier !== null && cnpj !== identifier)
    throw notUsable(`The certificate is of the company ${cnpj}, and the organization is ${identifier}.`);
}
