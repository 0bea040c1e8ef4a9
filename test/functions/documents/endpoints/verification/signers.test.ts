import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { concludeDocument } from '../../../../../functions/documents/domain/ending/conclude-document.ts';
import { receiveUpload } from '../../../../../functions/documents/domain/uploads/receive-upload.ts';
import { handler as byCode } from '../../../../../functions/documents/endpoints/verification/get-signatures-by-code.ts';
import { handler as details } from '../../../../../functions/documents/endpoints/verification/get-signatures-details.ts';
import { handler as validate } from '../../../../../functions/documents/endpoints/verification/validate-signatures.ts';
import { handler as verifyByCode } from '../../../../../functions/documents/endpoints/verification/verify-by-code.ts';
import { call } from '../../../../requests/http-event.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { plainPdf } from '../../../../shared/signing/pades/documents.ts';
import { asApplication, sign } from '../signing/calls.ts';
import { pendingDocument, signedBytes, signer } from '../signing/pending-document.ts';
import { signingStage } from '../signing/stage.ts';

// As strict as a typed client.
const Moment = z.iso.datetime({ offset: true });
const Text = z.string().nullable();
interface Item {
  readonly type: string;
  readonly message: string;
}
const Item: z.ZodType<Item> = z.object({ type: z.string(), message: z.string() });
const Stamp = z.object({
  displayName: Text,
  ...{ genTime: Moment, validityStart: Moment, validityEnd: Moment },
});
const Signer = z.object({
  subjectName: z.string(),
  emailAddress: Text,
  issuerName: z.string(),
  identifier: z.string(),
  companyName: Text,
  companyIdentifier: Text,
  isElectronic: z.boolean(),
  isTimestamp: z.boolean(),
  signingTime: Moment,
  certificateThumbprint: z.base64(),
  evidences: z.null(),
  attributeCertificates: z.array(z.null()),
  validityStart: Moment,
  validityEnd: Moment,
  signatureTimestamps: z.array(Stamp),
  archiveTimestamps: z.array(Stamp),
  validationResults: z.object({
    isValid: z.boolean(),
    ...{ passedChecks: z.array(Item), errors: z.array(Item), warnings: z.array(Item) },
  }),
});
const SignaturesInfo = z.object({
  id: z.guid(),
  name: z.string(),
  filename: z.string(),
  mimeType: z.string(),
  createdBy: z.object({ id: z.guid(), name: z.string() }).nullable(),
  isConcluded: z.boolean(),
  isFile: z.boolean(),
  isEnvelope: z.boolean(),
  creationDate: Moment,
  updateDate: Moment,
  status: z.enum(['Pending', 'Refused', 'FlowConcluded', 'Concluded', 'Canceled', 'Expired']),
  type: z.null(),
  signers: z.array(Signer),
});

const CPF = '52998224725';
const stage = await forFile(signingStage());
const email = 'ana@example.com';
const waiting = async () =>
  pendingDocument({
    organizationId: stage.orgId,
    bytes: await plainPdf('table'),
    flow: [signer(CPF, { user: { name: 'Ana', identifier: CPF, email } })],
  });

const keyed = async (id: string, key = stage.key) =>
  call(details, { params: { id }, headers: { 'X-API-Key': key } });
const open = (code: string) => call(byCode, { params: { key: code }, address: randomUUID() });

