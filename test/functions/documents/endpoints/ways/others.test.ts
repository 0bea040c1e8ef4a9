import { expect, test } from 'vitest';
import { findOthers } from '../../../../../functions/documents/domain/signing/ways/others.ts';
import { forFile } from '../../../../for-file.ts';
import { plainPdf } from '../../../../shared/signing/pades/documents.ts';
import { ownOrganization } from '../../own-organization.ts';
import {
  asApplication,
  byKey,
  certificateOf,
  partsOf,
  type StartResponse,
  signatureBy,
} from '../signing/calls.ts';
import { approver, pendingDocument, signer } from '../signing/pending-document.ts';
import { signingStage } from '../signing/stage.ts';

const [ANA, RUI] = ['52998224725', '47363361886'];
const COMPANY = '11222333000181'; // Ana answers for it

const stage = await forFile(signingStage());
const pdf = await plainPdf('table');

const waiting = (name: string, flow: unknown[], organizationId = stage.orgId) =>
  pendingDocument({ organizationId, name, bytes: pdf, contentType: 'application/pdf', flow });

/** Signs the document as a page does; gives its link and the token of the signature. */
async function signed(document: { readonly id: string }, holder: string, cpf = holder) {
  const answer = await asApplication(stage.key)('action-url', document, { identifier: cpf });
  const link = partsOf((answer.json() as { url: string }).url);
  const key = stage.holder(holder);
  const offered = { ticket: link.ticket, certificate: certificateOf(key) };
  const started = (await byKey('start', link.key, offered)).json() as StartResponse;
  const signature = await signatureBy(key, started);
  expect((await byKey('complete', link.key, { token: started.token, signature })).status).toBe(200);
  return { link, proof: started.token };
}

test('whoever has just signed is given the other documents of the organization that wait for the same CPF', async () => {
  const foreign = await ownOrganization();
  await waiting('second', [signer(ANA)]);
  await waiting('of rui', [signer(RUI)]);
  await waiting('later', [signer(RUI), signer(ANA, { step: 2 })]);
  await waiting('to approve', [approver('ana@example.com')]);
  await waiting('elsewhere', [signer(ANA)], foreign.orgId);
  const first = await waiting('first', [signer(ANA), signer(RUI)]);
  const { link, proof } = await signed(first, ANA);
  const found = await findOthers(link, proof, Date.now());
  expect(found.map(({ name }) => name)).toEqual(['second']);

  // The link signs that document, as any other.
  const [{ key = '', ticket = '' } = {}] = found;
  const certificate = certificateOf(stage.holder(ANA));
  expect((await byKey('start', key, { ticket, certificate })).json()).toMatchObject({ success: true });

  // A link that was passed on, a guess, and half an hour later.
  expect(await findOthers(link, 'A'.repeat(75), Date.now())).toEqual([]);
  expect(await findOthers(link, proof, Date.now() + 31 * 60_000)).toEqual([]);
  const ofRui = await asApplication(stage.key)('action-url', first, { identifier: RUI });
  const other = partsOf((ofRui.json() as { url: string }).url);
  expect(await findOthers(other, proof, Date.now())).toEqual([]);
});

test('the certificate of a company proves nobody’s CPF', async () => {
  await waiting('another', [signer(ANA)]);
  const { link, proof } = await signed(await waiting('for the company', [signer(ANA)]), COMPANY, ANA);
  expect(await findOthers(link, proof, Date.now())).toEqual([]);
});
