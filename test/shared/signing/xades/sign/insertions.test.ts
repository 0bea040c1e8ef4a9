import { afterAll, describe, expect, test } from 'vitest';
import { INSERTIONS, type Insertion } from '../../../../../shared/signing/xades/insertions.ts';
import { type SignXadesOptions, signXades } from '../../../../../shared/signing/xades/sign.ts';
import { verifyXades } from '../../../../../shared/signing/xades/verify/verify.ts';
import { judge, keyOf, NOTA, pki } from '../parties.ts';
import { hasXmlsec, xmlsec } from '../xmlsec.ts';

const outside = xmlsec(pki);
afterAll(() => outside.remove());

const atMs = Date.now();
const LOTE =
  '<lote xmlns="http://teste.br/nf">\n <nota Id="n1"><item/></nota>\n <nota Id="n2"><item>2</item></nota> <vazio Id="v"/></lote>';
const idElements = [NOTA, 'http://teste.br/nf:vazio'];
const sign = (document: string | Buffer, more: Partial<SignXadesOptions>) =>
  signXades(Buffer.from(document), keyOf(), { signingTimeMs: atMs, ...more });

/** The names of the tags around the signature, in short. */
const around = (signed: Buffer): string =>
  signed
    .toString()
    .replace(/<ds:Signature .*<\/ds:Signature>/s, '*')
    .replaceAll(/<(\/?)(nota|vazio|item)(?: Id="(\w+)")?(\/?)>/g, (_, close, name, id, empty) =>
      [close, id ?? name, empty].join(''),
    )
    .replaceAll(/\s|<lote[^>]*>|<\/lote>/g, '');

const BY: Record<'n1' | 'v', Record<Insertion, RegExp>> = {
  n1: {
    AppendChild: /^n1item\/\*\/nota/,
    PrependChild: /^n1\*item\/\/nota/,
    AppendSibling: /^n1item\/\/nota\*n2/,
    PrependSibling: /^\*n1item/,
  },
  v: {
    AppendChild: /v\*\/vazio$/,
    PrependChild: /v\*\/vazio$/,
    AppendSibling: /v\/\*$/,
    PrependSibling: /\*v\/$/,
  },
};

describe.each(INSERTIONS)('a signature at %s', (insertion) => {
  test.each<[string, Partial<SignXadesOptions>, keyof typeof BY]>([
    ['of the element that it signs', { element: { id: 'n1' } }, 'n1'],
    ['of that, with room for others', { element: { id: 'n1' }, leaveRoom: true }, 'n1'],
    ['of an empty element, over another', { element: { id: 'n1' }, placedIn: { id: 'v' } }, 'v'],
    ['of an element, over the document', { placedIn: { id: 'n1' } }, 'n1'],
    ['of an element, over the document with room', { placedIn: { id: 'v' }, leaveRoom: true }, 'v'],
  ])('%s stands there, and is good to xmlsec1 and to us', async (_, more, by) => {
    const signed = await sign(LOTE, { ...more, insertion });
    expect(around(signed)).toMatch(BY[by][insertion]);
    if (hasXmlsec) expect(outside.judge(signed, { idElements })).toBe('OK');
    const covers = more.element ? ['#n1'] : undefined;
    const report = await verifyXades(signed, { judge, atMs, covers });
    expect(report.signatures[0]?.results.errors).toEqual([]);
    expect(report).toMatchObject({ valid: true, signatures: [{ intact: true }] });
  });

  test('takes a second one beside it, which leaves the first valid', async () => {
    const first = await sign(LOTE, {
      element: { id: 'n1' },
      placedIn: { id: 'n1' },
      insertion,
      leaveRoom: true,
    });
    const second = await sign(first, {
      element: { id: 'n1' },
      placedIn: { id: 'n1' },
      insertion,
      leaveRoom: true,
    });
    const report = await verifyXades(second, { judge, atMs, covers: ['#n1'] });
    expect(report).toMatchObject({ valid: true, signatures: [{ intact: true }, { intact: true }] });
  });
});

test.each<[string, Partial<SignXadesOptions>, string]>([
  ['behind the root', { insertion: 'AppendSibling' }, 'outside-root'],
  ['before the root', { insertion: 'PrependSibling', element: { id: 'r' } }, 'outside-root'],
  [
    'before the text of the signed element',
    { element: { id: 'p' }, insertion: 'PrependChild' },
    'splits-text',
  ],
  ['in a text, beside an element', { element: { id: 'b' }, insertion: 'AppendSibling' }, 'splits-text'],
  ['before an element in a text', { element: { id: 'b' }, insertion: 'PrependSibling' }, 'splits-text'],
])('there is no place %s', async (_, more, reason) => {
  const mixed = '<r Id="r"><p Id="p">one <b Id="b"/> two</p></r>';
  await expect(sign(mixed, more)).rejects.toMatchObject({ reason });
});

test.each(INSERTIONS)('%s of an element in what another signature covers is refused', async (insertion) => {
  const signed = await sign(LOTE, {});
  await expect(sign(signed, { element: { id: 'n1' }, insertion })).rejects.toMatchObject({
    reason: 'breaks-earlier-signature',
  });
});
