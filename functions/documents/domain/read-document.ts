import type { Caller } from '../../../shared/access/caller.ts';
import { findDocument } from './document.ts';
import { surroundingsOf } from './notices.ts';
import { shownDocument } from './shown-document.ts';

export async function readDocument(id: string, caller: Pick<Caller, 'registered'>) {
  const document = await findDocument(id, caller);
  return shownDocument(document, await surroundingsOf(document));
}
