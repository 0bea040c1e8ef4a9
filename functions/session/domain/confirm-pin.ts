import type { KeyObject } from 'node:crypto';
import type { Caller } from '../../../shared/access/caller.ts';
import type { Cpf } from '../../../shared/taxpayer/cpf.ts';
import { errors } from '../errors.ts';
import { settings } from '../settings.ts';
import type { Deadline } from './deadline.ts';
import { type ActiveCertificates, activeCertificates } from './held-certificates.ts';
import { openVault, simulateOpening } from './vault/open.ts';
import type { VaultCertificate } from './vault/vault.ts';
import { comparePin, promptPin } from './workstations/offered-pin.ts';

export type ConfirmPinRequest = { readonly cpf: Cpf; readonly pin: string; readonly deadline: Deadline };

/** The certificate that confirmed the PIN. */
export type ConfirmedCertificate =
  | { readonly custody: 'vault'; readonly file: VaultCertificate; readonly privateKey: KeyObject }
  | { readonly custody: 'workstation'; readonly sha256: string; readonly agentId: string };

/** Finds the certificate that confirms the PIN: first in the vault, then at the workstations. */
export async function confirmPin(caller: Caller, request: ConfirmPinRequest): Promise<ConfirmedCertificate> {
  const { cpf, pin, deadline } = request;
  const active = await activeCertificates(cpf, deadline.now()).catch(async (refusal: unknown) => {
    await simulateOpening(pin);
    throw refusal;
  });
  let isWrongInVault = false;
  for (const file of active.inVault) {
    const opened = await openVault(file, pin);
    if (opened.kind === 'opened') return { custody: 'vault', file, privateKey: opened.privateKey };
    if (opened.kind === 'wrong-pin') isWrongInVault = true;
  }
  return confirmAtWorkstation(caller, request, { active, isWrongInVault });
}

// Time to render the answer after the holder's time is over.
const ANSWER_MS = 2_000;

async function confirmAtWorkstation(
  { application }: Caller,
  { cpf, pin, deadline: { atMs, now } }: ConfirmPinRequest,
  { active, isWrongInVault }: { readonly active: ActiveCertificates; readonly isWrongInVault: boolean },
): Promise<ConfirmedCertificate> {
  const among = active.atWorkstations;
  if (among.size === 0) throw errors.refuse(isWrongInVault ? 'INVALID_PIN' : 'PIN_NOT_AVAILABLE');
  const compared = await comparePin({ cpf, pin, among }, now);
  const result =
    compared.kind === 'not-cached'
      ? await promptPin({ cpf, pin, among, application, deadline: promptDeadline() })
      : compared;
  if (result.kind === 'matched')
    return { custody: 'workstation', sha256: result.sha256, agentId: result.agentId };
  if (isWrongInVault || result.kind === 'different') throw errors.refuse('INVALID_PIN');
  throw result.kind === 'offline' && active.inVault.length === 0
    ? errors.refuse('WORKSTATION_OFFLINE')
    : errors.refuse('PIN_NOT_AVAILABLE', { reason: result.kind });

  function promptDeadline(): Deadline {
    const promptEndMs = now() + settings['Sessions:PinPromptTimeout'] * 1000;
    return { atMs: Math.min(promptEndMs, atMs - ANSWER_MS), now };
  }
}
