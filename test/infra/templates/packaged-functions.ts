import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SQSHandler } from 'aws-lambda';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { createJudge } from '../../../shared/pki/verdict/verdict.ts';
import { verifyPdf } from '../../../shared/signing/pades/verify/verify-pdf.ts';
import { verifyXades } from '../../../shared/signing/xades/verify/verify.ts';
import {
  certificateOf,
  type StartResponse,
  signatureBy,
} from '../../functions/documents/endpoints/signing/calls.ts';
import {
  current,
  pendingDocument,
  signedBytes,
  signer,
} from '../../functions/documents/endpoints/signing/pending-document.ts';
import { type Stage, signingStage } from '../../functions/documents/endpoints/signing/stage.ts';
import { call, lambdaContext } from '../../requests/http-event.ts';
import { plainPdf } from '../../shared/signing/pades/documents.ts';

const CPF = '52998224725';
const XML = Buffer.from('<?xml version="1.0"?><nota xmlns="urn:x"><valor>10</valor></nota>');

let [root, unpacked] = ['', ''];
let stage: Stage;

/** A function as Lambda has it: what its own zip holds, in a folder of its own, and nothing else. */
async function packaged<Handler = Endpoint>(name: string): Promise<Handler> {
  const files = unzipSync(await readFile(join(root, `dist/documents.${name}.zip`)));
  for (const [path, bytes] of Object.entries(files)) {
    const file = join(unpacked, name, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, bytes);
  }
  const own = join(unpacked, name, `dist/documents/${name}.mjs`);
  return ((await import(pathToFileURL(own).href)) as { handler: Handler }).handler;
}

const context = () => ({
  judge: createJudge({ anchors: [stage.root], revocation: 'skip' }),
  atMs: Date.now(),
});

async function signed(bytes: Uint8Array, contentType: string) {
  const document = await pendingDocument({
    organizationId: stage.orgId,
    bytes,
    contentType,
    flow: [signer(CPF)],
  });
  const [start, complete] = [await packaged('start-signature'), await packaged('complete-signature')];
  const ask = (handler: Endpoint, json: unknown) =>
    call(handler, { params: { id: document.id }, headers: { 'X-API-Key': stage.key }, json });
  const holder = stage.holder(CPF);
  const started = (await ask(start, { certificate: certificateOf(holder) })).json() as StartResponse;
  const signature = await signatureBy(holder, started);
  expect((await ask(complete, { token: started.token, signature })).json()).toMatchObject({ success: true });
  return document;
}

/** Tests of the functions of documents in the artifacts of a build. */
export function packagedFunctionRules(rootOf: () => string): void {
  beforeAll(async () => {
    root = rootOf();
    stage = await signingStage();
    unpacked = await mkdtemp(join(tmpdir(), 'sinete-unpacked-'));
  });

  afterAll(async () => {
    await rm(unpacked, { recursive: true, force: true });
    stage.stop();
  });

  test.each([
    ['XML', async () => XML, 'application/xml', verifyXades],
    ['a PDF', () => plainPdf('table'), 'application/pdf', verifyPdf],
  ] as const)('sign %s, and hold it against what was recorded', async (_, bytes, contentType, verify) => {
    const document = await signed(await bytes(), contentType);
    expect(await verify(await signedBytes(document), context())).toMatchObject({ valid: true });

    const conclude = await packaged<SQSHandler>('run-task');
    const body = JSON.stringify({ task: 'conclude', documentId: document.id });
    const records = { Records: [{ messageId: document.id, body, messageAttributes: {}, attributes: {} }] };
    const ended = await conclude(records as never, lambdaContext(), () => {});
    expect(ended).toEqual({ batchItemFailures: [] });
    expect((await current(document)).state).toBe('Concluded');
  });

  test.each(['get-content', 'get-content-b64'])('draw a manifest: %s', async (name) => {
    const document = await pendingDocument({
      organizationId: stage.orgId,
      bytes: await plainPdf('table'),
      flow: [signer(CPF)],
    });
    const answer = await call(await packaged(name), {
      params: { id: document.id },
      query: { type: 'SignaturesManifest' },
      headers: { 'X-API-Key': stage.key },
    });
    expect(answer.status).toBe(200);
    const pdf =
      name === 'get-content'
        ? answer.bytes
        : Buffer.from((answer.json() as { bytes: string }).bytes, 'base64');
    expect(pdf.toString('latin1', 0, 5)).toBe('%PDF-');
  });
}
