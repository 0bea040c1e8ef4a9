import { createHash } from 'node:crypto';
import { PDFDocument } from 'pdf-lib';
import { afterAll, expect, test } from 'vitest';
import type { Document } from '../../../../functions/documents/domain/document/document.ts';
import {
  type Evidence,
  evidences,
  evidencesOf,
} from '../../../../functions/documents/domain/document/evidence.ts';
import { requestCodesByLink } from '../../../../functions/documents/domain/electronic/signers.ts';
import { concludeDocument } from '../../../../functions/documents/domain/ending/conclude-document.ts';
import { approveDocument } from '../../../../functions/documents/domain/signing/approve-or-refuse.ts';
import { handler as deleteDocument } from '../../../../functions/documents/endpoints/documents/delete-document.ts';
import { handler as getContent } from '../../../../functions/documents/endpoints/downloads/get-content.ts';
import { signerOf } from '../../../../functions/sandbox/authority/domain/authority.ts';
import { files } from '../../../../shared/files/files.ts';
import { readPartition } from '../../../../shared/store/partition.ts';
import { killedAt } from '../../../faults/crash.ts';
import { call } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { missingTools, openJudges } from '../../../shared/signing/pades/judges.ts';
import { ownStores } from '../../own-stores.ts';
import { sign } from '../endpoints/signing/calls.ts';
import { current, signedBytes } from '../endpoints/signing/pending-document.ts';
import { imageOf, pagesOf } from '../pdf-reader.ts';
import { callerFor } from '../sample-documents.ts';
import { recordedEventsOf, registerSilentWebhook } from '../stage/recorded-events.ts';
import { runTasks, runTasksAt } from '../stage/run-tasks.ts';
import { askingForAll, beginWithAll, codesOfAll } from './all-factors.ts';
import { electronic, electronicStage, type Link } from './stage.ts';

await forFile(ownStores());
const stage = await forFile(electronicStage());
const root = signerOf(stage.sandbox.authority, 'root').certificate;
const judges = missingTools().length === 0 ? openJudges(root, '-no-ocsp') : undefined;
afterAll(() => judges?.close());
const PDF = { contentType: 'application/pdf' };
const VALID = { signatures: ['Signature is Valid.'], coverage: ['Total document signed'] };
const pdfsig = (bytes: Buffer) => judges?.judge(bytes) ?? { ...VALID, certificates: [], complaints: '' };

const textOf = (bytes: Buffer): string => pagesOf(bytes).join(' ').replaceAll(/\s+/g, ' ');

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const BIA = electronic({ step: 2 }, { name: 'Bia Lima', identifier: null, email: 'bia@sandbox.example' });

async function signed(link: Link): Promise<void> {
  await requestCodesByLink(link, Date.now);
  const answer = await stage.signByKey(link, { emailCode: await stage.mailedCode() });
  if (answer.status !== 200) throw new Error(answer.text);
}

/** A concluded document that Ana signed by a code. */
async function concluded(): Promise<string> {
  const link = await stage.invited();
  await signed(link);
  await runTasks();
  return link.id;
}

test('the final file is sealed, has an evidence page, and says who signed and how', async () => {
  const id = await concluded();
  const document = await current({ id });
  expect([document.state, document.signed?.revision]).toEqual(['Concluded', 1]);
  const bytes = await signedBytes({ id });
  const pages = (await PDFDocument.load(stage.pdf)).getPageCount() + 1;
  expect((await PDFDocument.load(bytes)).getPageCount()).toBe(pages);
  expect(pdfsig(bytes)).toMatchObject({ ...VALID, complaints: '' });
  const text = textOf(bytes);
  expect(text).toContain('Assinatura eletrônica simples');
  expect(text).toContain('código enviado a a***@sandbox.example');
  expect(text).toContain('art. 4º, I, da Lei 14.063/2020');
  expect(text).not.toContain('Assinatura digital');
  expect(await stage.signers(id)).toMatchObject([
    {
      isElectronic: true,
      signatureType: 'Simple',
      subjectName: 'Ana Souza',
      outcome: 'valid',
      evidences: {
        ipAddress: '203.0.113.7',
        userAgent: 'Test/1',
        authenticationTypes: ['Email'],
        authenticatedEmail: 'ana@sandbox.example',
        signatureType: 'Simple',
      },
    },
    { isElectronic: false, signatureType: null, outcome: 'valid', evidences: null },
  ]);
});

