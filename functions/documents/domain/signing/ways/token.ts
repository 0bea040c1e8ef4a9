import type { Deadline } from '../../../../../shared/async/deadline.ts';
import { codeOf } from '../../../../../shared/ways/code.ts';
import type { TokenAsked } from '../../../../../shared/ways/contract.ts';
import { workstationsOf } from '../../../../../shared/workstation/client.ts';
import { errors } from '../../../errors.ts';
import { settings } from '../../../settings.ts';
import { requireTicket, type TicketHolder } from '../../document/action-link.ts';
import { type ActionLink, requireAwaited } from '../awaited.ts';
import { completeSignatureByKey } from '../complete-signature.ts';
import { startSignatureByKey } from '../start-signature.ts';

const workstations = workstationsOf('documents', settings);

/** Whether tokens sign here. */
export const offersToken = workstations.isOffered;

/** The action has one open question: whoever asks again replaces it. */
const subjectOf = ({ document, action, person }: TicketHolder): string =>
  [document.id, action.id, person.id].join(' ');

/** The person of a link that awaits a signature, by a CPF. A workstation is found by nothing else. */
async function requireHolder(link: ActionLink, nowMs: number) {
  const awaited = await requireAwaited(link, null, nowMs);
  const { identifier: cpf } = awaited.person;
  if (!offersToken() || cpf === null) throw errors.refuse('WayNotOffered');
  return { awaited, cpf };
}

/** The certificates of the person at workstations that are online. */
export async function lookForToken(link: ActionLink, deadline: Deadline) {
  const { cpf } = await requireHolder(link, deadline.now());
  return workstations.find(cpf, deadline);
}

/**
 * Starts the signature with a certificate at a workstation, and puts the question to its holder. The question is for the
 * CPF of the action, whatever the page sends.
 */
export async function askForToken(link: ActionLink, sha256: string, deadline: Deadline): Promise<TokenAsked> {
  const { awaited, cpf } = await requireHolder(link, deadline.now());
  const none = { question: '', documents: [], endsAt: new Date(deadline.now()).toISOString(), errors: [] };
  const found = await workstations.find(cpf, deadline);
  const certificate = found.certificates.find((each) => each.sha256 === sha256);
  if (!certificate) return { ...none, state: found.state === 'failed' ? 'failed' : 'offline' };
  const offered = {
    ticket: link.ticket,
    certificate: certificate.der.toString('base64'),
    flowActionId: null,
  };
  const started = await startSignatureByKey(link.key, offered, deadline.now());
  if (started.token === null || started.toSignHash === null)
    return { ...none, state: 'refused', errors: started.validationResults.errors };
  const { document, location } = awaited;
  const asked = await workstations.ask(
    {
      ...{ subject: subjectOf(awaited), cpf, sha256 },
      requester: location.organization?.name ?? 'Sinete',
      documents: [{ name: document.name, hash: started.toSignHash }],
    },
    deadline,
  );
  if (asked.state !== 'asked') return { ...none, state: asked.state };
  return {
    state: 'asked',
    question: `${asked.questionId}.${started.token}`,
    documents: [{ name: document.name, code: codeOf(Buffer.from(started.toSignHash, 'base64')) }],
    endsAt: new Date(asked.endsAtMs).toISOString(),
    errors: [],
  };
}

/** Waits some seconds for the holder's answer, and completes the signature with it. */
export async function awaitToken(link: ActionLink, question: string, deadline: Deadline) {
  const awaited = await requireTicket(link.key, link.ticket, deadline.now());
  const [questionId = '', token = ''] = question.split('.');
  const { state, signatures } = await workstations.answerTo(subjectOf(awaited), questionId, deadline);
  const [signature] = signatures;
  if (state !== 'signed' || signature === undefined) return { state, left: 1, errors: [] };
  const { success, validationResults } = await completeSignatureByKey(
    link.key,
    { token, signature },
    deadline.now(),
  );
  return success
    ? { state: 'signed' as const, left: 0, errors: [], proof: token }
    : { state: 'refused' as const, left: 1, errors: validationResults.errors };
}
