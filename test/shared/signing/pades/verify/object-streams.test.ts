import { expect, test } from 'vitest';
import { signPades } from '../../../../../shared/signing/pades/sign.ts';
import { buildPdf, ONE_PAGE } from '../documents.ts';
import { messagesOf, OPTIONS, person, verify } from '../parties.ts';
import { appendUpdate } from '../tamper.ts';

const stream = (dict: string, content: string): string => `<<${dict}>>\nstream\n${content}\nendstream`;

/** A page whose graphics states, object 7, are in the object stream 60. `places` are the entries of 7 and 60. */
function withStream(dict: string, content: string, places: readonly number[] = [2, 60, 0]): Buffer {
  const file = buildPdf({
    ...ONE_PAGE,
    1: '<</Type/Catalog/Pages 2 0 R/AcroForm 10 0 R>>',
    3: ONE_PAGE[3].replace('/Font', '/ExtGState 7 0 R/Font').replace('/Contents', '/Annots[13 0 R]/Contents'),
    10: '<</Fields[13 0 R]>>',
    13: '<</Type/Annot/Subtype/Widget/FT/Sig/T(Seller)/Rect[0 0 0 0]/P 3 0 R/F 4>>',
    60: stream(`/Type/ObjStm/N 1${dict}`, content),
    61: '8',
    62: stream('/Length 63 0 R', '<</G<</ca 0.01>>>>'),
    63: '18',
  }).toString('latin1');
  const rows = Buffer.from(places).toString('latin1');
  const index = places.length === 3 ? '7 1' : '7 1 60 1';
  const at = file.lastIndexOf('xref\n0');
  const section = `64 0 obj\n${stream(`/Type/XRef/Size 65/W[1 1 1]/Index[${index}]/Root 1 0 R/Prev ${at}/Length ${rows.length}`, rows)}\nendobj\n`;
  return Buffer.from(`${file}${section}startxref\n${file.length}\n%%EOF\n`, 'latin1');
}

const signed = (file: Buffer): Promise<Buffer> => signPades(file, person, { ...OPTIONS, field: 'Seller' });

// Shadow attack (replace): the object is past the end of the stream, inside another stream. With another length it is in
// the stream.
test.each([
  ['ends', '/First 4/Length 61 0 R', `7 ${'0 <<>>'.padEnd(20)}`],
  ['begins', '/First 61 0 R/Length 30', `7 ${'0 <</G<</ca 1>>>>'.padEnd(28)}`],
])('an object stream may not say otherwise where it %s', async (_, dict, content) => {
  const file = await signed(withStream(dict, content));
  expect((await verify(file)).valid).toBe(true);
  const attacked = await verify(appendUpdate(file, { objects: { 61: '12' } }));
  expect(attacked.valid).toBe(false);
  expect(messagesOf(attacked)[0]).toBe('modification: An object stream was changed. (object 61)');
});

test('other changes beside an object stream that counts elsewhere pass', async () => {
  const file = await signed(withStream('/First 4/Length 61 0 R', `7 ${'0 <<>>'.padEnd(20)}`));
  expect((await verify(appendUpdate(file, { objects: { 90: '<<>>' } }))).valid).toBe(true);
});

test('an object stream that is said to stand in itself is looked for once', async () => {
  const file = await signed(withStream('/First 4/Length 8', '7 0 <<>>', [2, 60, 0, 2, 60, 0]));
  expect((await verify(appendUpdate(file, { objects: { 90: '<<>>' } }))).valid).toBe(false);
});
