import { describe, expect, test } from 'vitest';
import { requireTicket } from '../../../../../functions/documents/domain/document/action-link.ts';
import { documentItems } from '../../../../../functions/documents/domain/document/document.ts';
import { createActionUrl } from '../../../../../functions/documents/domain/signing/action-url.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { plainPdf } from '../../../../shared/signing/pades/documents.ts';
import {
  asApplication,
  byKey,
  certificateOf,
  content,
  details,
  partsOf,
  sign,
  signatureBy,
} from './calls.ts';
import { approver, current, pendingDocument, signedBytes, signer } from './pending-document.ts';
import { signingStage } from './stage.ts';

const [FIRST, SECOND] = ['52998224725', '47363361886'] as const;
const DAY_MS = 86_400_000;

const stage = await forFile(signingStage());
const pdf = await plainPdf('table');

const waiting = (flow: unknown[], more: object = {}) =>
  pendingDocument({
    organizationId: stage.orgId,
    bytes: pdf,
    contentType: 'application/pdf',
    flow,
    ...more,
  });

type DocumentId = { readonly id: string };
const urlFor = async (document: DocumentId, who: object) => {
  const { status, json } = await asApplication(stage.key)('action-url', document, who);
  return { status, ...(json() as { url: string; embedUrl: string; code?: string }) };
};
const openedFor = async (document: DocumentId, who: object) => partsOf((await urlFor(document, who)).url);

describe('POST /api/documents/{id}/action-url', () => {
  test('gives the page of the first action that waits for a person, as clients take it apart', async () => {
    const document = await waiting([signer(FIRST)]);
    const { status, url, embedUrl } = await urlFor(document, { identifier: '529.982.247-25' });
    expect(status).toBe(200);
    const { key, ticket } = partsOf(url);
    expect(url).toBe(`http://localhost:3000/documents/document/key/${key}/action?ticket=${ticket}`);
    expect(embedUrl).toBe(`http://localhost:3000/documents/document/key/${key}/embed?ticket=${ticket}`);
    expect(Buffer.from(ticket, 'base64url')).toHaveLength(32);
  });

  test('knows a person by the e-mail address too, however it is written', async () => {
    const document = await waiting([approver('Ana@Example.com'), signer(FIRST)]);
    const { key, ticket } = await openedFor(document, { emailAddress: 'ANA@example.COM' });
    expect((await details(key, { ticket })).json()).toMatchObject({ action: { type: 'Approver' } });
    const both = await openedFor(document, { identifier: FIRST, emailAddress: 'ana@example.com' });
    expect((await details(both.key, { ticket: both.ticket })).json()).toMatchObject({
      action: { type: 'Signer' },
    });
  });

  test('refuses who is not waited for, and a request that names nobody', async () => {
    const document = await waiting([signer(FIRST), signer(SECOND, { step: 2 })]);
    expect(await urlFor(document, { identifier: SECOND })).toMatchObject({ code: 'InvalidFlowAction' });
    expect(await urlFor(document, {})).toMatchObject({ status: 400, code: 'InvalidRequest' });
    expect(await urlFor(document, { identifier: '1' })).toMatchObject({ status: 400 });
    await documentItems.change(await current(document), { state: 'Canceled' });
    expect(await urlFor(document, { identifier: FIRST })).toMatchObject({ code: 'InvalidDocumentStatus' });
  });
});

