import type { Refusal } from '../../../shared/errors/errors.ts';
import type { Certificate } from '../../../shared/pki/certificate/certificate.ts';
import { icpBrasilIdentity } from '../../../shared/pki/icp-brasil/icp-brasil.ts';
import { formatSerial } from '../../../shared/pki/model/certificate-model.ts';
import { getBoth, type Stored } from '../../../shared/store/collection.ts';
import type { Attributes } from '../../../shared/store/item.ts';
import { readPartition } from '../../../shared/store/partition.ts';
import { errors } from '../errors.ts';
import { settings } from '../settings.ts';
import { requireActiveSession, type Session } from './session.ts';
import { certificateOf, certificatesKey, type VaultCertificate, vault } from './vault/vault.ts';
import { currentVerdict, logVerdict, type Verdict, verdicts } from './verdicts.ts';
import { enrolledOf, WORKSTATION_PREFIX, workstationCertificates } from './workstations/certificates.ts';

/** The certificates of a CPF that can sign, by custody. */
export type ActiveCertificates = {
  readonly inVault: readonly Stored<VaultCertificate>[];
  /** Fingerprints of those at workstations. */
  readonly atWorkstations: ReadonlySet<string>;
};

/** Refuses a CPF without certificates, and one whose certificates all have a verdict that cannot sign. */
export async function activeCertificates(cpf: string, nowMs: number): Promise<ActiveCertificates> {
  const isVaultOpen = settings['Vault:Enabled'];
  const rows = await readPartition('session', certificatesKey(cpf), isVaultOpen ? '' : WORKSTATION_PREFIX);
  const isRemote = ({ sk }: Attributes): boolean => sk?.S?.startsWith(WORKSTATION_PREFIX) ?? false;
  const stored = rows.filter((row) => !isRemote(row)).map(vault.read);
  const remote = await enrolledOf(rows.filter(isRemote), nowMs);
  if (stored.length + remote.length === 0) throw errors.refuse('CERT_NOT_FOUND');
  const readable = stored.flatMap((file) => {
    const certificate = certificateOf(file);
    return certificate ? [{ certificate, file }] : [];
  });
  if (readable.length + remote.length === 0) throw errors.refuse('CERT_DATA_UNAVAILABLE');
  const current = await verdictsOn([...readable, ...remote], nowMs);
  const active = new Set(current.filter(({ status }) => status === 'ACTIVE').map(({ sha256 }) => sha256));
  const isActive = ({ sha256 }: { readonly sha256: string }): boolean => active.has(sha256);
  const inVault = stored.filter(isActive);
  const atWorkstations = new Set(remote.filter(isActive).map(({ sha256 }) => sha256));
  if (active.size === 0) throw refuseInactive(current);
  return { inVault, atWorkstations };
}

async function verdictsOn(held: readonly BoundCertificate[], nowMs: number): Promise<readonly Verdict[]> {
  const stored = await verdicts.getMany(held.map(({ certificate }) => certificate.sha256));
  const known = new Map(stored.map((verdict) => [verdict.sha256, verdict]));
  return Promise.all(held.map((each) => currentVerdict(known.get(each.certificate.sha256), each, nowMs)));
}

/** The caller learns the verdicts, and the log what they rest on. */
function refuseInactive(found: readonly Verdict[]): Refusal {
  for (const verdict of found) logVerdict('A certificate cannot sign.', verdict);
  const status = [...new Set(found.map((each) => each.status))].join(', ');
  return errors.refuse('CERT_NOT_ACTIVE', { status });
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
  const { known, ...bound } =
    binding.custody === 'vault'
      ? await findInVault(cpf, binding.sha256)
      : await findAtWorkstation(cpf, binding, nowMs);
  return { ...bound, verdict: await currentVerdict(known, bound, nowMs) };
}

type Found = BoundCertificate & { readonly known: Verdict | undefined };

async function findInVault(cpf: string, sha256: string): Promise<Found> {
  const [file, known] = await getBoth([vault, { cpf, sha256 }], [verdicts, sha256]);
  if (!file) throw errors.refuse('CERT_NOT_FOUND');
  const certificate = certificateOf(file);
  if (!certificate) throw errors.refuse('CERT_DATA_UNAVAILABLE');
  return { certificate, file, known };
}

async function findAtWorkstation(
  cpf: string,
  { sha256, agentId }: { readonly sha256: string; readonly agentId: string },
  nowMs: number,
): Promise<Found> {
  const [all, known] = await Promise.all([workstationCertificates(cpf, nowMs), verdicts.get(sha256)]);
  const bound = all.find((each) => each.sha256 === sha256 && each.agentId === agentId);
  if (!bound) throw errors.refuse('CERT_NOT_FOUND');
  return { certificate: bound.certificate, known };
}

/** The certificate that a session is bound to. Refuses one whose verdict cannot sign now. */
export async function signingCertificate(session: Session, nowMs: number): Promise<BoundCertificate> {
  const { verdict, ...bound } = await boundCertificate(session, nowMs);
  if (verdict.status !== 'ACTIVE') throw refuseInactive([verdict]);
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
