import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { deadlineIn } from '../../../shared/async/deadline.ts';
import { platformClient } from '../../../shared/platform/client.ts';
import { isConcluded } from '../../../shared/platform/documents.ts';
import { PlatformUnreachable } from '../../../shared/platform/errors.ts';
import { parseActionUrl, type SignatureTarget } from '../../../shared/platform/signatures.ts';
import { signingStage } from '../../functions/documents/endpoints/signing/stage.ts';
import { servePlatform } from '../../servers/platform-server.ts';
import { plainPdf } from '../signing/pades/documents.ts';
import { failureOf } from './a-client.ts';

const ANA = { name: 'Ana Souza', cpf: '52998224725', email: 'ana@sandbox.example' };
const BRUNO = { name: 'Bruno Lima', cpf: '47363361886', email: 'bruno@sandbox.example' };

const folder = mkdtempSync(join(tmpdir(), 'sinete-platform-'));

const stage = await signingStage();
const platform = await servePlatform();
const client = platformClient({ address: platform.url, apiKey: stage.key, requestTimeoutMs: 20_000 });
const pdf = await plainPdf('table');
afterEach(() => {
  platform.interfere = () => undefined;
});
afterAll(() => {
  platform.stop();
  stage.stop();
  rmSync(folder, { recursive: true });
});

const within = () => deadlineIn(60_000, Date.now);