describe('a ticket', () => {
  test('opens its own document alone, by the right key alone', async () => {
    const [one, other] = [await waiting([signer(FIRST)]), await waiting([signer(FIRST)])];
    const mine = await openedFor(one, { identifier: FIRST });
    const theirs = await openedFor(other, { identifier: FIRST });
    const code = async (key: string, ticket: string) =>
      ((await details(key, { ticket })).json() as { code?: string }).code;
    expect(await code(mine.key, mine.ticket)).toBeUndefined();
    expect(await code(theirs.key, mine.ticket)).toBe('InvalidTicket');
    expect(await code(mine.key, 'x')).toBe('InvalidTicket');
    const wrong = `${mine.key.slice(0, -1)}${mine.key.endsWith('A') ? 'B' : 'A'}`;
    for (const key of [wrong, one.id, 'x', mine.key.toUpperCase(), `${mine.key}A`])
      expect(await code(key, mine.ticket)).toBe('DocumentInvalidKey');
  });

  test('ends with its time, and with a new version of the document', async () => {
    const document = await waiting([signer(FIRST)]);
    const caller = {
      application: 'x',
      keyId: '',
      permissions: [],
      registered: { organizations: [stage.orgId] },
    };
    const who = { identifier: FIRST, emailAddress: null };
    const { key, ticket } = partsOf((await createActionUrl(caller, document.id, who, Date.now())).url);
    const openedAfter = (ms: number) => requireTicket(key, ticket, Date.now() + ms);
    await expect(openedAfter(7 * DAY_MS - 60_000)).resolves.toMatchObject({ person: { identifier: FIRST } });
    await expect(openedAfter(7 * DAY_MS + 60_000)).rejects.toMatchObject({ code: 'InvalidTicket' });
    await documentItems.change(await current(document), { round: 1 });
    await expect(openedAfter(0)).rejects.toMatchObject({ code: 'InvalidTicket' });
  });

  test('signs for its person alone, and once; afterwards it still shows what was signed', async () => {
    const document = await waiting([signer(FIRST), signer(SECOND)]);
    const { key, ticket } = await openedFor(document, { identifier: FIRST });
    const start = async (cpf: string, more: object = {}) =>
      (
        await byKey('start', key, { ticket, certificate: certificateOf(stage.holder(cpf)), ...more })
      ).json() as Awaited<Parameters<typeof signatureBy>[1]> & { code?: string };
    expect(await start(SECOND)).toMatchObject({ code: 'CpfMismatch' });
    expect(await start(FIRST, { flowActionId: document.flow[1]?.id })).toMatchObject({
      code: 'InvalidFlowAction',
    });
    const first = await start(FIRST, { flowActionId: document.flow[0]?.id });
    const signature = await signatureBy(stage.holder(FIRST), first);
    const completed = await byKey('complete', key, { token: first.token, signature });
    expect(completed.json()).toMatchObject({ success: true, validationResults: { isValid: true } });
    expect(await start(FIRST)).toMatchObject({ code: 'InvalidFlowAction' });
    expect((await details(key, { ticket })).json()).toMatchObject({
      hasSignature: true,
      action: { status: 'Completed', canAct: false },
    });
    const { bytes, headers } = await content(key, { ticket });
    expect(bytes.equals(await signedBytes(document))).toBe(true);
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'inline; filename="contrato-signed.pdf"',
    });
  });

  test('for an approval does not sign, and for a signature does not approve', async () => {
    const document = await waiting([signer(FIRST), approver('a@example.com')]);
    const toSign = await openedFor(document, { identifier: FIRST });
    const toApprove = await openedFor(document, { emailAddress: 'a@example.com' });
    const certificate = certificateOf(stage.holder(FIRST));
    const answers = [
      await byKey('approve', toSign.key, { ticket: toSign.ticket }),
      await byKey('start', toApprove.key, { ticket: toApprove.ticket, certificate }),
    ];
    for (const { json } of answers) expect(json()).toMatchObject({ code: 'InvalidFlowAction' });
    expect(await current(document)).toMatchObject({ version: document.version });
  });
});

