import { servicePath } from '../../../../shared/hub/visit.ts';
import { type LinkHolder, requireTicket } from '../document/action-link.ts';
import { actionNotAwaited } from '../flow/actions.ts';
import { kindOf, openAssignment, partIdOf } from '../flow/flow.ts';
import { requireOpen } from './acting.ts';

/** The link of an action: the key of its document, and the ticket of its person. */
export type ActionLink = { readonly key: string; readonly ticket: string };

/** The signature that a link asks for, if the document waits for it now. A request may name the action once more. */
export async function requireAwaited(
  { key, ticket }: ActionLink,
  flowActionId: string | null,
  nowMs: number,
): Promise<LinkHolder> {
  const found = await requireTicket(key, ticket, nowMs);
  const { document, action, person } = found;
  requireOpen(document, 'acted', nowMs);
  const isNamed = flowActionId === null || flowActionId === action.id;
  if (
    !isNamed ||
    kindOf(action) !== 'signature' ||
    !openAssignment(document.flow, action.id, partIdOf(person))
  )
    throw actionNotAwaited(document.flow, {
      flowActionId: flowActionId ?? action.id,
      isPerson: ({ id }) => id === person.id,
      kind: 'signature',
    });
  return found;
}

/** The path of the page at a link. */
export const pagePathOf = ({ key, ticket }: ActionLink): string =>
  `${servicePath('documents')}/document/key/${encodeURIComponent(key)}/action?ticket=${encodeURIComponent(ticket)}`;
