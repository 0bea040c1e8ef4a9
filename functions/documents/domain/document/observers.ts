import { randomUUID } from 'node:crypto';
import type { FlowEditRequest } from '../../contract/flows/flow-edit.ts';
import { MAX_OBSERVERS } from '../../contract/flows/observers.ts';
import { errors } from '../../errors.ts';
import type { EditedPart } from '../flow/edit.ts';
import { derivedGuid } from '../guids.ts';
import type { Document, Observer } from './document.ts';

/** The id of an observer. Those of a document whose flow was never edited have theirs by their position. */
export const observerIdOf = (
  documentId: string,
  { observerId }: Pick<Observer, 'observerId'>,
  index: number,
): string => observerId ?? derivedGuid('observer', documentId, String(index));

type ObserversEdit = Pick<FlowEditRequest, 'addedObservers' | 'editedObservers' | 'deletedObserverIds'>;
type Named = Observer & { readonly observerId: string };

const partOf = ({ observerId: id, name }: Named): EditedPart => ({ id, type: 'Observer', names: [name] });

/** The observers after an edit, and what the evidence says of it. From then on each has its id written. */
export function editObservers({ id: documentId, observers }: Document, edit: ObserversEdit) {
  const before = observers.map(
    (each, index): Named => ({ ...each, observerId: observerIdOf(documentId, each, index) }),
  );
  const find = (id: string): Named => {
    const found = before.find(({ observerId }) => observerId === id);
    if (found) return found;
    const reason = 'The document has no observer by this id.';
    throw errors.refuse('InvalidFlowAction', { observerId: id, reason });
  };
  const removed = (edit.deletedObserverIds ?? []).map(find);
  const changed = (edit.editedObservers ?? []).map(({ observerId, emailAddress }) => {
    const old = find(observerId);
    return { old, now: { ...old, emailAddress } };
  });
  const added = (edit.addedObservers ?? []).map((each): Named => ({ ...each, observerId: randomUUID() }));
  const after = before
    .filter((each) => !removed.includes(each))
    .map((each) => changed.find(({ old }) => old === each)?.now ?? each);
  const all = [...after, ...added];
  if (all.length > MAX_OBSERVERS)
    throw errors.refuse('InvalidRequest', {
      field: 'addedObservers',
      reason: `make more than ${MAX_OBSERVERS} observers`,
    });
  return {
    observers: all,
    added: added.map(partOf),
    changed: changed.map(({ old, now }) => ({
      ...partOf(now),
      fields: ['emailAddress'],
      addresses: [{ from: old.emailAddress, to: now.emailAddress }],
    })),
    removed: removed.map(partOf),
  };
}
