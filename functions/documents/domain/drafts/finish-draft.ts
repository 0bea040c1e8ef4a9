import { ifThrown } from '../../../../shared/errors/expected.ts';
import { runOnce } from '../../../../shared/store/kept-answers.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import { type Author, drafts } from './draft.ts';

// A draft becomes documents, a template or a generation once, whatever is clicked twice or killed between:
//
//   send   |--documents + the answer, one commit--x            (killed, or the answer is lost)
//   again                                         |--the kept answer--the draft deleted--|
//
// Two at once meet on the uploads, or on the kept answer: one commits, and the other finds its answer.

/**
 * Does what a draft is for, and deletes it. `prepare` reads and judges the draft; what it returns makes the commit that
 * keeps the answer. Done again it answers the same.
 */
export async function finishDraft<Done>(
  { organization }: Pick<Author, 'organization'>,
  id: string,
  prepare: () => Promise<() => Promise<Done>>,
): Promise<Done> {
  const request = { id: `draft:${organization.id}:${id}`, fingerprint: 'draft' };
  const act = async (): Promise<Done> => (await prepare())();
  const done = await runOnce('documents', request, act, ({ value }) => value as Done);
  const left = await drafts.get({ organizationId: organization.id, id });
  if (left) await drafts.delete(left).catch(ifThrown(RaceLost));
  return done;
}
