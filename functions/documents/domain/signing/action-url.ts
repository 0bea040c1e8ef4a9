import type { Caller } from '../../../../shared/access/caller.ts';
import { hasMailServer } from '../../../../shared/mail/queue.ts';
import { maskCpf, parseCpf } from '../../../../shared/taxpayer/cpf.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import { isoDate } from '../calendar.ts';
import {
  actionPageOf,
  issueTicket,
  type LinkHolder,
  recordOpening,
  requireTicket,
} from '../document/action-link.ts';
import { type Document, findLocatedDocument, stateAt } from '../document/document.ts';
import { codesAskedOf, takesElectronic } from '../document/electronic-factors.ts';
import { isElectronic } from '../document/evidence.ts';
import { formatCode } from '../document/verification-code.ts';
import { isAvailable } from '../downloads/content-types.ts';
import { offeredContentOf } from '../downloads/stored-content.ts';
import { endsByRefusal } from '../flow/actions.ts';
import { doerOf } from '../flow/certificate-holder.ts';
import {
  type ActionState,
  type Assignment,
  actionStates,
  type FlowAction,
  hasActed,
  isLeft,
  kindOf,
  marksIn,
  openAssignment,
  type Person,
  partIdOf,
} from '../flow/flow.ts';
import { type ActionSelector, findAssignment } from '../flow/matching.ts';
import { publicBrandingOf } from '../places/branding.ts';
import { isOpenFor, requireOpen } from './acting.ts';

type ActionUrlRequest = ActionSelector & { readonly requireEmailAuthentication?: boolean | null | undefined };

/** Creates the link to the first action that awaits a person. Every call issues its own ticket. */
export async function createActionUrl(
  caller: Caller,
  id: string,
  { requireEmailAuthentication, ...selector }: ActionUrlRequest,
  nowMs: number,
): Promise<{ readonly url: string; readonly embedUrl: string }> {
  const { document, location } = await findLocatedDocument(caller, id);
  requireOpen(document, 'acted', nowMs);
  const assignment = findAssignment(document.flow, selector);
  const requiresCode = requireEmailAuthentication === true;
  if (requiresCode || location.organization?.mail?.requiresCode) requireCodePossible(assignment);
  const ticket = await issueTicket(document, assignment, nowMs, {
    // A member of the organization is no application that knows who opens the link.
    ...(!caller.person && { issuedBy: caller.application }),
    ...(requiresCode && { requiresCode }),
  });
  return actionPageOf(document, ticket);
}

/** Refuses a link that could never show its document. */
function requireCodePossible({ action, person }: Assignment): void {
  if (!hasMailServer(settings)) throw errors.refuse('MailNotEnabled');
  if (person.emailAddress === null) throw errors.refuse('EmailAddressRequired', { flowActionId: action.id });
}

type PartStatus = ActionState | 'NotNeeded';

/** Reads the contents of the page at an action URL, for the holder of its ticket. */
export const getActionDetails = async (key: string, ticket: string, nowMs: number) =>
  renderDetails(await openLink(key, ticket, nowMs), nowMs);

/** The holder of a ticket who opens its page, which is recorded. */
export async function openLink(key: string, ticket: string, nowMs: number): Promise<LinkHolder> {
  const holder = await requireTicket(key, ticket, nowMs);
  await recordOpening(holder, nowMs);
  return holder;
}

/** What the page shows to the holder of its ticket. */
export function renderDetails(holder: LinkHolder, nowMs: number) {
  const { document, location, action, person } = holder;
  const { original, expiresAtMs } = document;
  const { contentType, size } = offeredContentOf(document, nowMs);
  const isOpen = isOpenFor(document, 'acted', nowMs);
  const canAct = isOpen && openAssignment(document.flow, action.id, partIdOf(person)) !== undefined;
  return {
    id: document.id,
    name: document.name,
    filename: original.name,
    mimeType: contentType,
    fileSize: size,
    parts: (document.parts ?? []).map(({ name, startPage, pages }) => ({ name, startPage, pages })),
    status: stateAt(document, nowMs),
    description: document.description,
    expirationDate: expiresAtMs === null ? null : isoDate(expiresAtMs),
    hasSignature: document.signed !== null,
    verificationCode: isAvailable('Signatures', document, nowMs) ? formatCode(document.code) : null,
    awaitsSeal: document.state === 'FlowConcluded' && isElectronic(document),
    organizationName: location.organization?.name ?? null,
    branding: location.organization ? publicBrandingOf(location.organization) : null,
    action: {
      id: action.id,
      type: action.type,
      kind: kindOf(action),
      title: action.title,
      status: partStatusOf(isOpen, action, person),
      canAct,
      electronic: canAct && takesElectronic(holder) ? { codes: codesAskedOf(holder) } : null,
      requiredCompanyIdentifier: action.requiredCompanyIdentifier,
      requiredCertificateTypeToSign: action.requiredCertificateType,
      requiredCertificateHolderTypeToSign: action.requiredHolderType ?? null,
      refusalEndsFlow: endsByRefusal(action),
      person: {
        name: person.name,
        identifier: maskedIdentifierOf(person),
        email: person.emailAddress,
        emailAddress: person.emailAddress,
      },
    },
    marks: isOpen ? marksOf(document, action, person) : [],
    participants: document.flow.flatMap((each) =>
      each.people.map((other) => ({
        name: other.name,
        kind: kindOf(each),
        step: each.step,
        status: partStatusOf(isOpen, each, other),
        certificateHolderName: otherNameOf(each, other),
        rule: ruleOf(each),
      })),
    ),
  };
}

/** The places of actions that have not ended. A signature is shown in a PDF only. */
const marksOf = ({ format, flow }: Document, own: FlowAction, person: Person) =>
  flow.flatMap((action) =>
    format === 'PAdES' && !actionStates.isTerminal(action.state)
      ? marksIn(action).map(({ from, type, uploadId: _, ...place }) => ({
          ...place,
          ...(from === 'top' && { origin: 'UpperLeft' as const }),
          ...(type && { type }),
          name: action.ruleName ?? action.people.map(({ name }) => name).join(', '),
          kind: kindOf(action),
          isYours: action.id === own.id && isLeft(action, person),
        }))
      : [],
  );

/**
 * The status of one person's part. It is not needed any more where others of a rule completed or refused the action
 * first, and where the document was refused or canceled, or has expired.
 */
function partStatusOf(isOpen: boolean, action: FlowAction, person: Person): PartStatus {
  if (hasActed(action, person)) return 'Completed';
  if (!isLeft(action, person)) return 'Refused';
  return !isOpen || actionStates.isTerminal(action.state) ? 'NotNeeded' : action.state;
}

/** The name in the certificate of somebody who signed with one of another name. */
function otherNameOf({ completions }: FlowAction, person: Person): string | null {
  const completion = completions.find(({ by }) => by.id === person.id);
  const doer = completion && doerOf(completion);
  return doer && doer.namedAs !== null ? doer.name : null;
}

/** The CPF of a link's person. It is masked, because a link may be passed on. */
function maskedIdentifierOf({ identifier }: Person): string | null {
  const cpf = parseCpf(identifier ?? '');
  return cpf ? maskCpf(cpf) : null;
}

/** The rule that a part belongs to, where fewer people than it names are enough. */
const ruleOf = ({ id, ruleName, required, people }: FlowAction) =>
  required < people.length ? { id, name: ruleName, required } : null;