test('each evidence holds the hash of the one before, the document and the seal that of the last', async () => {
  const link = await stage.invited([electronic(), BIA]);
  await signed(link);
  const position = { page: 1, x: 60, y: 40, width: 200, height: 60 };
  const image = await stage.upload(PNG);
  const bia = await stage.linkFor(link.id, { emailAddress: 'bia@sandbox.example' });
  const geolocation = { latitude: -23.55, longitude: -46.63, accuracy: 20 };
  const answer = await stage.signByKey(bia, {
    signatureImage: { id: image },
    signaturePosition: position,
    evidences: { geolocation },
    userTimeZoneOffset: -180,
  });
  expect(answer.status).toBe(200);
  await runTasks();

  const document = await current(link);
  const chain = await evidencesOf(document);
  const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
  let previous: string | null = null;
  for (const [index, { text }] of chain.entries()) {
    expect(JSON.parse(text)).toMatchObject({
      documentId: link.id,
      sequence: index + 1,
      previousSha256: previous,
      shownFile: { sha256: sha256(stage.pdf) },
    });
    previous = sha256(text);
  }
  expect(chain).toHaveLength(2);
  expect(JSON.parse(chain[1]?.text ?? '')).toMatchObject({
    geolocation,
    userTimeZoneOffset: -180,
    signatureImageSha256: sha256(PNG),
  });
  expect(document.evidence).toEqual({ sequence: 2, sha256: previous });
  const bytes = await signedBytes(link);
  expect(bytes.toString('latin1')).toContain(`(Selo ${previous})`);
  expect(textOf(bytes)).toContain('Assinado eletronicamente por');
});

/** The bytes with one of them changed, at a place that a reader does not need to open the file. */
function altered(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}

test('one altered byte of the sealed file or of its evidence page is found by our verifier and by pdfsig', async () => {
  const id = await concluded();
  const { signed: file } = await current({ id });
  const bytes = await signedBytes({ id });
  // pdf-lib writes the pages that were added after those of the original: the last stream before the seal.
  const seal = bytes.lastIndexOf('/Type/Sig');
  const evidencePage =
    bytes.subarray(0, seal).lastIndexOf('stream\n', bytes.lastIndexOf('endstream', seal)) + 40;
  const content = bytes.indexOf('stream') + 20;
  for (const at of [content, evidencePage, bytes.indexOf('/Reason', seal) + 12]) {
    const forged = altered(bytes, at);
    expect([at, pdfsig(forged).signatures]).not.toEqual([at, VALID.signatures]);
    await files('documents').put(file?.key ?? '', forged, PDF);
    // A file that cannot be read any more has no signers.
    const outcomes = (await stage.signers(id))?.map(({ outcome }) => outcome);
    expect([at, outcomes ?? 'unreadable']).not.toEqual([at, expect.arrayContaining(['valid'])]);
  }
  await files('documents').put(file?.key ?? '', bytes, PDF);
  expect((await stage.signers(id))?.[0]?.outcome).toBe('valid');
});

const FORGERIES: Readonly<Record<string, (chain: readonly Evidence[]) => Promise<unknown>>> = {
  'a byte of its text': async ([first]) =>
    first && evidences.put({ ...first, text: first.text.replace('203.0.113.7', '203.0.113.8') }),
  'its text and its hash': async ([first]) => {
    const text = first?.text.replace('203.0.113.7', '203.0.113.8') ?? '';
    return (
      first && evidences.put({ ...first, text, sha256: createHash('sha256').update(text).digest('hex') })
    );
  },
  'all of it': async ([first]) => {
    const stored = first && (await evidences.get(first));
    return stored && evidences.delete(stored);
  },
};

