import { ifThrown } from '../../../../shared/errors/expected.ts';
import { findKeptAnswer, runRepeatable } from '../../../../shared/store/kept-answers.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import { CreateDocuments } from '../../contract/create-document.ts';
import { errors } from '../../errors.ts';
import { createDocuments } from '../creating/create-documents.ts';
import { type Author, drafts, findDraft } from './draft.ts';
import { problemsOf, requestOf } from './draft-request.ts';

type Sent = readonly { readonly documentId: string }[];

// A draft becomes documents once, whatever is clicked twice or killed between:
//
//   send   |--documents + the answer, one commit--x            (killed, or the answer is lost)
//   again                                         |--the kept answer--the draft deleted--|
//
// Two at once meet on the uploads: one takes them, and the other finds its answer.

/** Sends a draft. The ids of its documents, the same ones when it is sent again. */
export async function sendDraft(
  author: Author,
  { id, version }: { readonly id: string; readonly version: string },
  nowMs: number,
): Promise<readonly string[]> {
  const request = { id: `draft:${author.organization.id}:${id}`, fingerprint: 'draft' };
  const findSent = async (): Promise<Sent | undefined> =>
    (await findKeptAnswer('documents', request))?.value as Sent | undefined;
  const create = async (): Promise<Sent> => {
    const draft = await findDraft(author, id, nowMs);
    // What somebody else has changed since is not sent unseen.
    if (draft.version !== version) throw errors.refuse('DraftChanged', { changedBy: draft.updatedBy });
    if (problemsOf(draft, nowMs).length > 0) throw errors.refuse('DraftNotReady');
    const parsed = CreateDocuments.parse(requestOf(draft));
    return runRepeatable('documents', request, () => createDocuments(author.caller, parsed, nowMs));
  };
  const sent =
    (await findSent()) ??
    (await create().catch(async (error: unknown) => {
      const before = await findSent();
      if (before) return before;
      throw error;
    }));
  const left = await drafts.get({ organizationId: author.organization.id, id });
  if (left) await drafts.delete(left).catch(ifThrown(RaceLost));
  return sent.map(({ documentId }) => documentId);
}
