import { expect, test } from 'vitest';
import { openPdf } from '../../../../../shared/signing/pades/pdf/document.ts';
import { sourceOf } from '../../../../../shared/signing/pades/pdf/source.ts';
import { buildPdf, hybridPdf, ONE_PAGE, plainPdf } from '../documents.ts';
import { appendUpdate } from '../tamper.ts';

const KEY = '/Encrypt 6 0 R';
const plain = buildPdf({ ...ONE_PAGE, 6: '<</Filter/Standard>>' }, KEY);
const streams = (await plainPdf('streams')).toString('latin1').replace('/Root', `${KEY}/Root`);

/** Replaces bytes, and adds or removes blanks so that every offset stays. */
const exchanged = (text: string, from: RegExp, to: string): string => {
  expect(text).toMatch(from);
  return text.replace(from, (found) => to.padEnd(found.length));
};

test.each<[string, Buffer | string]>([
  ['in a table', plain],
  ['in a stream', streams],
  [
    'in the stream beside a table',
    hybridPdf().toString('latin1').replace('/Index[5 2]/Root 1 0 R', `/Index[5 2]${KEY}`),
  ],
  ['in an older section alone', appendUpdate(plain, { objects: { 7: '<<>>' } })],
  ['in a dictionary of its own', buildPdf(ONE_PAGE, '/Encrypt<</Filter/Standard>>')],
  ['in a stream with columns that cannot be', exchanged(streams, /\/W ?\[[^\]]*\]/, '/W[9 9 9]')],
  [
    'in a stream that does not unpack',
    exchanged(streams, /(?<=[^d]stream\r?\n)[\s\S]{8}(?![\s\S]*[^d]stream\r?\n)/, 'spoiled'),
  ],
  ['in a stream packed in a way that is not read', streams.replaceAll('/FlateDecode', '/LZWDecode  ')],
  [
    'in a table that cannot be read',
    plain.toString('latin1').replace('00000 n', '0000x n').replace('xref\n0 7', 'xref\n0 x'),
  ],
  ['after a place that is wrong', plain.toString('latin1').replace(/startxref\n\d+/, 'startxref\n3')],
])('an encrypted PDF is reported as such when it says so %s', (_, file) => {
  const bytes = typeof file === 'string' ? Buffer.from(file, 'latin1') : file;
  expect(() => openPdf(sourceOf(bytes))).toThrow(
    expect.objectContaining({ name: 'PdfRefused', reason: 'encrypted' }),
  );
});

test('a broken PDF that only speaks of encryption is broken', () => {
  const text = buildPdf({ ...ONE_PAGE, 6: '(/Encrypt and /Encrypted 5 0 R)' }).toString('latin1');
  const broken = Buffer.from(text.replace(/startxref\n\d+/, 'startxref\n3'), 'latin1');
  expect(() => openPdf(sourceOf(broken))).toThrow(expect.objectContaining({ reason: 'broken' }));
});
