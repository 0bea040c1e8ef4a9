import { keyedItems } from '../../../../shared/store/keyed-items.ts';
import type { Write } from '../../../../shared/store/write.ts';
import type { Flow } from '../flow/flow.ts';
import type { Document } from './document.ts';

// Clients ask for a code by SMS with the id of the action alone. Only actions that ask for one have a pointer.
const pointers = keyedItems<{ readonly documentId: string }, string>({
  service: 'documents',
  key: (actionId) => ({ pk: `ACTION#${actionId}`, sk: 'ACTION' }),
});

const pointedAt = (flow: Flow): string[] =>
  flow.filter(({ electronic }) => electronic?.factors.includes('SMS')).map(({ id }) => id);

/** The writes that lead from the actions of a document to it. */
export const pointingTo = ({ id: documentId, flow }: Pick<Document, 'id' | 'flow'>): Write[] =>
  pointedAt(flow).map((actionId) => pointers.putting(actionId, { documentId }));

/** The writes that end them, for a deletion or a new version. */
export const unpointing = ({ flow }: Pick<Document, 'flow'>): Write[] =>
  pointedAt(flow).map((id) => pointers.removing(id));

/** The document of an action. */
export const findDocumentOfAction = async (actionId: string): Promise<string | undefined> =>
  (await pointers.getMany([actionId]))[0]?.documentId;
