import type { Caller } from '../../../../shared/access/caller.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { errors } from '../../errors.ts';
import { tickets } from '../document/action-link.ts';
import { requireVisible } from '../document/document.ts';
import { type Person, partIdOf } from '../flow/flow.ts';
import type { ActionSelector } from '../flow/matching.ts';
import { readWithTraces } from '../mail/document-mails.ts';
import { endingStarted } from '../signing/started-signature.ts';

// A commit takes a hundred writes, and a started signature two.
const REVOKED_TOGETHER = 40;

/**
 * Revokes the links of a person, of an action, or of a person in an action, and the signatures that were started by them.
 * The document stays as it is; a reminder or a new link lets the person in again.
 */
export const revokeActionUrls = (
  caller: Pick<Caller, 'registered'>,
  id: string,
  { identifier, emailAddress, flowActionId = null }: ActionSelector,
): Promise<void> =>
  retryOnConflict(async () => {
    const { document: stored, links, started } = await readWithTraces(id);
    const { document } = await requireVisible(caller, id, stored);
    const isNamed = (person: Person): boolean =>
      (identifier === null || person.identifier === identifier) &&
      (emailAddress === null || person.emailAddress?.toLowerCase() === emailAddress.toLowerCase());
    const parts = document.flow
      .filter((action) => flowActionId === null || action.id === flowActionId)
      .flatMap((action) => action.people.filter(isNamed).map((person) => `${action.id} ${partIdOf(person)}`));
    if (parts.length === 0)
      throw errors.refuse('InvalidFlowAction', { reason: 'The flow has no such person or action.' });
    const named = new Set(parts);
    const isTheirs = (part: { readonly actionId: string; readonly personId: string }): boolean =>
      named.has(`${part.actionId} ${part.personId}`);
    const writes = [
      ...links.filter(isTheirs).map((link) => [tickets.deleting(link)]),
      ...started.filter(isTheirs).map(endingStarted),
    ];
    for (let from = 0; from < writes.length; from += REVOKED_TOGETHER)
      await commit(writes.slice(from, from + REVOKED_TOGETHER).flat());
  });
