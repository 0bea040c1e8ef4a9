import { expect, test } from 'vitest';
import { createDraft } from '../../../../functions/documents/domain/drafts/draft.ts';
import { readDocument } from '../../../../functions/documents/domain/links/read-document.ts';
import { addMember } from '../../../../functions/documents/domain/members/members.ts';
import { callerOf, logIn } from '../../../../functions/documents/domain/members/sessions.ts';
import { requireActiveOrganization } from '../../../../functions/documents/domain/places/organization.ts';
import { handler as getPage } from '../../../../functions/documents/endpoints/signing/get-action-page.ts';
import { call } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { plainPdf } from '../../../shared/signing/pades/documents.ts';
import { asApplication, details, partsOf, sign } from '../endpoints/signing/calls.ts';
import { approver, pendingDocument } from '../endpoints/signing/pending-document.ts';
import { signingStage } from '../endpoints/signing/stage.ts';
import { callerFor } from '../sample-documents.ts';
import { visitorWith } from './member-stage.ts';

const stage = await forFile(signingStage());
const { orgId } = stage;
const caller = callerFor(orgId);
const pdf = await plainPdf('table');
const HOLDER = '47363361886';
const MASKED = '***.633.618-**';

const email = 'eva@example.com';
const eva = await addMember(caller, orgId, { name: 'Eva', email, cpf: null, role: 'Owner' }, Date.now());
const session = await logIn({ identity: { kind: 'email', value: email }, previous: undefined }, Date.now());
const visitor = visitorWith(session ?? '');

const signerNamed = (name: string, identifier: string | null) => ({
  ...{ type: 'Signer', user: { name, identifier, email: 'ze@example.com' } },
});

/** The document, and the page of the person who is asked to sign it. */
async function asked(name: string, identifier: string | null) {
  const flow = [signerNamed(name, identifier), approver('bia@example.com', { step: 2 })];
  const document = await pendingDocument({ organizationId: orgId, bytes: pdf, flow });
  const link = await asApplication(stage.key)('action-url', document, { emailAddress: 'ze@example.com' });
  const { key, ticket } = partsOf((link.json() as { url: string }).url);
  const path = `/documents/document/key/${key}/action`;
  return {
    document,
    details: async () => (await details(key, { ticket })).json(),
    page: async () => (await call(getPage, { path, params: { key }, query: { ticket, lang: 'en' } })).text,
  };
}

test('whoever signed is named by their certificate, wherever the flow has another name', async () => {
  const { document, page, details: read } = await asked('Zé Ninguém', null);
  const before = await page();
  expect(before).toContain('The signature is asked of <strong>Zé Ninguém</strong>');
  expect(before).not.toContain('You sign as');
  await sign(stage.key, document, stage.holder(HOLDER));

  const holderName = `SANDBOX HOLDER ${MASKED}`;
  const { flowActions } = await readDocument(caller, document.id, Date.now());
  expect(flowActions[0]?.completedBy).toMatchObject([{ name: 'Zé Ninguém', certificate: { holderName } }]);
  expect(await read()).toMatchObject({
    participants: [
      { name: 'Zé Ninguém', certificateHolderName: holderName },
      { certificateHolderName: null },
    ],
  });
  expect(await page()).toContain(`Signed · with the certificate of ${holderName}`);
  const { text } = await visitor.show(`documents/${document.id}`);
  expect(text).toContain(`Signed by the certificate of <strong><bdi>${holderName}</bdi></strong>`);
  expect(text).toContain(`CPF ${MASKED}`);
  expect(text).toContain('Another name');
  expect(text).toContain(`Zé Ninguém signed, with the certificate of ${holderName}.`);
  expect(text).not.toContain(HOLDER);
});

test('a name that a CPF proves is no other person’s, and the same name is said once', async () => {
  const proven = await asked('Zé Ninguém', HOLDER);
  expect(await proven.page()).toContain('You sign as <strong>Zé Ninguém</strong>');
  await sign(stage.key, proven.document, stage.holder(HOLDER));
  const { text } = await visitor.show(`documents/${proven.document.id}`);
  expect(text).toContain('Signed by the certificate of');
  expect(text).not.toContain('Another name');

  const same = await asked('Pessoa de  Teste', HOLDER);
  await sign(stage.key, same.document, stage.holderWith('rsa2048', HOLDER));
  const shown = (await visitor.show(`documents/${same.document.id}`)).text;
  expect(shown).toContain('Pessoa de  Teste signed.');
  expect(shown).not.toContain('Signed by the certificate of');
});

test('the review says where anybody’s certificate will do', async () => {
  const organization = await requireActiveOrganization(orgId);
  const person = (key: string, identifier: string, role: 'sign' | 'approve' = 'sign') => ({
    ...{ key, name: key, identifier, email: `${key}@example.com`, role, step: 1, group: '' },
  });
  const author = { organization, member: eva, caller: callerOf(organization, eva) };
  const counted = async (...people: ReturnType<typeof person>[]) => {
    const { id } = await createDraft(author, Date.now(), { people });
    return (await visitor.show(`send/${id}/review`)).text.split('anybody’s certificate will do').length - 1;
  };
  expect(await counted(person('ana', ''))).toBe(1);
  expect(await counted(person('bia', HOLDER), person('acme', '11222333000181'))).toBe(0);
  expect(await counted(person('caio', '', 'approve'))).toBe(0);
});
