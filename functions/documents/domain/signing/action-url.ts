import type { Caller } from '../../../../shared/access/caller.ts';
import { commonSettings } from '../../../../shared/settings/common.ts';
import { isoDate } from '../calendar.ts';
import { documentKey, issueTicket, requireTicket } from '../document/action-link.ts';
import { type Document, findDocument } from '../document/document.ts';
import { offeredContentOf } from '../downloads/stored-content.ts';
import {
  type ActionState,
  actionStates,
  type FlowAction,
  kindOf,
  openAssignments,
  type Person,
} from '../flow/flow.ts';
import { type ActionSelector, findAssignment } from '../flow/matching.ts';
import { organizations } from '../places/organization.ts';
import { isOpenFor, requireOpen } from './acting.ts';

/** Where a person does the first action that waits for them. Every call gives a ticket of its own. */
export async function createActionUrl(
  id: string,
  caller: Caller,
  who: ActionSelector,
  nowMs: number,
): Promise<{ readonly url: string; readonly embedUrl: string }> {
  const document = await findDocument(id, caller);
  requireOpen(document, 'acted', nowMs);
  const ticket = await issueTicket(document, findAssignment(document.flow, who), nowMs);
  const page = `${commonSettings['Http:PublicUrl']}/documents/document/key/${documentKey(document)}`;
  return { url: `${page}/action?ticket=${ticket}`, embedUrl: `${page}/embed?ticket=${ticket}` };
}

type PartStatus = ActionState | 'NotNeeded';

/** What the page at an action URL shows to the person that its ticket was made for. */
export async function getActionDetails(key: string, ticket: string, nowMs: number) {
  const { document, action, person } = await requireTicket(key, ticket, nowMs);
  const { original, expiresAtMs } = document;
  const organization = await organizations.get(document.organizationId);
  const { contentType, size } = offeredContentOf(document);
  return {
    id: document.id,
    name: document.name,
    filename: original.name,
    mimeType: contentType,
    fileSize: size,
    status: document.state,
    description: document.description,
    expirationDate: expiresAtMs === null ? null : isoDate(expiresAtMs),
    hasSignature: document.signed !== null,
    organizationName: organization?.name ?? null,
    action: {
      id: action.id,
      type: action.type,
      kind: kindOf(action),
      title: action.title,
      status: partStatusOf(action, person),
      canAct: canAct(document, action, person, nowMs),
      requiredCompanyIdentifier: action.requiredCompanyIdentifier,
      requiredCertificateTypeToSign: action.requiredCertificateType,
      requiredCertificateHolderTypeToSign: action.requiredHolderType ?? null,
      person: {
        name: person.name,
        identifier: person.identifier,
        email: person.emailAddress,
        emailAddress: person.emailAddress,
      },
    },
    participants: document.flow.flatMap((each) =>
      each.people.map((other) => ({
        name: other.name,
        kind: kindOf(each),
        step: each.step,
        status: partStatusOf(each, other),
      })),
    ),
  };
}

/** One person's part of an action. In a rule, others may have acted or refused before they came to it. */
function partStatusOf({ state, completions, refusal }: FlowAction, { id }: Person): PartStatus {
  if (completions.some(({ by }) => by.id === id)) return 'Completed';
  if (refusal?.by.id === id) return 'Refused';
  return actionStates.isTerminal(state) ? 'NotNeeded' : state;
}

const canAct = (document: Document, action: FlowAction, person: Person, nowMs: number): boolean =>
  isOpenFor(document, 'acted', nowMs) &&
  openAssignments(document.flow).some((open) => open.action.id === action.id && open.person.id === person.id);
