import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { SIGNER_QUEUE } from '../../../../functions/batch/external-signer/domain/signer-message.ts';
import { jobs } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { documentItems } from '../../../../functions/documents/domain/document/document.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { deadlineIn } from '../../../../shared/async/deadline.ts';
import { readCertificates } from '../../../../shared/pki/certificates-in.ts';
import { openPkcs12 } from '../../../../shared/pki/pkcs12/open.ts';
import { type PlatformClient, platformClient } from '../../../../shared/platform/client.ts';
import { parseActionUrl } from '../../../../shared/platform/signatures.ts';
import { send } from '../../../../shared/queue/send.ts';
import { localKey } from '../../../../shared/signing/key.ts';
import { batchClient } from '../../../bench/measure/batch-client.ts';
import { joinEngine } from '../../../infra/local/engine/crowd.ts';
import { secondsUntil } from '../../../infra/local/engine/kills/killed-work.ts';
import { type SharedEngine, sharedEngine } from '../../../servers/shared-engine.ts';
import { plainPdf } from '../../../shared/signing/pades/documents.ts';
import { missingTools, openJudges } from '../../../shared/signing/pades/judges.ts';

// The batch service and the document platform of one engine, each reached over HTTP.

const ANA = '52998224725';
const BRUNO = '47363361886';
const GIVE_UP_SECONDS = 60;
const headers = { 'x-api-key': SANDBOX_KEY, 'content-type': 'application/json' };
// Fails in continuous integration where one is missing, and prints elsewhere which.
const hasJudges = missingTools().length === 0;

let engine: SharedEngine;
let client: PlatformClient;
let pdf: Buffer;
let output: Buffer;
beforeAll(async () => {
  engine = await sharedEngine();
  joinEngine(engine.dataDir);
  const access = { address: `${engine.url}/documents`, apiKey: SANDBOX_KEY, requestTimeoutMs: 30_000 };
  client = platformClient(access);
  pdf = await plainPdf('table');
}, 120_000);

const within = () => deadlineIn(60_000, Date.now);

type Shown = { readonly status: string; readonly errorCode: string | null; readonly errorMessage: string };

const showJob = async (id: string): Promise<Shown> =>
  (await (await fetch(`${engine.url}/batch/api/jobs/${id}`, { headers })).json()) as Shown;

/** Waits for a job, with polls that come more often than those of the schedule. */
async function waitFor(id: string, status: string): Promise<Shown> {
  await secondsUntil(async () => {
    const job = await showJob(id);
    if (job.status === status) return true;
    if (job.status === 'AwaitingSigner') await send('batch', SIGNER_QUEUE, { look: 'poll' });
    return false;
  }, GIVE_UP_SECONDS);
  return showJob(id);
}

/** Uploads a file to the profile of the sandbox. Answers its job and its document. */
async function dispatch(name: string): Promise<{ readonly id: string; readonly documentId: string }> {
  const id = await batchClient(engine.url).upload(name, [pdf], '?profile=signer');
  expect(await waitFor(id, 'AwaitingSigner')).toMatchObject({ status: 'AwaitingSigner' });
  const documentId = (await jobs.get(id))?.dispatch?.documentId ?? '';
  return { id, documentId };
}

/** Signs at the action URL of a person, as a browser does: by the key and the ticket in it. */
async function signAs(cpf: string, documentId: string): Promise<void> {
  const { entries } = await openPkcs12(
    readFileSync(join(engine.dataDir, 'pki/holders', `${cpf}.p12`)),
    '1234',
  );
  const [entry] = entries;
  const target = parseActionUrl(await client.actionUrl(documentId, { cpf }, within()));
  if (!entry || !target) throw new Error('The sandbox has such a holder, and the URL both parts.');
  const key = localKey(entry.privateKey, entry.certificate, entry.chain);
  const toSign = await client.startSignature(target, entry.certificate.der, within());
  if (!toSign.isAccepted) throw new Error('The certificate is one that the platform takes.');
  const signature = await key.signHash('sha256', toSign.hash);
  expect(await client.completeSignature(target, { token: toSign.token, signature }, within())).toEqual({
    isAccepted: true,
  });
}

describe('against our own platform over HTTP', () => {
  test('two people sign at their action URLs, and the output is released', async () => {
    const { id, documentId } = await dispatch('own-platform.pdf');
    await signAs(ANA, documentId);
    await signAs(BRUNO, documentId);
    expect(await waitFor(id, 'Completed')).toMatchObject({ status: 'Completed', errorCode: null });
    const answer = await fetch(`${engine.url}/batch/api/jobs/${id}/output`, { headers });
    output = Buffer.from(await answer.arrayBuffer());
    expect(output.subarray(0, pdf.length)).toEqual(pdf);
  });

  test.skipIf(!hasJudges)('the output has two signatures that pdfsig calls valid and trusted', () => {
    const [root] = readCertificates(readFileSync(join(engine.dataDir, 'pki/root.crt')));
    if (!root) throw new Error('The sandbox has a root.');
    const judges = openJudges(root, '-no-ocsp');
    expect(judges.judge(output)).toMatchObject({
      signatures: ['Signature is Valid.', 'Signature is Valid.'],
      certificates: ['Certificate is Trusted.', 'Certificate is Trusted.'],
    });
    judges.close();
  });

  test('a document that is refused, canceled or expires there fails its job with the reason', async () => {
    const [refused, canceled, expired] = await Promise.all([
      dispatch('own-refused.pdf'),
      dispatch('own-canceled.pdf'),
      dispatch('own-expired.pdf'),
    ]);
    const refusal = await fetch(`${engine.url}/documents/api/documents/${refused.documentId}/refusal`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ reason: 'The amount is wrong.', identifier: ANA }),
    });
    expect(refusal.ok).toBe(true);
    await client.cancelDocument(canceled.documentId, 'Replaced.', within());
    const document = await documentItems.get(expired.documentId);
    if (document) await documentItems.change(document, { expiresAtMs: Date.now() - 1 });
    for (const [{ id }, message] of [
      [refused, 'The document is Refused at the external service: The amount is wrong.'],
      [canceled, 'The document is Canceled at the external service: Replaced.'],
      [expired, expect.stringContaining('The document is Expired at the external service')],
    ] as const)
      expect(await waitFor(id, 'Failed')).toMatchObject({
        status: 'Failed',
        errorCode: 'signer.document-rejected',
        errorMessage: message,
      });
  });

  test('a job that is canceled here is canceled there', async () => {
    const { id, documentId } = await dispatch('own-cancel.pdf');
    const answer = await fetch(`${engine.url}/batch/api/jobs/${id}/cancel`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ reason: 'Wrong file.' }),
    });
    expect(answer.status).toBe(200);
    const isOver = async () => (await jobs.get(id))?.dispatch?.isCanceledThere === true;
    await secondsUntil(isOver, GIVE_UP_SECONDS);
    expect(await client.readDocument(documentId, within())).toMatchObject({
      status: 'Canceled',
      statusUpdateReason: 'Canceled by operator: Wrong file.',
    });
  });
}, 120_000);
