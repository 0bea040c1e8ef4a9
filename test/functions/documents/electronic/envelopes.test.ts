import { randomUUID } from 'node:crypto';
import { PDFDocument } from 'pdf-lib';
import { expect, test } from 'vitest';
import { receiveUpload } from '../../../../functions/documents/domain/uploads/receive-upload.ts';
import { forFile } from '../../../runner/for-file.ts';
import { current } from '../endpoints/signing/pending-document.ts';
import { electronic, electronicStage } from './stage.ts';

const stage = await forFile(electronicStage());
const place = (pageNumber: number, more: object = {}) => ({
  ...{ pageNumber, topLeftX: 10, topLeftY: 10, width: 50, height: 20 },
  ...more,
});

async function uploadOfPages(count: number): Promise<{ readonly id: string }> {
  const pdf = await PDFDocument.create();
  for (let page = 0; page < count; page++) pdf.addPage([300, 300]);
  const content = Buffer.from(await pdf.save());
  const file = { organizationId: stage.orgId, name: 'parte.pdf', contentType: 'application/pdf', content };
  return { id: (await receiveUpload(file, Date.now())).id };
}

test('the places that a signer of an envelope chooses count the pages of the file that they name', async () => {
  const files = [await uploadOfPages(2), await uploadOfPages(2)];
  const second = { uploadId: files[1]?.id };
  const id = await stage.document([electronic()], { files, isEnvelope: true });
  const flowActionId = (await current({ id })).flow[0]?.id;
  const sign = (...signaturePositions: object[]) => stage.signFor(id, { flowActionId, signaturePositions });
  for (const [position, code] of [
    [place(1, { uploadId: randomUUID() }), 'UploadNotFound'],
    [place(3, second), 'InvalidRequest'],
    // It was not drawn, and nobody was told.
    [place(1, { type: 'SignatureInitials' }), 'OptionNotSupported'],
  ] as const) {
    const answer = await sign(position);
    expect([answer.status, answer.json()]).toMatchObject([
      code === 'InvalidRequest' ? 400 : 422,
      { code, details: { field: expect.stringMatching(/^signaturePositions/) } },
    ]);
  }
  expect((await sign(place(2, second), place(3))).status).toBe(200);
  const [completion] = (await current({ id })).flow[0]?.completions ?? [];
  expect(completion?.evidence?.marks?.map(({ page }) => page)).toEqual([4, 3]);
});
