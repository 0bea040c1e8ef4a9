import type { SQSEvent } from 'aws-lambda';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { TASKS_QUEUE, type Task } from '../../../../functions/credentials/flows/domain/tasks.ts';
import { type Item, signedKey } from '../../../../functions/credentials/items/domain/item.ts';
import { platform as client } from '../../../../functions/credentials/platform.ts';
import { handler as runTask } from '../../../../functions/credentials/workers/run-task.ts';
import { deadlineIn } from '../../../../shared/async/deadline.ts';
import { parseActionUrl } from '../../../../shared/platform/signatures.ts';
import { sendDueMessages } from '../../../../shared/queue/outbox.ts';
import { scheduleHandler } from '../../../../shared/queue/schedule.ts';
import { type Platform, servePlatform } from '../../../platform-server.ts';
import { hasXmlsec, xmlsec } from '../../../shared/signing/xades/xmlsec.ts';
import { type Stage, signingStage } from '../../documents/endpoints/signing/stage.ts';
import { drainQueue } from '../../drain-queue.ts';
import { ownStores } from '../../own-stores.ts';
import {
  ANA,
  BRUNO,
  degreeOf,
  emissionOf,
  foundRegistry,
  missingFilesOf,
  requestOf,
  shown,
  textOf,
} from './registry-stage.ts';

// The document platform's own functions behind a real server. The worker hands files over and takes them back.

const LATER_MS = 600_000;

let stopStores: () => Promise<void>;
let stage: Stage;
let platform: Platform;
beforeAll(async () => {
  stopStores = await ownStores();
  stage = await signingStage();
  platform = await servePlatform();
  vi.stubEnv('Signer__BaseAddress', platform.url);
  vi.stubEnv('Signer__ApiKey', stage.key);
});
afterAll(async () => {
  platform.stop();
  stage.stop();
  await stopStores();
});

const within = () => deadlineIn(60_000, Date.now);

const drain = () =>
  drainQueue<Task>('credentials', TASKS_QUEUE, runTask as (event: SQSEvent) => ReturnType<typeof runTask>);
const later = () => Date.now() + LATER_MS;
const sweep = scheduleHandler('credentials', 'send-due', sendDueMessages('credentials'), later);

/** Runs the tasks that are on the queue, then those that wait for the next look. Answers their names. */
async function runTasks(): Promise<string[]> {
  const sent = await drain();
  await sweep();
  return [...sent, ...(await drain())].map(({ task }) => task);
}

async function signAs({ cpf }: { readonly cpf: string }, documentId: string): Promise<void> {
  const target = parseActionUrl(await client.actionUrl(documentId, { cpf }, within()));
  if (!target) throw new Error('An action URL has both parts.');
  const holder = stage.holder(cpf);
  const toSign = await client.startSignature(target, holder.certificate.der, within());
  if (!toSign.isAccepted) throw new Error('The platform takes the certificate.');
  const signature = await holder.signHash('sha256', toSign.hash);
  const done = await client.completeSignature(target, { token: toSign.token, signature }, within());
  expect(done).toEqual({ isAccepted: true });
}

const documentOf = ({ files }: Item, name: string): string =>
  files.find((file) => file.name === name)?.document?.id ?? '';

const creations = (): number => platform.calls.filter((call) => call === 'POST /api/documents').length;

test('two people of the issuer sign the documentation, two of the registrar the diploma: each once, and the degree has both', async () => {
  const registry = await foundRegistry();
  const { id: emissionId } = await registry.created();
  await runTasks();
  const emission = await emissionOf(emissionId);
  const documentation = documentOf(emission, 'academic-documentation');
  await signAs(ANA, documentation);
  await runTasks();
  expect((await emissionOf(emissionId)).state).toBe('Created');
  await signAs(BRUNO, documentation);
  await runTasks();
  expect((await emissionOf(emissionId)).state).toBe('Signed');

  const { registrationId } = (await registry.send(emissionId)).data;
  const requestId = registrationId ?? '';
  await registry.act(requestId, 'accepted');
  await registry.act(requestId, 'approved');
  await runTasks();
  expect(creations()).toBe(1);
  await registry.act(requestId, 'registered');
  await runTasks();
  const diploma = documentOf(await requestOf(requestId), 'diploma');
  await signAs(ANA, diploma);
  await signAs(BRUNO, diploma);
  await runTasks();

  expect(await shown(emissionId)).toEqual({
    ...{ emission: 'Registered', registrationStatus: 'Signed', request: 'Signed', degree: 'Concluded' },
  });
  // The look for timestamps of the degree's files: there are none to expire.
  expect(await runTasks()).toEqual(['restampFile', 'restampFile']);
  expect(await runTasks()).toEqual([]);
  expect(creations()).toBe(2);
  const degree = await degreeOf((await emissionOf(emissionId)).data.degreeId ?? '');
  expect(degree.files.map(({ name, document }) => [name, document?.id])).toEqual([
    ['diploma', diploma],
    ['academic-documentation', documentation],
  ]);
  expect(await missingFilesOf(degree)).toEqual([]);
  const signed = await Promise.all(
    degree.files.map(({ name, signed }) => signed && textOf(signedKey(degree, name, signed))),
  );
  expect(signed.map((text) => text?.match(/<ds:SignatureValue/g)?.length)).toEqual([2, 2]);
  if (!hasXmlsec) return;
  const judge = xmlsec({
    root: { certificate: stage.root },
    intermediate: { certificate: stage.intermediate },
  });
  for (const text of signed) {
    const ids = [...(text ?? '').matchAll(/<ds:Signature [^>]*Id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toHaveLength(2);
    for (const signatureId of ids)
      expect(judge.judge(Buffer.from(text ?? ''), { ...(signatureId && { signatureId }) })).toBe('OK');
  }
  judge.remove();
});
