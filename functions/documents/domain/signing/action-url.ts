import type { Caller } from '../../../../shared/access/caller.ts';
import { commonSettings } from '../../../../shared/settings/common.ts';
import { isoDate } from '../calendar.ts';
import { admitted, documentKey, issueTicket } from '../document/action-link.ts';
import { type Document, findDocument } from '../document/document.ts';
import { offeredContent } from '../downloads/stored-content.ts';
import {
  type ActionState,
  actionStates,
  awaited,
  type FlowAction,
  kindOf,
  type Person,
} from '../flow/flow.ts';
import { awaitedFrom, type Who } from '../flow/matching.ts';
import { organizations } from '../places/organization.ts';
import { isOpen, refuseUnlessOpen } from './acting.ts';

/** Where a person does the first action that waits for them. Every call gives a ticket of its own. */
export async function actionUrl(
  id: string,
  caller: Caller,
  who: Who,
  nowMs: number,
): Promise<{ readonly url: string; readonly embedUrl: string }> {
  const document = await findDocument(id, caller);
  refuseUnlessOpen(document, 'acted', nowMs);
  const ticket = await issueTicket(document, awaitedFrom(document.flow, who), nowMs);
  const page = `${commonSettings['Http:PublicUrl']}/documents/document/key/${documentKey(document)}`;
  return { url: `${page}/action?ticket=${ticket}`, embedUrl: `${page}/embed?ticket=${ticket}` };
}

type Part = ActionState | 'NotNeeded';

/** What the page at an action URL shows to the person that its ticket was made for. */
export async function actionDetails(key: string, ticket: string, nowMs: number) {
  const { document, action, person } = await admitted(key, ticket, nowMs);
  const { original, expiresAtMs } = document;
  const organization = await organizations.get(document.organizationId);
  const { contentType, size } = offeredContent(document);
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
      status: partOf(action, person),
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
        status: partOf(each, other),
      })),
    ),
  };
}

/** One person's part of an action. In a rule, others may have acted or refused before they came to it. */
function partOf({ state, completions, refusal }: FlowAction, { id }: Person): Part {
  if (completions.some(({ by }) => by.id === id)) return 'Completed';
  if (refusal?.by.id === id) return 'Refused';
  return actionStates.isTerminal(state) ? 'NotNeeded' : state;
}

const canAct = (document: Document, action: FlowAction, person: Person, nowMs: number): boolean =>
  isOpen(document, 'acted', nowMs) &&
  awaited(document.flow).some((open) => open.action.id === action.id && open.person.id === person.id);
