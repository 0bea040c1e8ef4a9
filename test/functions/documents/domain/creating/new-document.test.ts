import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { CreateDocuments } from '../../../../../functions/documents/contract/create-document.ts';
import { createDocuments } from '../../../../../functions/documents/domain/creating/create-documents.ts';
import { documentItems } from '../../../../../functions/documents/domain/document/document.ts';
import { presignUpload } from '../../../../../functions/documents/domain/uploads/presigned-upload.ts';
import { receiveUpload } from '../../../../../functions/documents/domain/uploads/receive-upload.ts';
import { plainPdf } from '../../../../shared/signing/pades/documents.ts';
import { ownOrganization } from '../../own-organization.ts';
import { callerFor, SIGNER } from '../../sample-documents.ts';

const UNKNOWN = 'application/octet-stream';

const organizationId = (await ownOrganization()).orgId;
const pdf = Buffer.from(await plainPdf('table'));

const uploaded = async (content: Readable | Uint8Array): Promise<string> =>
  (await receiveUpload({ organizationId, name: 'a', contentType: UNKNOWN, content }, Date.now())).id;

/** Puts the file by a link, as its sender does. */
async function presigned(content: Buffer): Promise<string> {
  const request = { organizationId, name: 'a', contentType: UNKNOWN, size: content.length };
  const { id, url, method, headers } = await presignUpload(request, Date.now());
  expect((await fetch(url, { method, headers, body: new Uint8Array(content) })).status).toBe(200);
  return id;
}

async function madeOf(uploadId: string, more: object = {}) {
  const json = { files: [{ id: uploadId }], flowActions: [SIGNER], ...more };
  const [made] = await createDocuments(callerFor(organizationId), CreateDocuments.parse(json), Date.now());
  const { format, original } = (await documentItems.get(made?.documentId ?? '')) ?? {};
  return [format, original?.contentType];
}

describe('the bytes of an upload decide the format of its document', () => {
  const inMegabytes = (head: Buffer): Buffer => Buffer.concat([head, Buffer.alloc(2_000_000, ' ')]);
  const inPieces = (bytes: Buffer): Readable =>
    Readable.from(
      Array.from({ length: Math.ceil(bytes.length / 999) }, (_, n) => bytes.subarray(n * 999, (n + 1) * 999)),
    );

  test('whichever way it came: in memory, as a small or a large stream, or by a link', async () => {
    const ids = [
      await uploaded(pdf),
      await uploaded(inPieces(pdf)),
      await uploaded(inPieces(inMegabytes(pdf))),
      await presigned(pdf),
    ];
    for (const id of ids) expect(await madeOf(id)).toEqual(['PAdES', 'application/pdf']);
  });

  test.each([
    ['XML', '<?xml version="1.0"?><a/>', ['XAdES', 'application/xml']],
    ['XML with a document type', '<!DOCTYPE a><a/>', ['CAdES', UNKNOWN]],
    [
      'XML whose document type follows a long comment',
      `<!--${'x'.repeat(5_000)}--><!DOCTYPE a><a/>`,
      ['CAdES', UNKNOWN],
    ],
    ['text', 'Hello.', ['CAdES', UNKNOWN]],
  ])('%s', async (_, text, expected) => {
    expect(await madeOf(await uploaded(Buffer.from(text)))).toEqual(expected);
  });

  test('unless CAdES is forced, or the file is declared as something else', async () => {
    expect(await madeOf(await uploaded(pdf), { forceCadesSignature: true })).toEqual([
      'CAdES',
      'application/pdf',
    ]);
    const id = await uploaded(Buffer.from('<a/>'));
    const files = [{ id, contentType: 'text/html' }];
    expect(await madeOf(id, { files })).toEqual(['CAdES', 'text/html']);
  });
});
