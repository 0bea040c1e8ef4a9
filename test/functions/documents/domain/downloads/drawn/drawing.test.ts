import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { PDFDocument, PDFName } from 'pdf-lib';
import { describe, expect, test } from 'vitest';
import { draw } from '../../../../../../functions/documents/domain/downloads/drawn/draw.ts';
import type { Manifest } from '../../../../../../functions/documents/domain/downloads/drawn/draw-request.ts';
import { NotDrawable } from '../../../../../../functions/documents/domain/downloads/drawn/original.ts';
import { drawInWorker } from '../../../../../../functions/documents/domain/downloads/drawn/worker-pool.ts';
import { runs } from '../../../../../faults/fuzz.ts';
import { buildPdf, ONE_PAGE, plainPdf, throughQpdf } from '../../../../../shared/signing/pades/documents.ts';
import { digitsWithoutEnd, HOSTILE } from '../../../../../shared/signing/pades/hostile-files.ts';
import { canReadPdfs } from '../../../pdf-reader.ts';
import { markOn, SIGNED_AT_MS } from '../../../sample-flow.ts';

// For what always ends: only a hang takes as long, on a machine that is busy too.
const PATIENCE_MS = 100_000;

const optionsOf = (organizationId: string) => ({
  organizationId,
  deadlineAtMs: Number.POSITIVE_INFINITY,
  now: Date.now,
});
const mark = { title: 'Assinado por', name: 'Maria', detail: 'hoje', place: markOn(1) };
const orderOn = (original: Buffer) =>
  ({ kind: 'marked', original, marks: [mark], title: 'Contrato', atMs: SIGNED_AT_MS }) as const;
const onto = (original: Buffer, timeoutMs = PATIENCE_MS) =>
  drawInWorker(orderOn(original), timeoutMs, optionsOf('one'));

// Decompression bomb: valid, but it unpacks to more than 64 MB of blanks after an object of eight bytes.
const bomb = (): Buffer => {
  const blanks = Buffer.alloc(70_000_000, ' ');
  blanks.write('9 0 <<>>');
  const packed = deflateSync(blanks).toString('latin1');
  return buildPdf({
    ...ONE_PAGE,
    6: `<</Type/Obj#53tm/N 1/First 4/Filter/FlateDecode/Length ${packed.length}>>\nstream\n${packed}\nendstream`,
  });
};

const withMetadata = (size: number): Buffer => {
  const packed = deflateSync(Buffer.alloc(size, ' ')).toString('latin1');
  return buildPdf({
    ...ONE_PAGE,
    1: '<</Type/Catalog/Pages 2 0 R/Metadata 6 0 R>>',
    6: `<</Type/Metadata/Subtype/XML/Filter/FlateDecode/Length ${packed.length}>>\nstream\n${packed}\nendstream`,
  });
};

const endlessTree = (): Buffer => {
  const branch = (at: number) => `<</Type/Pages/Parent 2 0 R/Kids[${at} 0 R ${at} 0 R]/Count 2>>`;
  const branches = Array.from({ length: 40 }, (_, at) => [10 + at, branch(11 + at)] as const);
  return buildPdf({ ...ONE_PAGE, 2: branch(10), ...Object.fromEntries(branches), 50: ONE_PAGE[3] });
};

