import { afterAll, describe, expect, test } from 'vitest';
import { signXades } from '../../../../../shared/signing/xades/sign.ts';
import { verifyXades } from '../../../../../shared/signing/xades/verify/verify.ts';
import { judge, keyOf, pki } from '../parties.ts';
import { hasXmlsec, xmlsec } from '../xmlsec.ts';

const outside = xmlsec(pki);
afterAll(() => outside.remove());

const atMs = Date.now();
const key = keyOf();

const BODY =
  '\r\n<nota  a = \'1\'\tb="2">\r\n\tSão José &#233; &lt;\r</nota  >\r\n<!-- </nota> --><?pi </nota> ?>\r\n';
const declared = (encoding: string): string =>
  `<?xml version='1.0' encoding="${encoding}" standalone="yes"?>${BODY}`;
const wide = (text: string): Buffer => Buffer.from(text, 'utf16le');

const ENCODINGS: [string, Buffer, BufferEncoding | 'utf16be'][] = [
  ['UTF-8', Buffer.from(declared('UTF-8')), 'latin1'],
  ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${declared('utf-8')}`), 'latin1'],
  ['UTF-8 undeclared', Buffer.from(BODY.trimStart()), 'latin1'],
  ['ISO-8859-1', Buffer.from(declared('ISO-8859-1'), 'latin1'), 'latin1'],
  ['windows-1252', Buffer.from(declared('Windows-1252'), 'latin1'), 'latin1'],
  ['UTF-16, little end first, marked', wide(`\ufeff${declared('UTF-16')}`), 'utf16le'],
  ['UTF-16, little end first, unmarked', wide(declared('UTF-16LE')), 'utf16le'],
  ['UTF-16, big end first, marked', wide(`\ufeff${declared('UTF-16')}`).swap16(), 'utf16be'],
  ['UTF-16, marked and undeclared', wide(`\ufeff${BODY.trimStart()}`).swap16(), 'utf16be'],
];

function textIn(bytes: Buffer, encoding: BufferEncoding | 'utf16be'): string {
  return encoding === 'utf16be' ? Buffer.from(bytes).swap16().toString('utf16le') : bytes.toString(encoding);
}

describe('the bytes around a signature', () => {
  test.each(ENCODINGS)('are unchanged in %s', async (_name, document, encoding) => {
    const signed = await signXades(document, key, { signingTimeMs: atMs });
    const text = textIn(signed, encoding);
    const from = text.indexOf('<ds:Signature ');
    const end = '</ds:Signature>';
    const to = text.indexOf(end) + end.length;
    expect(text.slice(0, from) + text.slice(to)).toBe(textIn(document, encoding));
    expect(text.slice(to).startsWith('</nota  >')).toBe(true);
    expect(await verifyXades(signed, { judge, atMs })).toMatchObject({ valid: true });
    if (hasXmlsec) expect(outside.judge(signed)).toBe('OK');
  });

  test('lose nothing but a slash where an empty element must open', async () => {
    const signed = (await signXades(Buffer.from('<a x="/>" />\n'), key, { signingTimeMs: atMs })).toString();
    expect(signed).toMatch(/^<a x="\/>" ><ds:Signature .*<\/ds:Signature><\/a>\n$/);
    expect(await verifyXades(Buffer.from(signed), { judge, atMs })).toMatchObject({ valid: true });
  });

  test('may hold element names that are not ASCII', async () => {
    for (const document of [Buffer.from('<ação/>'), wide('\ufeff<ação/>')]) {
      const signed = await signXades(document, key, { signingTimeMs: atMs });
      expect(await verifyXades(signed, { judge, atMs })).toMatchObject({ valid: true });
    }
  });
});
