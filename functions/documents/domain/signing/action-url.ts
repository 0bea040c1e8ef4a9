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
  openAssignment,
  type Person,
} from '../flow/flow.ts';
import { type ActionSelector, findAssignment } from '../flow/matching.ts';
import { isOpenFor, requireOpen } from './acting.ts';

/** Creates the link to the first action that awaits a person. Every call issues its own ticket. */
export async function createActionUrl(
  caller: Caller,
  id: string,
  request: ActionSelector,
  nowMs: number,
): Promise<{ readonly url: string; readonly embedUrl: string }> {
  const document = await findDocument(caller, id);
  requireOpen(document, 'acted', nowMs);
  const ticket = await issueTicket(document, findAssignment(document.flow, request), nowMs);
  const page = `${commonSettings['Http:PublicUrl']}/documents/document/key/${documentKey(document)}`;
  return { url: `${page}/action?ticket=${ticket}`, embedUrl: `${page}/embed?ticket=${ticket}` };
}

type PartStatus = ActionState | 'NotNeeded';

/** Reads the contents of the page at an action URL, for the holder of its ticket. */
export async function getActionDetails(key: string, ticket: string, nowMs: number) {
  const { document, location, action, person } = await requireTicket(key, ticket, nowMs);
  const { original, expiresAtMs } = document;
  const { contentType, size } = offeredContentOf(document, nowMs);
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
    organizationName: location.organization?.name ?? null,
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

/** The status of one person's part. In a rule, others may have completed or refused the action first. */
function partStatusOf({ state, completions, refusal }: FlowAction, { id }: Person): PartStatus {
  if (completions.some(({ by }) => by.id === id)) return 'Completed';
  if (refusal?.by.id === id) return 'Refused';
  return actionStates.isTerminal(state) ? 'NotNeeded' : state;
}

const canAct = (document: Document, action: FlowAction, person: Person, nowMs: number): boolean =>
  isOpenFor(document, 'acted', nowMs) && openAssignment(document.flow, action.id, person.id) !== undefined;
