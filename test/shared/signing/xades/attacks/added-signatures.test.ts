import { expect, test } from 'vitest';
import { addsOnlySignatures } from '../../../../../shared/signing/xades/added-signatures.ts';
import { signXades } from '../../../../../shared/signing/xades/sign.ts';
import { keyOf } from '../parties.ts';

const options = { signingTimeMs: Date.now(), leaveRoom: true };
const sign = (document: Buffer) => signXades(document, keyOf(), options);

test.each([
  ['', '<Diploma><Curso>Direito</Curso></Diploma>'],
  [' whose root is empty', '<Diploma/>'],
  [
    ' with a comment and a namespace',
    '<?xml version="1.0"?>\n<!-- 1 --><d:Diploma xmlns:d="urn:d">a</d:Diploma>\n',
  ],
])('a document%s that was signed once or twice is the original', async (_, text) => {
  const original = Buffer.from(text);
  const once = await sign(original);
  const twice = await sign(once);
  expect(addsOnlySignatures(original, once)).toBe(true);
  expect(addsOnlySignatures(original, twice)).toBe(true);
  expect(addsOnlySignatures(once, twice)).toBe(true);
});

test.each([
  ['a changed text', '<Diploma><Curso>Medicina</Curso></Diploma>'],
  [
    'an element that was added where signatures go',
    '<Diploma><Curso>Direito</Curso><Nota>10</Nota></Diploma>',
  ],
  ['an attribute', '<Diploma versao="2"><Curso>Direito</Curso></Diploma>'],
  ['a comment', '<Diploma><Curso>Direito<!-- no --></Curso></Diploma>'],
])('%s makes another document, although people signed it', async (_, text) => {
  const original = Buffer.from('<Diploma><Curso>Direito</Curso></Diploma>');
  expect(addsOnlySignatures(original, await sign(Buffer.from(text)))).toBe(false);
});

test('a document without a further signature is not signed, and no XML is no document', async () => {
  const original = Buffer.from('<Diploma/>');
  const signed = await sign(original);
  expect(addsOnlySignatures(original, original)).toBe(false);
  expect(addsOnlySignatures(signed, signed)).toBe(false);
  expect(addsOnlySignatures(original, Buffer.from('<html>'))).toBe(false);
});
