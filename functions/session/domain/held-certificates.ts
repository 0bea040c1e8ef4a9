import type { Certificate } from '../../../shared/pki/certificate/certificate.ts';
import { icpBrasilIdentity } from '../../../shared/pki/icp-brasil/icp-brasil.ts';
import { formatSerial } from '../../../shared/pki/model/certificate-model.ts';
import type { Stored } from '../../../shared/store/collection.ts';
import { errors } from '../errors.ts';
import { settings } from '../settings.ts';
import { requireActiveSession, type Session } from './session.ts';
import { certificateOf, type VaultCertificate, vault, vaultOf } from './vault/vault.ts';
import { currentVerdict, type Verdict, verdicts } from './verdicts.ts';
import { workstationCertificates } from './workstations/certificates.ts';

/** The certificates of a CPF that can sign, by custody. */
export type ActiveCertificates = {
  readonly inVault: readonly Stored<VaultCertificate>[];
  /** Fingerprints of those at workstations. */
  readonly atWorkstations: ReadonlySet<string>;
};

/** Refuses a CPF without certificates, and one whose certificates all have a verdict that cannot sign. */
export async function activeCertificates(cpf: string, nowMs: number): Promise<ActiveCertificates> {
  const [stored, remote] = await Promise.all([
    settings['Vault:Enabled'] ? vaultOf(cpf) : [],
    workstationCertificates(cpf, nowMs),
  ]);
  if (stored.length + remote.length === 0) throw errors.refuse('CERT_NOT_FOUND');
  const readable = stored.flatMap((each) => certificateOf(each) ?? []);
  if (readable.length + remote.length === 0) throw errors.refuse('CERT_DATA_UNAVAILABLE');
  const statuses = await statusesOf([...readable, ...remote.map(({ certificate }) => certificate)], nowMs);
  const isActive = ({ sha256 }: { readonly sha256: string }): boolean => statuses.get(sha256) === 'ACTIVE';
  const inVault = stored.filter(isActive);
  const atWorkstations = new Set(remote.filter(isActive).map(({ sha256 }) => sha256));
  if (inVault.length + atWorkstations.size === 0)
    throw errors.refuse('CERT_NOT_ACTIVE', { status: [...new Set(statuses.values())].join(', ') });
  return { inVault, atWorkstations };
}

async function statusesOf(
  certificates: readonly Certificate[],
  nowMs: number,
): Promise<ReadonlyMap<string, Verdict['status']>> {
  const stored = await verdicts.getMany(certificates.map(({ sha256 }) => sha256));
  const known = new Map(stored.map((verdict) => [verdict.sha256, verdict]));
  const current = await Promise.all(
    certificates.map((certificate) => currentVerdict(known.get(certificate.sha256), certificate, nowMs)),
  );
  return new Map(current.map(({ sha256, status }) => [sha256, status]));
}

/** A certificate that a session is bound to. */
export type BoundCertificate = {
  readonly certificate: Certificate;
  /** The file of a vault certificate. */
  readonly file?: VaultCertificate;
};

/** The certificate that a session is bound to, and its verdict now. */
export async function boundCertificate(
  { cpf, binding }: Session,
  nowMs: number,
): Promise<BoundCertificate & { readonly verdict: Verdict }> {
  const [bound, known] = await Promise.all([
    binding.custody === 'vault'
      ? findInVault(cpf, binding.sha256)
      : findAtWorkstation(cpf, binding, nowMs).then((certificate) => certificate && { certificate }),
    verdicts.get(binding.sha256),
  ]);
  if (!bound) throw errors.refuse('CERT_NOT_FOUND');
  return { ...bound, verdict: await currentVerdict(known, bound.certificate, nowMs) };
}

async function findInVault(cpf: string, sha256: string): Promise<BoundCertificate | undefined> {
  const file = await vault.get({ cpf, sha256 });
  const certificate = file && certificateOf(file);
  if (file && !certificate) throw errors.refuse('CERT_DATA_UNAVAILABLE');
  return certificate && { certificate, file };
}

async function findAtWorkstation(
  cpf: string,
  { sha256, agentId }: { readonly sha256: string; readonly agentId: string },
  nowMs: number,
): Promise<Certificate | undefined> {
  const all = await workstationCertificates(cpf, nowMs);
  return all.find((each) => each.sha256 === sha256 && each.agentId === agentId)?.certificate;
}

/** The certificate that a session is bound to. Refuses one whose verdict cannot sign now. */
export async function signingCertificate(session: Session, nowMs: number): Promise<BoundCertificate> {
  const { verdict, ...bound } = await boundCertificate(session, nowMs);
  if (verdict.status !== 'ACTIVE') throw errors.refuse('CERT_NOT_ACTIVE', { status: verdict.status });
  return bound;
}

/** Describes the certificate that a session is bound to. Does not renew the session. */
export async function describeCertificate(sessionId: string, nowMs: number) {
  const session = await requireActiveSession(sessionId, nowMs);
  const { certificate, verdict } = await boundCertificate(session, nowMs);
  return {
    cpf: icpBrasilIdentity(certificate).cpf ?? session.cpf,
    subjectName: certificate.subject.text,
    issuer: certificate.issuer.text,
    serialNumber: formatSerial(certificate),
    notBefore: new Date(certificate.notBeforeMs).toISOString(),
    notAfter: new Date(certificate.notAfterMs).toISOString(),
    status: verdict.status,
  };
}
