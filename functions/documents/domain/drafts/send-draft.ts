import { CreateDocuments } from '../../contract/create-document.ts';
import { errors } from '../../errors.ts';
import { createDocuments } from '../creating/create-documents.ts';
import { type Author, findSeenDraft, type SeenDraft } from './draft.ts';
import { problemsOf, requestOf } from './draft-request.ts';
import { finishDraft } from './finish-draft.ts';

type Sent = readonly { readonly documentId: string }[];

/** Sends a draft. The ids of its documents, the same ones when it is sent again. */
export async function sendDraft(author: Author, seen: SeenDraft, nowMs: number): Promise<readonly string[]> {
  const sent = await finishDraft<Sent>(author, seen.id, async () => {
    const draft = await findSeenDraft(author, seen, nowMs);
    if (draft.template || problemsOf(draft, nowMs).length > 0) throw errors.refuse('DraftNotReady');
    return () => createDocuments(author.caller, CreateDocuments.parse(requestOf(draft)), nowMs);
  });
  return sent.map(({ documentId }) => documentId);
}
