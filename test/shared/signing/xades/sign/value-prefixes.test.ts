import { afterAll, describe, expect, test } from 'vitest';
import { type SignXadesOptions, signXades } from '../../../../../shared/signing/xades/sign.ts';
import { verifyXades } from '../../../../../shared/signing/xades/verify/verify.ts';
import { judge, keyOf, pki } from '../parties.ts';
import { hasXmlsec, xmlsec } from '../xmlsec.ts';

const outside = xmlsec(pki);
afterAll(() => outside.remove());

const atMs = Date.now();
const sign = async (document: string, more: Partial<SignXadesOptions> = {}): Promise<string> =>
  (await signXades(Buffer.from(document), keyOf(), { signingTimeMs: atMs, ...more })).toString();
const verify = (document: string, covers: string[] = []) =>
  verifyXades(Buffer.from(document), { judge, atMs, covers });

const XSI = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
const PLAN = `<c:plans xmlns:c="urn:c" xmlns:t="urn:types" xmlns="urn:d" ${XSI}><c:plan Id="p" xsi:type="t:Monthly">u:Text<c:of xsi:type="Yearly"/></c:plan></c:plans>`;
const idElements = ['urn:c:plan'];

// Namespace substitution: `xmlns:t` is in no name of the document, and says what a value means.
describe('a prefix that stands in values alone', () => {
  test.each<[string, Partial<SignXadesOptions>]>([
    ['a signature over the whole document', {}],
    ['an exclusive one over the whole document', { canonicalization: 'exclusive' }],
    ['one that leaves room for others', { leaveRoom: true }],
    ['one over an element', { element: { id: 'p' } }],
    ['one over an element, beside it', { element: { id: 'p' }, placedIn: { path: '/*' } }],
    ['an inclusive one over an element', { element: { id: 'p' }, canonicalization: 'inclusive' }],
    ['one over an element, with room', { element: { id: 'p' }, leaveRoom: true }],
  ])('is signed by %s, to xmlsec1 too', async (_what, more) => {
    const covers = more.element ? ['#p'] : [];
    const plan = PLAN.replace('<c:plans ', '<c:plans xmlns:u="urn:u" ');
    const signed = await sign(plan, more);
    expect(await verify(signed, covers)).toMatchObject({ valid: true });
    if (hasXmlsec) expect(outside.judge(Buffer.from(signed), { idElements })).toBe('OK');
    for (const [from, to] of [
      ['urn:types', 'urn:evil'],
      ['urn:u"', 'urn:evil"'],
      ['xmlns="urn:d"', 'xmlns="urn:evil"'],
    ] as const) {
      const changed = signed.replace(from, to);
      expect(changed).not.toBe(signed);
      const report = await verify(changed, covers);
      expect(report).toMatchObject({ valid: false, signatures: [{ intact: false }] });
      if (hasXmlsec) expect(outside.judge(Buffer.from(changed), { idElements })).not.toBe('OK');
    }
  });

  test('stays signed beside further signatures', async () => {
    const once = await sign(PLAN, { element: { id: 'p' } });
    const twice = await sign(once, { leaveRoom: true });
    const thrice = await sign(twice, { leaveRoom: true });
    expect(await verify(thrice)).toMatchObject({ valid: true });
    expect(await verify(thrice.replace('urn:types', 'urn:evil'))).toMatchObject({
      signatures: [{ intact: false }, { intact: false }, { intact: false }],
    });
  });

  test('is signed although there are more of them than a list may have', async () => {
    const names = Array.from({ length: 20 }, (_, at) => `n${at}`);
    const many = `<a ${names.map((name) => `xmlns:${name}="urn:${name}"`).join(' ')}><b Id="p">${names.map((name) => `${name}:x `).join('')}</b></a>`;
    const signed = await sign(many, { element: { id: 'p' } });
    expect(await verify(signed, ['#p'])).toMatchObject({ valid: true });
    expect(await verify(signed.replace('urn:n19', 'urn:evil'), ['#p'])).toMatchObject({ valid: false });
  });
});

test('a signed element without such values keeps its signature in another document', async () => {
  const signed = await sign('<a xmlns="urn:a"><b Id="b"><v>10:30</v></b></a>', { element: { id: 'b' } });
  const [element = ''] = /<b .*<\/b>/s.exec(signed) ?? [];
  const other = `<other xmlns="urn:a" xmlns:more="urn:more">${element}</other>`;
  expect(await verify(other, ['#b'])).toMatchObject({ valid: true });
});