describe('GET /api/documents/keys/{key}/details', () => {
  test('tells the document, the action, its person, and of the others their names and parts only', async () => {
    const people = [{ name: 'Rui' }, { name: 'Eva', email: 'eva@example.com' }];
    const rule = { type: 'ApproverRule', ruleName: 'One of two', signRuleUsers: people };
    const document = await waiting([signer(FIRST, { title: 'Buyer' }), rule, signer(SECOND, { step: 2 })], {
      more: { description: 'Please read.' },
    });
    await asApplication(stage.key)('approve', document, { emailAddress: 'eva@example.com' });
    const { key, ticket } = await openedFor(document, { identifier: FIRST });
    const { status, text, json } = await details(key, { ticket });
    const inRule = { id: document.flow[1]?.id, name: 'One of two', required: 1 };
    expect(status).toBe(200);
    expect(json()).toEqual({
      id: document.id,
      name: 'contrato.pdf',
      filename: 'contrato.pdf',
      mimeType: 'application/pdf',
      fileSize: pdf.length,
      status: 'Pending',
      description: 'Please read.',
      expirationDate: null,
      hasSignature: false,
      verificationCode: null,
      awaitsSeal: false,
      organizationName: 'Own',
      branding: { displayName: 'Own', logoUrl: null, color: null },
      action: {
        id: document.flow[0]?.id,
        type: 'Signer',
        kind: 'signature',
        title: 'Buyer',
        status: 'Pending',
        canAct: true,
        electronic: null,
        requiredCompanyIdentifier: null,
        requiredCertificateTypeToSign: null,
        requiredCertificateHolderTypeToSign: null,
        refusalEndsFlow: true,
        person: { name: `Signer ${FIRST}`, identifier: '***.982.247-**', email: null, emailAddress: null },
      },
      marks: [],
      parts: [],
      participants: [
        { name: `Signer ${FIRST}`, kind: 'signature', step: 1, status: 'Pending', rule: null },
        { name: 'Rui', kind: 'approval', step: 1, status: 'NotNeeded', rule: inRule },
        { name: 'Eva', kind: 'approval', step: 1, status: 'Completed', rule: inRule },
        { name: `Signer ${SECOND}`, kind: 'signature', step: 2, status: 'Created', rule: null },
      ].map((participant) => ({ ...participant, certificateHolderName: null })),
    });
    expect(text).not.toContain('eva@example.com');
  });

  const at = (y: number) => ({ page: 1, x: 50, y, width: 200, height: 50 });
  const shownAt = (y: number) => ({ prePositionedMarks: [at(y)] });

  test('tells where the flow still shows something, and which place is the person’s own', async () => {
    const people = [{ name: 'Rui' }, { name: 'Eva', email: 'eva@example.com' }];
    const rule = { type: 'ApproverRule', signRuleUsers: people, ...shownAt(300) };
    const flow = [signer(FIRST, shownAt(100)), signer(SECOND, { step: 2, ...shownAt(200) }), rule];
    const document = await waiting([...flow, approver('a@example.com')]);
    const { key, ticket } = await openedFor(document, { identifier: FIRST });
    const marks = async () => ((await details(key, { ticket })).json() as { marks: unknown }).marks;
    const others = [
      { ...at(200), name: `Signer ${SECOND}`, kind: 'signature', isYours: false },
      { ...at(300), name: 'Rui, Eva', kind: 'approval', isYours: false },
    ];
    expect(await marks()).toEqual([
      { ...at(100), name: `Signer ${FIRST}`, kind: 'signature', isYours: true },
      ...others,
    ]);
    await sign(stage.key, document, stage.holder(FIRST));
    expect(await marks()).toEqual(others);
    await asApplication(stage.key)('refuse', document, { reason: 'No.', emailAddress: 'a@example.com' });
    expect(await marks()).toEqual([]);
  });

  test('tells which places count from the upper left corner, and which are not the signature itself', async () => {
    const mark = {
      type: 'SignatureInitials',
      pageNumber: 2,
      topLeftX: 5,
      topLeftY: 7,
      width: 40,
      height: 30,
    };
    const document = await waiting([signer(FIRST, { prePositionedMarks: [mark] })]);
    const { key, ticket } = await openedFor(document, { identifier: FIRST });
    expect((await details(key, { ticket })).json()).toMatchObject({
      marks: [{ origin: 'UpperLeft', type: 'SignatureInitials', page: 2, x: 5, y: 7, width: 40, height: 30 }],
    });
  });

  test('tells no place of a file that shows no signature', async () => {
    const bytes = Buffer.from('a,b\n1,2\n');
    const more = { bytes, contentType: 'text/csv', name: 'x.csv' };
    const document = await waiting([signer(FIRST, shownAt(100))], more);
    const { key, ticket } = await openedFor(document, { identifier: FIRST });
    expect((await details(key, { ticket })).json()).toMatchObject({ marks: [] });
  });
});

