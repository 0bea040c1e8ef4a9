import { expect, test } from 'vitest';
import { type Item, signedKey } from '../../../../functions/credentials/items/domain/item.ts';
import { signerOf } from '../../../../functions/sandbox/authority/domain/authority.ts';
import { forFile } from '../../../runner/for-file.ts';
import { hasXmlsec, xmlsec } from '../../../shared/signing/xades/xmlsec.ts';
import { flowStage } from '../flows/stage.ts';
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

const stage = await forFile(flowStage());

/** Runs the tasks that are on the queue, then those that wait for the next look. Answers their names. */
async function runTasks(): Promise<string[]> {
  const sent = await stage.run();
  await stage.sweep(LATER_MS);
  return [...sent, ...(await stage.run())];
}

const documentOf = ({ files }: Item, name: string): string =>
  files.find((file) => file.name === name)?.document?.id ?? '';

const creations = (): number => stage.platform.calls.filter((call) => call === 'POST /api/documents').length;

test('two people of the issuer sign the documentation, two of the registrar the diploma: each once, and the degree has both', async () => {
  const registry = await foundRegistry();
  const { id: emissionId } = await registry.created();
  await runTasks();
  const emission = await emissionOf(emissionId);
  const documentation = documentOf(emission, 'academic-documentation');
  await stage.sign(documentation, ANA.cpf);
  await runTasks();
  expect((await emissionOf(emissionId)).state).toBe('Created');
  await stage.sign(documentation, BRUNO.cpf);
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
  await stage.sign(diploma, ANA.cpf);
  await stage.sign(diploma, BRUNO.cpf);
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
    root: signerOf(stage.sandbox.authority, 'root'),
    intermediate: signerOf(stage.sandbox.authority, 'intermediate'),
  });
  for (const text of signed) {
    const ids = [...(text ?? '').matchAll(/<ds:Signature [^>]*Id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toHaveLength(2);
    for (const signatureId of ids)
      expect(judge.judge(Buffer.from(text ?? ''), { ...(signatureId && { signatureId }) })).toBe('OK');
  }
  judge.remove();
});
