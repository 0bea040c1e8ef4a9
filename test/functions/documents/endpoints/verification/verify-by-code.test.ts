import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { documentItems } from '../../../../../functions/documents/domain/document/document.ts';
import {
  documentIdOfCode,
  formatCode,
  newCode,
  parseCode,
} from '../../../../../functions/documents/domain/document/verification-code.ts';
import { concludeDocument } from '../../../../../functions/documents/domain/ending/conclude-document.ts';
import { handler as getContent } from '../../../../../functions/documents/endpoints/verification/get-verified-content.ts';
import { handler } from '../../../../../functions/documents/endpoints/verification/verify-by-code.ts';
import { countCalls } from '../../../../measure/calls.ts';
import { call } from '../../../../requests/http-event.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { plainPdf } from '../../../../shared/signing/pades/documents.ts';
import { sign } from '../signing/calls.ts';
import { approver, current, pendingDocument, signedBytes, signer } from '../signing/pending-document.ts';
import { signingStage } from '../signing/stage.ts';

const CPF = '52998224725';
const stage = await forFile(signingStage());

const waiting = async (flow: unknown[]) =>
  pendingDocument({ organizationId: stage.orgId, bytes: await plainPdf('table'), flow });

const lookUp = (code: string, address: string = randomUUID()) => call(handler, { params: { code }, address });
const download = (code: string) => call(getContent, { params: { code }, address: randomUUID() });

describe('a code', () => {
  test('has 100 random bits in letters that nobody confuses', () => {
    const codes = Array.from({ length: 200 }, newCode);
    expect(new Set(codes).size).toBe(200);
    expect(codes.every((code) => /^[0-9A-HJKMNP-TV-Z]{20}$/.test(code))).toBe(true);
    expect(new Set(codes.join('')).size).toBe(32);
  });

  test('is read as people write it, and as they misread it', () => {
    const code = '7FQ2M9XKD4TB3WR8HJ10';
    for (const typed of [code, formatCode(code), ' 7fq2m-9xkd4 tb3wr 8hjlo ', '7FQ2M 9XKD4 TB3WR 8HJIO'])
      expect(parseCode(typed)).toBe(code);
    for (const wrong of ['', '7FQ2M', `${code}0`, 'UUUUUUUUUUUUUUUUUUUU', '7FQ2M9XKD4TB3WR8HJ1ç'])
      expect(parseCode(wrong)).toBeUndefined();
  });
});

describe('whoever has the code of a document', () => {
  test('learns its state and who signed, by the verdict on the signed file, with the CPF masked', async () => {
    const document = await waiting([signer(CPF), approver('eva@example.com', { step: 2 })]);
    const before = await lookUp(document.code);
    expect([before.status, before.json()]).toMatchObject([
      200,
      {
        code: formatCode(document.code),
        status: 'Pending',
        ...{ requiredSignatures: 1, completedSignatures: 0, hasSignedFile: false, report: null },
      },
    ]);
    await sign(stage.key, document, stage.holder(CPF));
    const after = await lookUp(document.code.toLowerCase());
    expect(after.json()).toMatchObject({
      status: 'Pending',
      ...{ completedSignatures: 1, hasSignedFile: false },
      report: { outcome: 'valid', signatures: [{ signer: { pkiBrazil: { cpf: '***.982.247-**' } } }] },
    });
    expect(after.text).not.toContain(CPF);
    // Approvers and those who have not acted are nobody's business.
    expect(after.text).not.toContain('eva@example.com');
  });

  test('gets the signed file once the document is concluded, and not before', async () => {
    const document = await waiting([signer(CPF)]);
    await sign(stage.key, document, stage.holder(CPF));
    expect([(await download(document.code)).status, (await current(document)).state]).toEqual([
      422,
      'FlowConcluded',
    ]);
    await concludeDocument(document.id, Date.now());
    expect((await lookUp(document.code)).json()).toMatchObject({ status: 'Concluded', hasSignedFile: true });
    const got = await download(document.code);
    expect(got.status).toBe(200);
    expect(got.bytes.equals(await signedBytes(document))).toBe(true);
  });

  test.each(['Refused', 'Canceled', 'Expired'] as const)(
    'is told of a document that is %s that it is, and gets neither file nor verdict',
    async (state) => {
      const document = await waiting([signer(CPF), signer('47363361886')]);
      await sign(stage.key, document, stage.holder(CPF));
      await documentItems.change(await current(document), { state });
      expect((await lookUp(document.code)).json()).toMatchObject({
        ...{ status: state, hasSignedFile: false, report: null },
      });
      expect((await download(document.code)).status).toBe(422);
    },
  );

  test('is told nothing by another code, by the id or by the key of a link', async () => {
    const document = await waiting([signer(CPF)]);
    for (const wrong of [newCode(), document.id, document.keySecret, 'x']) {
      const refused = await lookUp(wrong);
      expect([refused.status, refused.json()]).toMatchObject([404, { code: 'VerificationCodeNotFound' }]);
    }
    expect(document.id).toBe(documentIdOfCode(document.code));
  });
});

test('a code is looked up with one read of the store', async () => {
  const document = await waiting([signer(CPF)]);
  await lookUp(document.code);
  const { byCommand } = await countCalls(() => lookUp(document.code));
  // The other is the count of the address.
  expect(byCommand).toEqual({ GetItem: 1, UpdateItem: 1 });
});

test('codes are counted by address with the files that are verified', async () => {
  vi.stubEnv('Verification__PermitLimit', '1');
  const address = '198.51.100.77';
  expect((await lookUp(newCode(), address)).status).toBe(404);
  expect((await lookUp(newCode(), address)).status).toBe(429);
});
