import type { Deadline } from '../../../../../shared/async/deadline.ts';
import { forEachConcurrently } from '../../../../../shared/async/for-each-concurrently.ts';
import { Refusal } from '../../../../../shared/errors/errors.ts';
import type { Certificate } from '../../../../../shared/pki/certificate/certificate.ts';
import { askHolder, type StartedDocument } from '../../../../../shared/ways/ask-holder.ts';
import type { TokenAsked } from '../../../../../shared/ways/contract.ts';
import { workstationsOf } from '../../../../../shared/workstation/client.ts';
import { errors } from '../../../errors.ts';
import { settings } from '../../../settings.ts';
import {
  documentIdOf,
  type LinkHolder,
  requireTicket,
  type TicketHolder,
} from '../../document/action-link.ts';
import { brandingOf } from '../../places/branding.ts';
import { preferencesOf } from '../../places/preferences.ts';
import { type ActionLink, requireAwaited } from '../awaited.ts';
import { completeSignatureByKey } from '../complete-signature.ts';
import { startSignatureByKey } from '../start-signature.ts';

const workstations = workstationsOf('documents', settings);

/** The action has one open question: whoever asks again replaces it. */
const subjectOf = ({ document, action, person }: TicketHolder): string =>
  [document.id, action.id, person.id].join(' ');

/** The person of a link that awaits a signature, by a CPF. A workstation is found by nothing else. */
async function requireHolder(link: ActionLink, nowMs: number) {
  const awaited = await requireAwaited(link, null, nowMs);
  const { identifier: cpf } = awaited.person;
  const isChosen = preferencesOf(awaited.location.organization).signingWays.token;
  if (!workstations.isOffered() || !isChosen || cpf === null) throw errors.refuse('WayNotOffered');
  return { awaited, cpf };
}

/** The certificates of the person at workstations that are online. */
export async function lookForToken(link: ActionLink, deadline: Deadline) {
  const { cpf } = await requireHolder(link, deadline.now());
  return workstations.find(cpf, deadline);
}

type TokenRequest = { readonly sha256: string; readonly others: readonly ActionLink[] };

/**
 * Starts the signature with a certificate at a workstation, and puts the question to its holder. The question is for the
 * CPF of the action, whatever the page sends. It lists the other documents too, but for those that cannot be signed now:
 * they go on waiting.
 */
export async function askForToken(
  link: ActionLink,
  { sha256, others }: TokenRequest,
  deadline: Deadline,
): Promise<TokenAsked> {
  const { awaited, cpf } = await requireHolder(link, deadline.now());
  const start = async (certificate: Certificate) => {
    const first = await startOne(link, awaited, certificate, deadline.now());
    if ('errors' in first) return first;
    return [first, ...(await startOthers(others, { awaited, cpf, certificate }, deadline))];
  };
  const request = { subject: subjectOf(awaited), cpf, sha256, requester: requesterOf(awaited), start };
  return askHolder(workstations, request, deadline);
}

const MAX_REQUESTER_CHARACTERS = 255;

/** Who asks: as the page calls them, and by the name that the platform has of them. An organization chooses the first. */
function requesterOf({ location: { organization } }: LinkHolder): string {
  if (!organization) return 'Sinete';
  const { name } = organization;
  const { displayName } = brandingOf(organization);
  const full = displayName === name ? name : `${displayName} (${name})`;
  return full.slice(0, MAX_REQUESTER_CHARACTERS).toWellFormed();
}

async function startOne(
  { key, ticket }: ActionLink,
  { document: { name } }: LinkHolder,
  { der }: Certificate,
  nowMs: number,
) {
  const offered = { ticket, certificate: der.toString('base64'), flowActionId: null };
  const { token, toSignHash: hash, validationResults } = await startSignatureByKey(key, offered, nowMs);
  return token === null || hash === null ? validationResults : { handle: token, name, hash };
}

type First = {
  readonly awaited: LinkHolder;
  readonly cpf: string;
  readonly certificate: Certificate;
};

// Each has its file in memory.
const AT_ONCE = 3;

/** Starts the others that wait for the same person, in their order. */
async function startOthers(
  others: readonly ActionLink[],
  { awaited, cpf, certificate }: First,
  deadline: Deadline,
): Promise<StartedDocument[]> {
  const { id, organizationId } = awaited.document;
  const listed = new Set([id]);
  const started: (StartedDocument | undefined)[] = others.map(() => undefined);
  await forEachConcurrently(AT_ONCE, others.entries(), async ([at, link]) => {
    const other = await unlessRefused(requireHolder(link, deadline.now()));
    // The question names one organization and one person, so it has no document of another, and each document once.
    const { document } = other?.awaited ?? {};
    if (!other || other.cpf !== cpf || document?.organizationId !== organizationId) return;
    if (listed.has(document.id)) return;
    listed.add(document.id);
    const result = await unlessRefused(startOne(link, other.awaited, certificate, deadline.now()));
    if (result && !('errors' in result)) started[at] = result;
  });
  return started.filter((each) => each !== undefined);
}

const unlessRefused = <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((error) => {
    if (error instanceof Refusal) return undefined;
    throw error;
  });

type AnswerRequest = { readonly question: string; readonly others: readonly ActionLink[] };

/**
 * Waits some seconds for the holder's answer, and completes the signatures with it. `left` counts the others that did not
 * get theirs: signed by somebody else or canceled meanwhile, say.
 */
export async function awaitToken(link: ActionLink, { question, others }: AnswerRequest, deadline: Deadline) {
  const awaited = await requireTicket(link.key, link.ticket, deadline.now());
  const [questionId = '', token = '', ...further] = question.split('.');
  const { state, signatures } = await workstations.answerTo(subjectOf(awaited), questionId, deadline);
  const [signature, ...ofOthers] = signatures;
  if (state !== 'signed' || signature === undefined) return { state, left: 1 + others.length, errors: [] };
  const complete = (key: string, value: { readonly token: string; readonly signature: string }) =>
    completeSignatureByKey(key, { ...value, custody: 'workstation' }, deadline.now());
  const { success, validationResults } = await complete(link.key, { token, signature });
  if (!success)
    return { state: 'refused' as const, left: 1 + others.length, errors: validationResults.errors };
  let left = others.length;
  await forEachConcurrently(AT_ONCE, further.entries(), async ([at, each]) => {
    const key = keyOf(each, others);
    const value = { token: each, signature: ofOthers[at] ?? '' };
    if (key && (await unlessRefused(complete(key, value)))?.success) left -= 1;
  });
  return { state: 'signed' as const, left, errors: [], proof: token };
}

/** The key of the document whose signature a token completes: both begin with its id. */
const keyOf = (token: string, others: readonly ActionLink[]): string | undefined =>
  others.find(({ key }) => {
    const id = documentIdOf(key);
    return id !== undefined && token.startsWith(id.replaceAll('-', ''));
  })?.key;