describe('drawing on files that others made', () => {
  test('gives a PDF with the pages of a sound one', async () => {
    const drawing = await onto(await plainPdf('streams'));
    expect('bytes' in drawing && Buffer.from(drawing.bytes).toString('latin1', 0, 5)).toBe('%PDF-');
  });

  test.skipIf(!canReadPdfs())('tells an encrypted one', async () => {
    const encrypted = async (kind: 'table' | 'streams') =>
      throughQpdf(await plainPdf(kind), '--encrypt', '', 'owner', '256', '--');
    expect(await onto(await encrypted('streams'))).toEqual({ notDrawn: 'encrypted' });
    const drawn = draw(orderOn(await encrypted('table')));
    await expect(drawn).rejects.toMatchObject({ name: 'NotDrawable', reason: 'encrypted' });
  });

  test.each([
    ['that ends in the middle', async () => (await plainPdf('table')).subarray(0, 700)],
    ['without pages', async () => buildPdf({ ...ONE_PAGE, 2: '<</Type/Pages/Kids[]/Count 0>>' })],
    [
      'whose page says not how large it is',
      async () => buildPdf({ ...ONE_PAGE, 3: '<</Type/Page/Parent 2 0 R>>' }),
    ],
    ['that is none', async () => Buffer.from('%PDF-1.7 nothing else')],
  ])('tells a broken one, %s', async (_, make) => {
    await expect(draw(orderOn(await make()))).rejects.toMatchObject({
      name: 'NotDrawable',
      reason: 'broken',
    });
  });

  test.each([
    ['that is a few bytes of structure for gigabytes', bomb],
    ['whose pages are too many to be counted', endlessTree],
  ])('tells a broken one, %s', async (_, make) => {
    expect(await onto(make())).toEqual({ notDrawn: 'broken' });
  });

  test.each([
    ['keeps', 1_000_000, true],
    ['leaves out', 2_000_000, false],
  ])('%s metadata that unpacks to %i bytes', async (_, size, kept) => {
    const drawn = Buffer.from(await draw(orderOn(withMetadata(size))));
    expect((await PDFDocument.load(drawn)).catalog.has(PDFName.of('Metadata'))).toBe(kept);
  });

  test('leaves one that would be read for ever, and keeps nobody waiting meanwhile', async () => {
    let ticks = 0;
    const clock = setInterval(() => ticks++, 5);
    expect(await onto(digitsWithoutEnd(), 1_000)).toEqual({ notDrawn: 'too-long' });
    clearInterval(clock);
    expect(ticks).toBeGreaterThan(20);
  });

  test.each(Object.entries(HOSTILE))('survives %s', async (_, make) => {
    const drawing = await onto(make(), 5_000);
    expect('bytes' in drawing || ('notDrawn' in drawing && drawing.notDrawn !== 'encrypted')).toBe(true);
  });

  test('draws on a file with any bytes changed, or tells that it cannot', async () => {
    const sound = await plainPdf('table', { form: true });
    const changes = fc.array(fc.tuple(fc.nat(sound.length - 1), fc.nat(255)), {
      minLength: 1,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(changes, async (changed) => {
        const original = Buffer.from(sound);
        for (const [at, byte] of changed) original[at] = byte;
        const drawn = await draw(orderOn(original)).catch((error) => error);
        expect(drawn instanceof Uint8Array || drawn instanceof NotDrawable).toBe(true);
      }),
      { numRuns: runs(200) },
    );
  });
});

//   hostile org   |--2 are drawn, 6 wait, 4 are refused ------- hangs up: all are dropped
//   another org   |--drawn--|
//   its manifest  |--drawn--|
test('hostile files of one organization keep no other waiting, and no manifest', async () => {
  const caller = new AbortController();
  const hostile = { ...optionsOf('hostile'), hangUp: caller.signal };
  const order = orderOn(digitsWithoutEnd());
  const settled: string[] = [];
  const drawings = Array.from({ length: 12 }, () =>
    drawInWorker(order, 60_000, hostile).then(
      () => settled.push('timed out'),
      (error: Error) => settled.push(error.name),
    ),
  );
  const sound = await plainPdf('streams');
  const [marked, manifest] = await Promise.all([
    drawInWorker({ ...order, original: sound }, PATIENCE_MS, optionsOf('another')),
    drawInWorker(
      { kind: 'manifest', manifest: MANIFEST, title: 'M', atMs: SIGNED_AT_MS },
      PATIENCE_MS,
      hostile,
    ),
  ]);
  expect([Object.keys(marked), Object.keys(manifest)]).toEqual([['bytes'], ['bytes']]);
  expect(settled).toEqual(Array(4).fill('ThreadsBusy'));

  caller.abort();
  await Promise.all(drawings);
  expect(settled).toEqual(Array(12).fill('ThreadsBusy'));
});

const MANIFEST: Manifest = {
  name: 'Contrato',
  status: { text: 'Pendente', tone: 'waiting' },
  facts: [],
  parts: [],
  entries: [],
  verification: { code: '7FQ2M-9XKD4-TB3WR-8HJ5C', page: 'https://a.example', url: 'https://a.example/b' },
  note: null,
  closing: '',
};
