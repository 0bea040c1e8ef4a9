import { expect, test } from 'vitest';
import { documentKey, issueTicket } from '../../../../../functions/documents/domain/document/action-link.ts';
import { openAssignments } from '../../../../../functions/documents/domain/flow/flow.ts';
import { organizations } from '../../../../../functions/documents/domain/places/organization.ts';
import type { ActionLink } from '../../../../../functions/documents/domain/signing/awaited.ts';
import { findOthers } from '../../../../../functions/documents/domain/signing/ways/others.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { plainPdf } from '../../../../shared/signing/pades/documents.ts';
import { ownOrganization } from '../../own-organization.ts';
import {
  asApplication,
  byKey,
  certificateOf,
  details,
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

async function linkTo(document: { readonly id: string }, identifier: string): Promise<ActionLink> {
  const answer = await asApplication(stage.key)('action-url', document, { identifier });
  return partsOf((answer.json() as { url: string }).url);
}

/** Signs the document as a page does; gives its link and the token of the signature. */
async function signed(document: { readonly id: string }, holder: string, cpf = holder, by?: ActionLink) {
  const link = by ?? (await linkTo(document, cpf));
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

test('a code that opened the document opens the others of the same address, and no more', async () => {
  const { orgId } = await ownOrganization();
  const at = (name: string, emailAddress: string) =>
    waiting(name, [{ ...signer(ANA), user: { name: 'Ana', identifier: ANA, emailAddress } }], orgId);
  await at('same mailbox', 'ana@sandbox.example');
  await at('another mailbox', 'ana@elsewhere.example');
  const first = await at('first', 'ana@sandbox.example');
  const organization = await organizations.get(orgId);
  if (organization) await organizations.change(organization, { mail: { enabled: true, requiresCode: true } });
  const [assignment = expect.fail()] = openAssignments(first.flow);
  const ticket = await issueTicket(first, assignment, Date.now(), { isVerified: true, validMs: 7_200_000 });
  const { link, proof } = await signed(first, ANA, ANA, { key: documentKey(first), ticket });
  const found = await findOthers(link, proof, Date.now());
  const opens = await Promise.all(
    found.map(async (other) => [
      other.name,
      ((await details(other.key, { ticket: other.ticket })).json() as { code?: string }).code,
    ]),
  );
  expect(Object.fromEntries(opens)).toEqual({
    'same mailbox': undefined,
    'another mailbox': 'CodeRequired',
  });
});
