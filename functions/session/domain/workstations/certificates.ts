import {
  type Certificate,
  CertificateMalformed,
  parseCertificate,
} from '../../../../shared/pki/certificate/certificate.ts';
import { icpBrasilIdentity } from '../../../../shared/pki/icp-brasil/icp-brasil.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { commit } from '../../../../shared/store/commit.ts';
import type { Attributes } from '../../../../shared/store/item.ts';
import { readPartition } from '../../../../shared/store/partition.ts';
import { provesKey } from '../../../../shared/workstation/certificate-proof.ts';
import type { HeldCertificates } from '../../../../shared/workstation/messages.ts';
import { errors } from '../../errors.ts';
import { certificatesKey } from '../vault/vault.ts';
import { type Agent, agents, type HeldCertificate } from './agent.ts';
import { isOnline, presences } from './presence.ts';

/** The beginning of the sort keys of those at workstations. */
export const WORKSTATION_PREFIX = 'WORKSTATION#';

/** A certificate at a workstation, by its CPF. */
type HeldItem = HeldCertificate & { readonly agentId: string; readonly der: Uint8Array };

const held = collection<HeldItem, Omit<HeldItem, 'der'>>({
  service: 'session',
  name: 'certificate at a workstation',
  id: ({ cpf, sha256, agentId }) => ({ cpf, sha256, agentId }),
  key: ({ cpf, sha256, agentId }) => ({
    pk: certificatesKey(cpf),
    sk: `${WORKSTATION_PREFIX}${sha256}#${agentId}`,
  }),
});

export type WorkstationCertificate = {
  readonly sha256: string;
  readonly certificate: Certificate;
  readonly agentId: string;
  readonly online: boolean;
};

/** The certificates of a CPF at enrolled workstations, and whether each workstation is online. */
export const workstationCertificates = async (
  cpf: string,
  nowMs: number,
): Promise<WorkstationCertificate[]> =>
  enrolledOf(await readPartition('session', certificatesKey(cpf), WORKSTATION_PREFIX), nowMs);

/** The same for rows of the partition that were read already. */
export async function enrolledOf(
  rows: readonly Attributes[],
  nowMs: number,
): Promise<WorkstationCertificate[]> {
  const found = rows.map(held.read);
  const ids = [...new Set(found.map(({ agentId }) => agentId))];
  const [owners, seen] = await Promise.all([agents.getMany(ids), presences.getMany(ids)]);
  const enabled = new Set(owners.filter(({ disabled }) => !disabled).map(({ id }) => id));
  const online = new Set(seen.filter((presence) => isOnline(presence, nowMs)).map(({ agentId }) => agentId));
  return found
    .filter(({ agentId }) => enabled.has(agentId))
    .map(({ sha256, der, agentId }) => ({
      sha256,
      certificate: parseCertificate(der),
      agentId,
      online: online.has(agentId),
    }));
}

/** The certificate of this fingerprint, if the agent holds it. */
export async function certificateHeldBy(agent: Agent, sha256: string): Promise<Certificate | undefined> {
  const named = agent.certificates.find((each) => each.sha256 === sha256);
  const found = named && (await held.get({ ...named, agentId: agent.id }));
  return found && parseCertificate(found.der);
}

/** Replaces the certificates of an agent. Each comes with a proof that the agent holds its key. */
export async function registerCertificates(
  agent: Stored<Agent>,
  { certificates }: HeldCertificates,
): Promise<readonly HeldCertificate[]> {
  const proven = (
    await Promise.all(certificates.map((each, index) => requireProof(agent, each, index)))
  ).filter(
    // A token may hold certificates of other people. They are left out, and the answer lists the others.
    ({ cpf }) => agent.cpf === undefined || agent.cpf === cpf,
  );
  const rows = [...new Map(proven.map((row) => [row.sha256, row])).values()];
  const kept = rows.map(({ sha256, cpf }) => ({ sha256, cpf }));
  const left = agent.certificates.filter((each) => !rows.some(({ sha256 }) => sha256 === each.sha256));
  const gone = await held.getMany(left.map((each) => ({ ...each, agentId: agent.id })));
  await commit([
    agents.changing(agent, { certificates: kept }),
    ...rows.map(held.putting),
    ...gone.map(held.deleting),
  ]);
  return kept;
}

async function requireProof(
  agent: Agent,
  { der, proof }: HeldCertificates['certificates'][number],
  index: number,
): Promise<HeldItem> {
  const refusal = (reason: string) =>
    errors.refuse('INVALID_REQUEST', { field: `certificates.${index}`, reason });
  const { certificate, cpf } = parse(Buffer.from(der, 'base64')) ?? {};
  if (!certificate) throw refusal('is not a certificate');
  if (!cpf) throw refusal('names no CPF');
  if (!(await provesKey(certificate, agent.id, Buffer.from(proof, 'base64'))))
    throw refusal('comes with no proof that its key is held');
  return { sha256: certificate.sha256, cpf, agentId: agent.id, der: certificate.der };
}

function parse(der: Buffer): { certificate: Certificate; cpf: string | undefined } | undefined {
  try {
    const certificate = parseCertificate(der);
    return { certificate, cpf: icpBrasilIdentity(certificate).cpf };
  } catch (error) {
    if (error instanceof CertificateMalformed) return undefined;
    throw error;
  }
}