test.each(Object.entries(FORGERIES))('a recorded evidence that lost %s is found', async (_, forge) => {
  const id = await concluded();
  await forge(await evidencesOf(await current({ id })));
  const [ana] = (await stage.signers(id)) ?? [];
  expect([ana?.outcome, ana?.validationResults.errors.length]).toEqual(['invalid', 1]);
});

test('an evidence that was altered before the conclusion is not sealed', async () => {
  const link = await stage.invited();
  await signed(link);
  const [evidence] = await evidencesOf(await current(link));
  await FORGERIES['a byte of its text']?.(evidence ? [evidence] : []);
  await expect(concludeDocument(link.id, Date.now())).rejects.toThrow(/not sealed: Evidence 1 was changed/);
  expect((await current(link)).state).toBe('FlowConcluded');
  if (evidence) await evidences.put(evidence);
  await runTasks();
  expect((await current(link)).state).toBe('Concluded');
});

test('beside signatures with certificates the seal is one signature more, and breaks none', async () => {
  const certified = { type: 'Signer', user: { name: 'Caio', identifier: '47363361886' } };
  for (const isFirst of [true, false]) {
    const flow = [electronic({ step: isFirst ? 1 : 2 }), { ...certified, step: isFirst ? 2 : 1 }];
    const id = await stage.document(flow);
    const electronically = async () => {
      const answer = await stage.signByKey(await stage.linkFor(id));
      expect([answer.status, answer.text]).toEqual([200, '']);
    };
    if (isFirst) await electronically();
    expect((await sign(stage.key, { id }, stage.holder('47363361886'))).json()).toMatchObject({
      success: true,
    });
    if (!isFirst) await electronically();
    await runTasks();
    const bytes = await signedBytes({ id });
    expect(pdfsig(bytes).signatures).toEqual(
      judges ? Array(2).fill('Signature is Valid.') : VALID.signatures,
    );
    const signers = await stage.signers(id);
    expect(signers?.map(({ outcome, isElectronic, isSeal }) => [outcome, isElectronic, isSeal])).toEqual([
      ['valid', true, false],
      ['valid', false, false],
      ['valid', false, true],
    ]);
    const manifest = await call(getContent, {
      params: { id },
      headers: stage.headers,
      query: { type: 'SignaturesManifest' },
    });
    const text = textOf(manifest.bytes);
    expect(text).toContain('Assinatura eletrônica simples');
    expect(text).toContain('Assinatura digital');
  }
});

test('who signed electronically or approved is shown in a file that certificates signed, at their places', async () => {
  const placeAt = (y: number, page = 1) => ({
    prePositionedMarks: [{ page, x: 50, y, width: 220, height: 60 }],
  });
  const certified = { type: 'Signer', user: { name: 'Caio', identifier: '47363361886' }, ...placeAt(100) };
  const approver = { type: 'Approver', user: { name: 'Dora Reis', email: 'dora@sandbox.example' } };
  const rui = { name: 'Rui Dias', identifier: null, email: 'rui@sandbox.example' };
  for (const isFirst of [true, false]) {
    const order = (first: boolean) => ({ step: first === isFirst ? 1 : 2 });
    const id = await stage.document([
      electronic({ ...order(true), ...placeAt(200) }),
      // On no page: the others are shown, and the document concludes.
      electronic({ ...order(true), ...placeAt(5_000) }, rui),
      { ...approver, ...order(true), ...placeAt(300) },
      { ...certified, ...order(false) },
    ]);
    const electronically = async () => {
      const signatureImage = { id: await stage.upload(PNG) };
      await stage.signByKey(await stage.linkFor(id), { signatureImage });
      await stage.signByKey(await stage.linkFor(id, { emailAddress: rui.email }));
      const by = { identifier: null, emailAddress: approver.user.email };
      await approveDocument(callerFor(stage.orgId), id, by, Date.now());
    };
    if (isFirst) await electronically();
    await sign(stage.key, { id }, stage.holder('47363361886'));
    if (!isFirst) await electronically();
    await runTasks();
    const bytes = await signedBytes({ id });
    const text = textOf(bytes).replace(/\s+/g, ' ');
    for (const shown of ['Assinado eletronicamente por Ana Souza', 'Aprovado por Dora Reis'])
      expect(text).toContain(shown);
    expect(text).toContain('Assinado digitalmente por');
    expect(text).not.toContain('Rui Dias');
    const { signatures } = pdfsig(bytes);
    // pdfsig tells the seal once for each of its places.
    expect(signatures).toEqual(judges ? Array(3).fill('Signature is Valid.') : VALID.signatures);
    expect((await stage.signers(id))?.map(({ outcome }) => outcome)).toEqual(Array(4).fill('valid'));
    // The image of the signature is a square of one color.
    expect(imageOf(bytes, 1).at(95, 230)).toBeLessThan(250);
  }
});

