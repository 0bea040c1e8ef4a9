import type { KeyObject } from 'node:crypto';
import type { Certificate } from '../../../../shared/pki/certificate/certificate.ts';
import { publicKeyIn } from '../../../../shared/workstation/keys.ts';
import { agents } from './agent.ts';
import { type WorkstationCertificate, workstationCertificates } from './certificates.ts';

/** Whose PIN it is, and which of that CPF's certificates may be bound: all of them unless told otherwise. */
export type Wanted = { readonly cpf: string; readonly among?: ReadonlySet<string> };

/** A workstation that can be asked now, and the certificate that a session would be bound to there. */
export type Candidate = { readonly agentId: string; readonly sha256: string; readonly sealFor: KeyObject };

export type Candidates = { readonly held: boolean; readonly online: readonly Candidate[] };

/** The workstations that hold a certificate of a CPF: whether there are any, and those that are there now. */
export async function candidatesFor({ cpf, among }: Wanted, now = Date.now()): Promise<Candidates> {
  const found = (await workstationCertificates(cpf, now)).filter(({ sha256 }) => !among || among.has(sha256));
  const byAgent = Map.groupBy(
    found.filter(({ online }) => online),
    ({ agentId }) => agentId,
  );
  const online: Candidate[] = [];
  for (const { id, x25519 } of await agents.getMany([...byAgent.keys()])) {
    const best = newest(byAgent.get(id) ?? [], now);
    const sealFor = publicKeyIn(x25519, 'x25519');
    if (best && sealFor) online.push({ agentId: id, sha256: best.sha256, sealFor });
  }
  return { held: found.length > 0, online };
}

const isValid = ({ notBeforeMs, notAfterMs }: Certificate, now: number): boolean =>
  notBeforeMs <= now && now < notAfterMs;

// One PIN opens all of a workstation's certificates: the one that is valid and was issued last is meant.
const newest = (certificates: readonly WorkstationCertificate[], now: number) =>
  certificates.toSorted(
    (a, b) =>
      Number(isValid(b.certificate, now)) - Number(isValid(a.certificate, now)) ||
      b.certificate.notBeforeMs - a.certificate.notBeforeMs,
  )[0];
