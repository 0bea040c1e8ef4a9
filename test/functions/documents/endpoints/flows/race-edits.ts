import { expect } from 'vitest';
import type { Document } from '../../../../../functions/documents/domain/document/document.ts';
import { handler as edit } from '../../../../../functions/documents/endpoints/flows/edit-flow.ts';
import { handler as signByKey } from '../../../../../functions/documents/endpoints/signing/sign-electronically-by-key.ts';
import { type Answered, call } from '../../../../requests/http-event.ts';
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
// right before the commit of the other. An electronic signature writes no file before the document is sealed.
const MEETINGS = {
  certificate: ['at once', 'at the file', 'edit between', 'signature between'],
  electronic: ['at once', 'edit between', 'signature between'],
} as const;
export type SigningKind = keyof typeof MEETINGS;
type Meeting = (typeof MEETINGS)[SigningKind][number];
type Ask = () => Promise<Answered>;

/** Sends both so. Answers what the completion was answered, and the edit. */
async function meet(how: Meeting | undefined, complete: Ask, change: Ask) {
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
type Link = ReturnType<typeof partsOf>;

/** A signature that is ready to be completed. */
async function begun(
  kind: SigningKind,
  stage: Stage,
  document: Document,
  { key, ticket }: Link,
): Promise<Ask> {
  // By an action URL of an application, which asks for no code.
  if (kind === 'electronic') return () => call(signByKey, { params: { key }, json: { ticket } });
  const holder = stage.holder(CPF);
  const start = await started(stage.key, document, holder);
  const signature = await signatureBy(holder, start);
  return () => asApplication(stage.key)('complete', document, { token: start.token, signature });
}

const ONE = {
  certificate: { signed: { revision: 1 } },
  electronic: { signed: null, evidence: { sequence: 1 } },
} as const;
const LATE = { certificate: 'InvalidSignatureToken', electronic: 'NotInFlow' } as const;

/** Races edits with signatures, each over a document of its own. Answers how often which was first. */
export async function raceEdits(stage: Stage, rounds: number, kind: SigningKind) {
  const outcomes = { signed: 0, edited: 0 };
  for (let round = 0; round < rounds; round++) {
    const flow = [signer(CPF, { allowElectronicSignature: true }), approver('ana@example.com')];
    const document = await pendingDocument({
      ...{ organizationId: stage.orgId, bytes: Buffer.from('a text'), flow },
    });
    const answer = await asApplication(stage.key)('action-url', document, { identifier: CPF });
    const link = partsOf((answer.json() as { url: string }).url);
    const json = {
      deletedFlowActionIds: [document.flow[0]?.id],
      addedFlowActions: [approver('bia@example.com')],
    };
    const meetings = MEETINGS[kind];
    const [completed, edited] = await meet(
      meetings[round % meetings.length],
      await begun(kind, stage, document, link),
      () => call(edit, { params: { id: document.id }, headers: { 'X-API-Key': stage.key }, json }),
    );
    const after = await current(document);
    const done = after.flow.map(({ people, completions }) => [people[0]?.name, completions.length]);
    const { status } = await details(link.key, { ticket: link.ticket });
    const ana = ['Approver ana@example.com', 0];
    if (completed?.status === 200) {
      outcomes.signed++;
      expect(edited?.json()).toMatchObject({ code: 'InvalidFlowAction' });
      expect(after).toMatchObject(ONE[kind]);
      expect([done, status]).toEqual([[[`Signer ${CPF}`, 1], ana], 200]);
    } else {
      outcomes.edited++;
      expect(completed?.json()).toMatchObject({ code: LATE[kind] });
      expect(edited?.status).toBe(200);
      expect(after).toMatchObject({ signed: null });
      expect(after.evidence).toBeUndefined();
      expect([done, status]).toEqual([[ana, ['Approver bia@example.com', 0]], 404]);
    }
  }
  return outcomes;
}
