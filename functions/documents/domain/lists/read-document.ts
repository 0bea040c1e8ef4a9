import type { Caller } from '../../../../shared/access/caller.ts';
import { findPlaced } from '../document/document.ts';
import { shownDocument } from './render-document.ts';

export async function readDocument(id: string, caller: Pick<Caller, 'registered'>) {
  const { document, surroundings } = await findPlaced(id, caller);
  return shownDocument(document, surroundings);
}
