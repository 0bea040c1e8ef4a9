import {
  type Certificate,
  CertificateMalformed,
  parseCertificate,
} from '../../../../shared/pki/certificate/certificate.ts';
import { icpBrasilIdentity } from '../../../../shared/pki/icp-brasil/icp-brasil.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { pageByCursor } from '../../../../shared/store/cursor.ts';
import { provesKey } from '../../../../shared/workstation/certificate-proof.ts';
import type { HeldCertificates } from '../../../../shared/workstation/messages.ts';
import { errors } from '../../errors.ts';
import { type Agent, agents, type HeldCertificate } from './agent.ts';
import { isOnline, presences } from './presence.ts';

/** A certificate at a workstation, found by its CPF. */
type Held = HeldCertificate & { readonly agentId: string; readonly der: Uint8Array };

const held = collection<Held, Omit<Held, 'der'>>({
  service: 'session',
  name: 'certificate at a workstation',
  id: ({ cpf, sha256, agentId }) => ({ cpf, sha256, agentId }),
  key: ({ cpf, sha256, agentId }) => ({ pk: `WORKSTATIONS#${cpf}`, sk: `${sha256}#${agentId}` }),
});

// A holder has a few, at a few workstations.
const MAX_OF_A_CPF = 100;

export type WorkstationCertificate = {
  readonly sha256: string;
  readonly certificate: Certificate;
  readonly agentId: string;
  readonly online: boolean;
};

/** Every certificate of a CPF that an enrolled workstation holds, and whether that workstation is there now. */
export async function workstationCertificates(
  cpf: string,
  now = Date.now(),
): Promise<WorkstationCertificate[]> {
  const page = await pageByCursor(held, { pk: `WORKSTATIONS#${cpf}`, limit: MAX_OF_A_CPF });
  const found = 'items' in page ? page.items : [];
  const ids = [...new Set(found.map(({ agentId }) => agentId))];
  const [owners, seen] = await Promise.all([agents.getMany(ids), presences.getMany(ids)]);
  const enabled = new Set(owners.filter(({ disabled }) => !disabled).map(({ id }) => id));
  const online = new Set(seen.filter((presence) => isOnline(presence, now)).map(({ agentId }) => agentId));
  return found
    .filter(({ agentId }) => enabled.has(agentId))
    .map(({ sha256, der, agentId }) => ({
      sha256,
      certificate: parseCertificate(der),
      agentId,
      online: online.has(agentId),
    }));
}

/** The certificate that an agent holds by this fingerprint, if it does. */
export async function certificateHeldBy(agent: Agent, sha256: string): Promise<Certificate | undefined> {
  const named = agent.certificates.find((each) => each.sha256 === sha256);
  const found = named && (await held.get({ ...named, agentId: agent.id }));
  return found && parseCertificate(found.der);
}

/** Takes what an agent holds now in place of what it held before. Each certificate comes with a proof of its key. */
export async function registerCertificates(
  agent: Stored<Agent>,
  { certificates }: HeldCertificates,
): Promise<readonly HeldCertificate[]> {
  const proved = (await Promise.all(certificates.map((each, index) => proven(agent, each, index)))).filter(
    // A token may hold those of others too. They are left out, and the answer tells which are not.
    ({ cpf }) => agent.cpf === undefined || agent.cpf === cpf,
  );
  const rows = [...new Map(proved.map((row) => [row.sha256, row])).values()];
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

async function proven(
  agent: Agent,
  { der, proof }: HeldCertificates['certificates'][number],
  index: number,
): Promise<Held> {
  const wrong = (reason: string) =>
    errors.refuse('INVALID_REQUEST', { field: `certificates.${index}`, reason });
  const { certificate, cpf } = read(Buffer.from(der, 'base64')) ?? {};
  if (!certificate) throw wrong('is no certificate');
  if (!cpf) throw wrong('names no CPF');
  if (!(await provesKey(certificate, agent.id, Buffer.from(proof, 'base64'))))
    throw wrong('comes with no proof that its key is held');
  return { sha256: certificate.sha256, cpf, agentId: agent.id, der: certificate.der };
}

function read(der: Buffer): { certificate: Certificate; cpf: string | undefined } | undefined {
  try {
    const certificate = parseCertificate(der);
    return { certificate, cpf: icpBrasilIdentity(certificate).cpf };
  } catch (error) {
    if (error instanceof CertificateMalformed) return undefined;
    throw error;
  }
}