describe('GET /api/documents/keys/{key}/content', () => {
  test('gives a file that could be a page as a download that cannot run', async () => {
    const bytes = Buffer.from('<html><script>alert(1)</script></html>');
    const more = { bytes, contentType: 'text/html', name: 'página.html' };
    const document = await waiting([signer(FIRST)], more);
    const { key, ticket } = await openedFor(document, { identifier: FIRST });
    const answer = await content(key, { ticket });
    expect(answer.bytes.equals(bytes)).toBe(true);
    expect(answer.headers['content-disposition']).toMatch(/^attachment;/);
    expect(answer.headers['content-security-policy']).toMatch(/^sandbox;/);
  });

  test('gives the part of the file that is asked for', async () => {
    const document = await waiting([signer(FIRST)]);
    const { key, ticket } = await openedFor(document, { identifier: FIRST });
    expect((await content(key, { ticket })).headers['accept-ranges']).toBe('bytes');
    const { status, bytes, headers } = await content(key, { ticket }, { range: 'bytes=100-299' });
    expect([status, headers['content-range'], headers['content-length']]).toEqual([
      206,
      `bytes 100-299/${pdf.length}`,
      '200',
    ]);
    expect(bytes.equals(pdf.subarray(100, 300))).toBe(true);
  });

  test('gives parts that agree while a signature replaces the file: it only appends', async () => {
    const document = await waiting([signer(FIRST), signer(SECOND)]);
    const { key, ticket } = await openedFor(document, { identifier: SECOND });
    const first = (await content(key, { ticket }, { range: 'bytes=0-399' })).bytes;
    await sign(stage.key, document, stage.holder(FIRST));
    const second = (await content(key, { ticket }, { range: `bytes=400-${pdf.length - 1}` })).bytes;
    expect(Buffer.concat([first, second]).equals(pdf)).toBe(true);
  });

  test('gives of a CAdES document what can be read, and its signature where that is asked for', async () => {
    const bytes = Buffer.from('a,b\n1,2\n');
    const document = await waiting([signer(FIRST), signer(SECOND)], {
      bytes,
      contentType: 'text/csv',
      name: 'x.csv',
    });
    const { key, ticket } = await openedFor(document, { identifier: FIRST });
    const none = await content(key, { ticket, type: 'Signatures' });
    expect(none.json()).toMatchObject({ code: 'ContentNotAvailable' });
    const certificate = certificateOf(stage.holder(FIRST));
    const first = (await byKey('start', key, { ticket, certificate })).json() as Parameters<
      typeof signatureBy
    >[1];
    await byKey('complete', key, {
      token: first.token,
      signature: await signatureBy(stage.holder(FIRST), first),
    });
    expect((await content(key, { ticket })).bytes.equals(bytes)).toBe(true);
    const signed = await content(key, { ticket, type: 'Signatures' });
    expect(signed.bytes.equals(await signedBytes(document))).toBe(true);
    expect(signed.headers['content-disposition']).toBe('attachment; filename="x.csv.p7s"');
  });

  test('gives of a document that came to nothing what it was before anyone signed', async () => {
    const document = await waiting([signer(FIRST), signer(SECOND)]);
    const { key, ticket } = await openedFor(document, { identifier: FIRST });
    await sign(stage.key, document, stage.holder(SECOND));
    await byKey('refuse', key, { ticket, reason: 'No.' });
    expect((await content(key, { ticket })).bytes.equals(pdf)).toBe(true);
    expect((await content(key, { ticket, type: 'Signatures' })).json()).toMatchObject({
      code: 'ContentNotAvailable',
    });
  });

  test('gives nothing to a wrong ticket', async () => {
    const { key } = await openedFor(await waiting([signer(FIRST)]), { identifier: FIRST });
    expect((await content(key, { ticket: 'wrong' })).json()).toMatchObject({ code: 'InvalidTicket' });
  });
});
