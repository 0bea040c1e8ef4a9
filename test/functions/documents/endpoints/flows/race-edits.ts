import { expect } from 'vitest';
import { handler as edit } from '../../../../../functions/documents/endpoints/flows/edit-flow.ts';
import { type Answered, call } from '../../../../http-event.ts';
import { asApplication, details, partsOf, signatureBy, started } from '../signing/calls.ts';
import { atNextFile, interfereBeforeNextTransaction } from '../signing/interference.ts';
import { approver, current, pendingDocument, signer } from '../signing/pending-document.ts';
import type { Stage } from '../signing/stage.ts';

// The edit removes the signer and adds another person, while that signer completes:
//
//   signature first:  signed once; the edit is refused, and nobody is added
//   edit first:       nothing is signed; the token is refused, and the link is dead
//
// A round decides how they meet: both are sent at once; the edit is sent when the signed file is written; either commits
// right before the commit of the other.
const MEETINGS = ['at once', 'at the file', 'edit between', 'signature between'] as const;
type Ask = () => Promise<Answered>;

/** Sends both so. Answers what the completion was answered, and the edit. */
async function meet(how: (typeof MEETINGS)[number] | undefined, complete: Ask, change: Ask) {
  if (how === 'at once') return Promise.all([complete(), change()]);
  const [sent, between] = how === 'signature between' ? [change, complete] : [complete, change];
  const others: Promise<Answered>[] = [];
  const begin = () => others.push(between());
  if (how === 'at the file') atNextFile(begin);
  else
    interfereBeforeNextTransaction(async () => {
      begin();
      await others[0];
    });
  const first = await sent();
  const [other] = await Promise.all(others);
  return how === 'signature between' ? [other, first] : [first, other];
}

const CPF = '52998224725';

/** Races edits with signatures, each over a document of its own. Answers how often which was first. */
export async function raceEdits(stage: Stage, rounds: number) {
  const ask = asApplication(stage.key);
  const holder = stage.holder(CPF);
  const outcomes = { signed: 0, edited: 0 };
  for (let round = 0; round < rounds; round++) {
    const flow = [signer(CPF), approver('ana@example.com')];
    const document = await pendingDocument({
      ...{ organizationId: stage.orgId, bytes: Buffer.from('a text'), flow },
    });
    const url = (await ask('action-url', document, { identifier: CPF })).json() as { url: string };
    const { key, ticket } = partsOf(url.url);
    const begun = await started(stage.key, document, holder);
    const signature = await signatureBy(holder, begun);
    const json = {
      deletedFlowActionIds: [document.flow[0]?.id],
      addedFlowActions: [approver('bia@example.com')],
    };
    const [completed, edited] = await meet(
      MEETINGS[round % MEETINGS.length],
      () => ask('complete', document, { token: begun.token, signature }),
      () => call(edit, { params: { id: document.id }, headers: { 'X-API-Key': stage.key }, json }),
    );
    const after = await current(document);
    const done = after.flow.map(({ people, completions }) => [people[0]?.name, completions.length]);
    const { status } = await details(key, { ticket });
    const ana = ['Approver ana@example.com', 0];
    if (completed?.status === 200) {
      outcomes.signed++;
      expect(edited?.json()).toMatchObject({ code: 'InvalidFlowAction' });
      expect([done, after.signed?.revision, status]).toEqual([[[`Signer ${CPF}`, 1], ana], 1, 200]);
    } else {
      outcomes.edited++;
      expect(completed?.json()).toMatchObject({ code: 'InvalidSignatureToken' });
      expect(edited?.status).toBe(200);
      expect([done, after.signed, status]).toEqual([[ana, ['Approver bia@example.com', 0]], null, 404]);
    }
  }
  return outcomes;
}
