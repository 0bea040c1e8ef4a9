import { matchesSecret } from '../../../../../shared/access/secrets.ts';
import { entryContainsText } from '../../../../../shared/store/lists/contains-text.ts';
import { documentKey, issueTicket, requireTicket } from '../../document/action-link.ts';
import { type Document, documentItems, isReachable } from '../../document/document.ts';
import { documentList } from '../../document/document-lists.ts';
import { type Assignment, kindOf, openAssignments } from '../../flow/flow.ts';
import { listPage } from '../../lists/list-page.ts';
import { isOpenFor } from '../acting.ts';
import type { ActionLink } from '../awaited.ts';

/** A document that waits for the same person, with a link of its own. */
export type OtherDocument = ActionLink & { readonly name: string; readonly actionId: string };

// As long as somebody stays at the page.
const PROVED_MS = 30 * 60_000;
// A page of a list. Each has a ticket, which is a write.
const MAX_OTHERS = 20;

/**
 * The other documents of the organization that wait for a signature of the same CPF. A link alone shows none of them: it
 * may have been passed on. The caller must have signed this document within half an hour, with a certificate of the
 * person's own; only the browser that signed has the token of that signature.
 */
export async function findOthers(link: ActionLink, proof: string, nowMs: number): Promise<OtherDocument[]> {
  const { document, action, person, link: opened } = await requireTicket(link.key, link.ticket, nowMs);
  const signed = action.completions.find(({ by }) => by.id === person.id);
  const cpf = signed?.by.identifier;
  const isProved = signed && nowMs < signed.atMs + PROVED_MS && matchesSecret(signed.proofHash, proof);
  if (!isProved || !cpf) return [];
  const waitingFor = (other: Document): Assignment | undefined =>
    isOpenFor(other, 'acted', nowMs)
      ? openAssignments(other.flow).find(
          (open) => kindOf(open.action) === 'signature' && open.person.identifier === cpf,
        )
      : undefined;
  const { items } = await listPage(
    {
      list: documentList({ organizationId: document.organizationId, filter: 'Pending' }),
      read: documentItems.getMany,
      matches: (other: Document) => other.id !== document.id && waitingFor(other) !== undefined,
      entryMatches: (entry) => (entryContainsText(cpf, entry) ? undefined : false),
    },
    { limit: MAX_OTHERS, offset: 0, order: 'Asc' },
  );
  const found = await Promise.all(
    items.map(async (other) => {
      const assignment = waitingFor(other);
      if (!assignment || !(await isReachable(other))) return [];
      const isSameMailbox = assignment.person.emailAddress === person.emailAddress;
      // The code that opened this document was sent to the same address.
      const options =
        opened.isVerified && isSameMailbox ? { isVerified: true, validMs: opened.expiresAtMs - nowMs } : {};
      const ticket = await issueTicket(other, assignment, nowMs, options);
      return [{ key: documentKey(other), ticket, name: other.name, actionId: assignment.action.id }];
    }),
  );
  return found.flat();
}