test('evidences and images go with their document', async () => {
  const id = await stage.document([electronic(), BIA]);
  const signatureImage = { id: await stage.upload(PNG) };
  await stage.signByKey(await stage.linkFor(id), { signatureImage });
  const [evidence] = await evidencesOf(await current({ id }));
  expect(await files('documents').read(evidence?.imageKey ?? '', 1_000)).toEqual(PNG);
  await call(deleteDocument, { method: 'DELETE', params: { id }, headers: stage.headers });
  await runTasks();
  expect(await readPartition('documents', `DOCUMENT#${id}`)).toEqual([]);
  expect((await files('documents').list(`documents/${id}/`)).files).toEqual([]);
});

// Every factor is asked for: mail, SMS, an app that is set up here, the face. Killed after each write until the last code is on
// its way; then the person begins again: one signature, whatever of the first try is left.
test('killed at any write before the codes are sent: the person begins again, and signs once', async () => {
  let writes = 0;
  for (let write = 1; ; write++) {
    const link = await stage.invited([askingForAll(), BIA]);
    const begin = () => beginWithAll(stage, link);
    const isKilled = await killedAt(write, 'after', begin);
    if (isKilled) await begin();
    const answer = await stage.signByKey(link, await codesOfAll(stage, link));
    const { state, flow, evidence } = await current(link);
    expect([write, answer.text, state, flow[0]?.completions.length, evidence?.sequence]).toEqual([
      ...[write, '', 'Pending', 1, 1],
    ]);
    if (!isKilled) break;
    writes = write;
  }
  expect(writes).toBeGreaterThan(3);
});

// Killed after each write from the signature to the conclusion. Then another process sweeps, and the person tries again: there
// is one signature, one evidence, one app, one sealed file and each event once.
test('killed at any write between the codes and the conclusion: one signature, sealed once', async () => {
  await registerSilentWebhook(stage.orgId);
  const typesOf = async (id: string) =>
    (await recordedEventsOf(stage.orgId))
      .filter(({ data }) => (data as unknown as Document).id === id)
      .map(({ type }) => type);
  const signatureImage = { id: await stage.upload(PNG) };
  let writes = 0;
  for (let write = 1; ; write++) {
    const link = await stage.invited([askingForAll()]);
    const { id } = link;
    await beginWithAll(stage, link);
    const codes = await codesOfAll(stage, link);
    const act = () => stage.signByKey(link, { ...codes, signatureImage });
    const isKilled = await killedAt(write, 'after', async () => {
      await act();
      await runTasks();
    });
    await runTasksAt(Date.now() + 600_000);
    if ((await current({ id })).state === 'Pending') expect((await act()).status).toBe(200);
    await runTasksAt(Date.now() + 600_000);
    const { state, flow, evidence, signed: file } = await current({ id });
    const result = [state, flow[0]?.completions.length, evidence?.sequence, file?.revision];
    expect([write, ...result]).toEqual([write, 'Concluded', 1, 1, 1]);
    expect([write, await typesOf(id)]).toEqual([write, ['DocumentSigned', 'DocumentConcluded']]);
    expect(await stage.signers(id)).toMatchObject([
      {
        outcome: 'valid',
        evidences: { authenticationTypes: ['Email', 'SMS', 'AuthenticatorApp', 'Liveness'] },
      },
      { outcome: 'valid' },
    ]);
    if (!isKilled) break;
    writes = write;
  }
  expect(writes).toBeGreaterThan(3);
});
