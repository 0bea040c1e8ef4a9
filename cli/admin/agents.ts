import {
  disableAgent,
  type ListedAgent,
  listAgents,
} from '../../functions/session/domain/workstations/administration.ts';
import { createEnrolmentCode } from '../../functions/session/domain/workstations/enrolment.ts';
import { cpfIn } from './cpf.ts';

/** A code that lets one workstation enrol, for the certificates of one CPF where that is given. */
export async function code({ cpf: given }: { readonly cpf?: string | undefined }): Promise<string> {
  const cpf = given === undefined ? undefined : cpfIn(given);
  const made = await createEnrolmentCode(cpf ? { cpf } : {}, Date.now());
  const whose = cpf ? `, for certificates of ${cpf}` : '';
  const until = new Date(made.expiresAtMs).toISOString();
  return `${made.code}\n\nIt lets one workstation enrol${whose}, until ${until}. It is shown now and never again.`;
}

export async function list(): Promise<string> {
  const all = await listAgents(Date.now());
  return all.length > 0 ? all.map(agentLine).join('\n') : 'No workstation has enrolled.';
}

export async function disable(start: string): Promise<string> {
  const { id, name } = await disableAgent(start);
  return `Disabled ${name} (${id}): nothing that it says counts. To use that workstation again, enrol it anew.`;
}

function agentLine({ id, name, disabled, online, lastSeenAtMs, certificates, cpf }: ListedAgent): string {
  const seen = lastSeenAtMs === undefined ? 'never seen' : `seen ${new Date(lastSeenAtMs).toISOString()}`;
  const state = disabled ? 'disabled' : online ? 'online' : seen;
  const held = certificates.map((each) => `${each.cpf} (${each.sha256.slice(0, 8)})`).join(', ');
  const only = cpf ? `; for ${cpf} alone` : '';
  return `${id}  ${name}  ${state}  certificates: ${held || 'none'}${only}`;
}
