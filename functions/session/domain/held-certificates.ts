import type { Certificate } from '../../../shared/pki/certificate/certificate.ts';
import type { Stored } from '../../../shared/store/collection.ts';
import { errors } from '../errors.ts';
import { settings } from '../settings.ts';
import type { Session } from './session.ts';
import { certificateOf, type VaultCertificate, vault, vaultOf } from './vault/vault.ts';
import { type Verdict, verdictOf } from './verdicts.ts';
import { workstationCertificates } from './workstations/certificates.ts';

/** The certificates of a CPF that can sign, by custody. */
export type ActiveCertificates = {
  readonly inVault: readonly Stored<VaultCertificate>[];
  /** Fingerprints of those at workstations. */
  readonly atWorkstations: ReadonlySet<string>;
};

/** Refuses where there is none, or none whose verdict lets it sign. */
export async function activeCertificates(cpf: string, nowMs: number): Promise<ActiveCertificates> {
  const [stored, away] = await Promise.all([
    settings['Vault:Enabled'] ? vaultOf(cpf) : [],
    workstationCertificates(cpf, nowMs),
  ]);
  if (stored.length + away.length === 0) throw errors.refuse('CERT_NOT_FOUND');
  const readable = stored.flatMap((each) => certificateOf(each) ?? []);
  if (readable.length + away.length === 0) throw errors.refuse('CERT_DATA_UNAVAILABLE');
  const statuses = new Map<string, Verdict['status']>();
  await Promise.all(
    [...readable, ...away.map(({ certificate }) => certificate)].map(async (certificate) => {
      statuses.set(certificate.sha256, (await verdictOf(certificate, nowMs)).status);
    }),
  );
  const isActive = ({ sha256 }: { readonly sha256: string }): boolean => statuses.get(sha256) === 'ACTIVE';
  const inVault = stored.filter(isActive);
  const atWorkstations = new Set(away.filter(isActive).map(({ sha256 }) => sha256));
  if (inVault.length + atWorkstations.size === 0)
    throw errors.refuse('CERT_NOT_ACTIVE', { status: [...new Set(statuses.values())].join(', ') });
  return { inVault, atWorkstations };
}

export type BoundCertificate = { readonly certificate: Certificate; readonly verdict: Verdict };

/** The certificate that a session is bound to, as it is held now. */
export async function boundCertificate({ cpf, binding }: Session, nowMs: number): Promise<BoundCertificate> {
  const certificate =
    binding.custody === 'vault' ? await fromVault(cpf, binding.sha256) : await fromWorkstation(cpf, binding);
  if (!certificate) throw errors.refuse('CERT_NOT_FOUND');
  return { certificate, verdict: await verdictOf(certificate, nowMs) };
}

async function fromVault(cpf: string, sha256: string): Promise<Certificate | undefined> {
  const found = await vault.get({ cpf, sha256 });
  const certificate = found && certificateOf(found);
  if (found && !certificate) throw errors.refuse('CERT_DATA_UNAVAILABLE');
  return certificate;
}

async function fromWorkstation(
  cpf: string,
  { sha256, agentId }: { readonly sha256: string; readonly agentId: string },
): Promise<Certificate | undefined> {
  const all = await workstationCertificates(cpf);
  return all.find((each) => each.sha256 === sha256 && each.agentId === agentId)?.certificate;
}

/** Refuses a session whose certificate cannot sign at this moment. */
export async function signingCertificate(session: Session, nowMs: number): Promise<Certificate> {
  const { certificate, verdict } = await boundCertificate(session, nowMs);
  if (verdict.status !== 'ACTIVE') throw errors.refuse('CERT_NOT_ACTIVE', { status: verdict.status });
  return certificate;
}
