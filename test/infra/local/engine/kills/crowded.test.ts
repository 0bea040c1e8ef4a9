import { afterAll, expect, test } from 'vitest';
import { plainPdf } from '../../../../shared/signing/pades/documents.ts';
import { digitsWithoutEnd } from '../../../../shared/signing/pades/hostile-files.ts';
import {
  type Answers,
  callers,
  createDocument,
  joinEngine,
  newApplication,
  openContent,
  slowUploads,
} from '../crowd.ts';
import { cleanUp, startEngineProcess } from '../engine-process.ts';

afterAll(cleanUp);

const statuses = (...all: Answers[]): number[] =>
  [...new Set(all.flatMap((answers) => [...answers.keys()]))].toSorted();

//   uploads   |--230 bodies that trickle ---------------------------------------|
//   drawings  |--12 PDFs that are read for ever --------------------------------|
//   callers   |--200 that ask again as soon as they are answered ---------------|
//   fourth         |--its calls, one after another: each is served--|
test('one caller cannot starve others: a fourth application is served beside three that flood the engine', {
  timeout: 180_000,
}, async () => {
  const engine = await startEngineProcess({ env: { Http__BodyWindow: '4' } });
  await engine.ready();
  joinEngine(engine.dataDir);
  const [uploader, drawer, caller, fourth] = await Promise.all(
    ['uploader', 'drawer', 'caller', 'fourth'].map(newApplication),
  );
  if (!uploader || !drawer || !caller || !fourth) throw new Error('unreachable');
  const hostile = await createDocument(engine, drawer, digitsWithoutEnd());
  const list = (key: string, signal?: AbortSignal) =>
    fetch(`${engine.url}/documents/api/documents?limit=10`, {
      headers: { 'x-api-key': key },
      signal: signal ?? null,
    });

  const headers = { 'x-api-key': fourth.key };
  const create = () =>
    fetch(`${engine.url}/session/v1/sessions`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ cpf: '47363361886', pin: '1234' }),
    });

  const uploads = slowUploads(engine, uploader, 230);
  const drawings = callers((signal) => openContent(engine, drawer, hostile, 'OriginalWithMarks', signal), 12);
  const lists = callers((signal) => list(caller.key, signal), 200);
  // All three are at it: some of each have been refused or are held.
  await expect.poll(() => uploads.open()).toBeGreaterThan(100);
  await expect.poll(() => statuses(uploads.answers, drawings.answers)).toContain(429);
  await expect.poll(() => lists.answers.get(200) ?? 0).toBeGreaterThan(20);

  const served: number[] = [];
  for (let round = 0; round < 2; round++) {
    const status = await fetch(`${engine.url}/session/v1/sessions/status?sessionId=none`, { headers });
    const created = await create();
    const document = await createDocument(engine, fourth, await plainPdf('table'));
    const contents = [];
    for (const type of ['SignaturesManifest', 'OriginalWithMarks'])
      contents.push(await openContent(engine, fourth, document, type));
    const all = [status, created, await list(fourth.key), ...contents];
    for (const answer of all) await answer.arrayBuffer();
    served.push(...all.map((answer) => answer.status));
  }
  expect(served).toEqual(Array(2).fill([200, 201, 200, 200, 200]).flat());

  uploads.stop();
  await Promise.all([drawings.stop(), lists.stop()]);
  // And those who flood are refused, each in its own way, but nothing fails.
  expect(statuses(uploads.answers).filter((status) => ![408, 429].includes(status))).toEqual([]);
  expect(statuses(drawings.answers).filter((status) => ![422, 429].includes(status))).toEqual([]);
  expect(statuses(lists.answers).filter((status) => ![200, 429].includes(status))).toEqual([]);
});