async function newFolder(name: string): Promise<string> {
  const response = await fetch(`${platform.url}/api/folders`, {
    method: 'POST',
    headers: { 'x-api-key': stage.key, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  });
  return ((await response.json()) as { id: string }).id;
}

const newDocument = async (folderId: string | undefined, value: string): Promise<string> => {
  const file = { bytes: pdf, fileName: 'contract.pdf' };
  return client.createDocument(
    {
      upload: await client.uploadFile(file, within()),
      contentType: 'application/pdf',
      signers: [
        { ...ANA, step: 1 },
        { ...BRUNO, step: 2 },
      ],
      folderId,
      tag: { label: 'job', value },
      expiresAtMs: Date.now() + 86_400_000,
      disableNotifications: true,
    },
    within(),
  );
};

async function signAs(cpf: string, target: SignatureTarget): Promise<boolean> {
  const holder = stage.holder(cpf);
  const toSign = await client.startSignature(target, holder.certificate.der, within());
  if (!toSign.isAccepted) return false;
  const signature = await holder.signHash('sha256', toSign.hash);
  return (await client.completeSignature(target, { token: toSign.token, signature }, within())).isAccepted;
}

const listed = async (folderId: string) =>
  (await Array.fromAsync(client.pendingInFolder(folderId, within()))).flatMap(({ items }) => items);

describe('our own platform', () => {
  test('two people sign a document of a folder at their action URLs', async () => {
    const folderId = await newFolder('Two people');
    const documentId = await newDocument(folderId, 'two-people');
    const [waiting] = await listed(folderId);
    expect(waiting).toMatchObject({
      id: documentId,
      status: 'Pending',
      folderId,
      tags: [{ label: 'job', value: 'two-people' }],
      flowActions: [
        { type: 'Signer', step: 1, status: 'Pending', cpfs: [ANA.cpf], emails: [ANA.email] },
        { type: 'Signer', step: 2, status: 'Created', cpfs: [BRUNO.cpf], completedCpfs: [] },
      ],
    });

    const flowActionId = waiting?.flowActions?.[0]?.id;
    const parts = parseActionUrl(await client.actionUrl(documentId, { cpf: ANA.cpf }, within()));
    expect(parts && (await signAs(ANA.cpf, { ...parts, flowActionId }))).toBe(true);
    const between = await client.readDocument(documentId, within());
    expect(between.flowActions.map(({ status, completedCpfs }) => [status, completedCpfs])).toEqual([
      ['Completed', [ANA.cpf]],
      ['Pending', []],
    ]);

    expect(await signAs(BRUNO.cpf, { documentId })).toBe(true);
    expect(isConcluded(await client.statusOf(documentId, within()))).toBe(true);
    expect(await listed(folderId)).toEqual([]);

    const path = join(folder, 'signed.pdf');
    const downloaded = await client.downloadSigned(documentId, path, within());
    const signed = readFileSync(path);
    expect(downloaded).toEqual({
      length: signed.length,
      fileName: expect.stringMatching(/\.pdf$/),
      contentType: 'application/pdf',
    });
    expect(signed.subarray(0, pdf.length)).toEqual(pdf);
    expect(signed.toString('latin1').match(/\/ByteRange/g)).toHaveLength(2);

    platform.interfere = () => 'cut-short';
    const error = await failureOf(client.downloadSigned(documentId, path, within()));
    expect(error).toBeInstanceOf(PlatformUnreachable);
  });

  test('a document is found by its tag, and its cancellation is read with the reason', async () => {
    const begunAtMs = Date.now();
    const documentId = await newDocument(undefined, 'found');
    const search = { tag: { label: 'job', value: 'found' }, text: BRUNO.cpf, begunAtMs };
    expect(await client.findByTag(search, within())).toEqual([documentId]);
    await client.cancelDocument(documentId, 'No longer needed.', within());
    expect(await client.findByTag(search, within())).toEqual([]);
    expect(await client.findEnded(search, within())).toEqual([documentId]);
    expect(await client.readDocument(documentId, within())).toMatchObject({
      status: 'Canceled',
      statusUpdateReason: 'No longer needed.',
      folderId: null,
    });
    const error = await failureOf(client.actionUrl(documentId, { cpf: ANA.cpf }, within()));
    expect(error).toMatchObject({ status: 422, code: 'InvalidDocumentStatus' });
  });

  test('a streamed upload becomes a document', async () => {
    const stream = Readable.from([pdf.subarray(0, 100), pdf.subarray(100)], { objectMode: false });
    const file = { stream, length: pdf.length, fileName: 'streamed.pdf', contentType: 'application/pdf' };
    const upload = await client.uploadStream(file, within());
    const request = {
      upload,
      contentType: 'application/pdf',
      signers: [{ ...ANA, step: 1 }],
      tag: { label: 'job', value: 'streamed' },
      disableNotifications: true,
    };
    const documentId = await client.createDocument(request, within());
    expect(await signAs(ANA.cpf, { documentId })).toBe(true);
  });

  describe('a file that is too large for a form', () => {
    const large = { bytes: Buffer.alloc(4 * 1024 * 1024 + 1, '%PDF-1.7 '), fileName: 'large.pdf' };
    const named = platformClient({
      address: platform.url.replace('127.0.0.1', 'localhost'),
      apiKey: stage.key,
      requestTimeoutMs: 20_000,
    });

    test('goes to the store of this installation, though it is private and of another name than the platform', async () => {
      vi.stubEnv('Network__AllowPrivateAddresses', 'false');
      const { uploadId } = await named.uploadFile(large, within());
      expect(uploadId).not.toBe('');
      expect(platform.calls.slice(-1)).toEqual(['POST /api/uploads/presigned']);
    });

    test.each([false, true])(
      'goes to a private store of others only where the settings allow it: %s',
      async (allows) => {
        vi.stubEnv('Network__AllowPrivateAddresses', String(allows));
        const others = createServer((_, response) => response.writeHead(507).end()).listen(0, '127.0.0.1');
        const { port } = (await once(others, 'listening').then(() => others.address())) as AddressInfo;
        const body = JSON.stringify({ id: 'a', url: `http://127.0.0.1:${port}/store/a`, headers: {} });
        platform.interfere = () => ({ status: 200, body });
        const { message } = await failureOf(named.uploadFile(large, within()));
        expect(message).toContain(allows ? 'answered 507' : 'not on the public internet');
        others.close();
      },
    );
  });

  test('a folder is read by its id, and one that is not there is none', async () => {
    const folderId = await newFolder('Contracts');
    expect(await client.readFolder(folderId, within())).toEqual({ id: folderId, name: 'Contracts' });
    const missing = '33333333-3333-4333-8333-333333333333';
    expect(await client.readFolder(missing, within())).toBeUndefined();
    expect(await failureOf(client.pendingInFolder(missing, within()).next())).toMatchObject({
      status: 404,
      code: 'FolderNotFound',
    });
  });

  test('a folder of several pages is listed whole, the oldest first', async () => {
    const folderId = await newFolder('Several pages');
    const upload = async () => client.uploadFile({ bytes: Buffer.from('a'), fileName: 'a.txt' }, within());
    const created: string[] = [];
    for (let n = 0; n < 103; n++)
      created.push(
        await client.createDocument(
          {
            upload: await upload(),
            contentType: 'text/plain',
            signers: [{ ...ANA, step: 1 }],
            folderId,
            tag: { label: 'job', value: String(n) },
            disableNotifications: true,
          },
          within(),
        ),
      );
    expect((await listed(folderId)).map(({ id }) => id)).toEqual(created);
  });
});