describe('who signed a document', () => {
  test('is told to its application by its id, with the verdict on the signed file', async () => {
    const document = await waiting();
    expect(SignaturesInfo.parse((await keyed(document.id)).json()).signers).toEqual([]);
    await sign(stage.key, document, stage.holder(CPF));
    await concludeDocument(document.id, Date.now());
    const info = SignaturesInfo.parse((await keyed(document.id)).json());
    expect(info).toMatchObject({
      ...{ id: document.id, status: 'Concluded', isConcluded: true, isFile: true },
      signers: [
        {
          ...{ identifier: CPF, emailAddress: email, isTimestamp: false, isElectronic: false },
          certificateThumbprint: Buffer.from(stage.holder(CPF).certificate.sha256, 'hex').toString('base64'),
          validationResults: { isValid: true, errors: [] },
        },
      ],
    });
  });

  test('is told by the code to anyone, with CPF and address masked, while the file is given out', async () => {
    const document = await waiting();
    await sign(stage.key, document, stage.holder(CPF));
    const answer = await open(document.code.toLowerCase());
    const { signers, createdBy } = SignaturesInfo.parse(answer.json());
    expect([createdBy, signers[0]?.identifier]).toEqual([null, '***.982.247-**']);
    expect(answer.text).not.toContain(CPF);
    expect(answer.text).not.toContain(email);
    expect((await open('7FQ2M9XKD4TB3WR8HJ5C')).json()).toMatchObject({ code: 'VerificationCodeNotFound' });
  });

  test('is not told by the code of a document that was refused, and still to its application', async () => {
    const document = await pendingDocument({
      organizationId: stage.orgId,
      bytes: await plainPdf('table'),
      flow: [signer(CPF), { type: 'Approver', step: 2, user: { name: 'Eva', email: 'eva@example.com' } }],
    });
    await sign(stage.key, document, stage.holder(CPF));
    await asApplication(stage.key)('refuse', document, { reason: 'No.' });
    expect(SignaturesInfo.parse((await open(document.code)).json()).signers).toEqual([]);
    expect(SignaturesInfo.parse((await keyed(document.id)).json()).signers).toHaveLength(1);
  });
});

test('the report has the bytes of a signature, as its CMS has them', async () => {
  const document = await waiting();
  await sign(stage.key, document, stage.holder(CPF));
  const answer = await call(verifyByCode, { params: { code: document.code }, address: randomUUID() });
  const { report } = answer.json() as { report: { signatures: Record<string, unknown>[] } };
  const bytes = await signedBytes(document);
  const contents = Buffer.from(/\/Contents\s*<([\da-f]+)>/i.exec(bytes.toString('latin1'))?.[1] ?? '', 'hex');
  const [found] = report.signatures;
  expect(found).toMatchObject({ fieldName: 'Signature1', digestAlgorithm: 'sha256', isLongTerm: false });
  const inCms = (field: string) => contents.includes(Buffer.from(String(found?.[field]), 'base64'));
  expect([inCms('messageDigest'), inCms('signatureValue')]).toEqual([true, true]);
});

describe('POST /api/documents/validate-signatures', () => {
  const uploaded = async (content: Buffer) =>
    (
      await receiveUpload(
        { organizationId: stage.orgId, name: 'x.pdf', contentType: 'application/pdf', content },
        Date.now(),
      )
    ).id;
  const ask = (json: object) => call(validate, { json, headers: { 'X-API-Key': stage.key } });

  test.each<[string, object]>([
    ['its fields', {}],
    ['defaults of newer clients', { signatureType: 'None', securityContextId: null }],
    ['no media type', { mimeType: null }],
  ])('takes %s, answers the signers, and leaves the upload as it is', async (_, more) => {
    const document = await waiting();
    await sign(stage.key, document, stage.holder(CPF));
    const fileId = await uploaded(await signedBytes(document));
    const request = { fileId, mimeType: 'application/pdf', ...more };
    for (const again of [1, 2]) {
      const signers = z.array(Signer).parse((await ask(request)).json());
      expect([again, signers]).toMatchObject([
        again,
        [{ identifier: CPF, validationResults: { isValid: true } }],
      ]);
    }
  });

  test('tells a file that was changed after it was signed', async () => {
    const document = await waiting();
    await sign(stage.key, document, stage.holder(CPF));
    const bytes = await signedBytes(document);
    bytes[20] = (bytes[20] ?? 0) ^ 1;
    const answer = await ask({ fileId: await uploaded(bytes), mimeType: 'application/pdf' });
    expect(answer.json()).toMatchObject([{ validationResults: { isValid: false } }]);
  });

  test.each([
    ['an unknown upload', async () => randomUUID(), {}, 'UploadNotFound'],
    ['a file that nobody signed', () => uploaded(Buffer.from('a,b')), {}, 'FileNotVerifiable'],
    ['an option', async () => randomUUID(), { securityContextId: randomUUID() }, 'OptionNotSupported'],
  ])('refuses %s', async (_, file, more, code) => {
    const answer = await ask({ fileId: await file(), mimeType: 'application/pdf', ...more });
    expect(answer.json()).toMatchObject({ code });
  });
});
