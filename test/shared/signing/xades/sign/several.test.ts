import { afterAll, describe, expect, test } from 'vitest';
import { type SignXadesOptions, signXades } from '../../../../../shared/signing/xades/sign.ts';
import { verifyXades } from '../../../../../shared/signing/xades/verify/verify.ts';
import { BATCH, judge, keyOf, NOTA, pki, stampAt } from '../parties.ts';
import { hasXmlsec, xmlsec } from '../xmlsec.ts';

const outside = xmlsec(pki);
afterAll(() => outside.remove());

const atMs = Date.now();
const first = keyOf();
const second = keyOf({ key: 'p256', keyName: 'second', commonName: 'SECOND SIGNER' });
const sign = (document: Buffer, key: typeof first, more: Partial<SignXadesOptions>): Promise<Buffer> =>
  signXades(document, key, { signingTimeMs: atMs, ...more });

async function everyoneAgrees(document: Buffer, count: number, covers?: string[]): Promise<void> {
  const report = await verifyXades(document, { judge, atMs, covers });
  expect(report.signatures.map(({ results }) => results.errors)).toEqual(Array(count).fill([]));
  expect(report.valid).toBe(true);
  if (!hasXmlsec) return;
  for (const { id } of report.signatures)
    expect(outside.judge(document, { idElements: [NOTA], signatureId: id ?? '' })).toBe('OK');
}

// A degree is signed in parts, each by another, and then as a whole.
const DEGREE = Buffer.from(
  `<Diploma xmlns="https://portal.mec.gov.br/x"><infDiploma><DadosDiploma Id="Dip1"><Aluno>Zé</Aluno></DadosDiploma><DadosRegistro Id="Reg1"><Livro>1</Livro></DadosRegistro></infDiploma></Diploma>`,
);
const MEC = ['DadosDiploma', 'DadosRegistro'].map((name) => `https://portal.mec.gov.br/x:${name}`);

describe('several signatures on one document', () => {
  test('over different elements keep each other valid', async () => {
    const once = await sign(BATCH, first, { element: { id: 'n1' } });
    await everyoneAgrees(await sign(once, second, { element: { id: 'n2' } }), 2, ['nota']);
  });

  test('may end with one over the whole document, which covers the others', async () => {
    const parts = await sign(await sign(DEGREE, first, { element: { id: 'Dip1' } }), second, {
      element: { id: 'Reg1' },
      stamp: stampAt(() => atMs),
    });
    const whole = await sign(parts, first, {});
    const report = await verifyXades(whole, { judge, atMs });
    expect(report).toMatchObject({
      valid: true,
      signatures: [
        { covers: [{ kind: 'element', path: '/Diploma/infDiploma/DadosDiploma', isRoot: false }] },
        { covers: [{ kind: 'element', path: '/Diploma/infDiploma/DadosRegistro' }] },
        { covers: [{ kind: 'document', isRoot: true, without: 'this-signature' }] },
      ],
    });
    for (const { id } of hasXmlsec ? report.signatures : [])
      expect(outside.judge(whole, { idElements: MEC, signatureId: id ?? '' })).toBe('OK');
  });

  test('over the same whole document stand side by side when each leaves room', async () => {
    let document: Buffer = BATCH;
    for (const key of [first, second, first]) document = await sign(document, key, { leaveRoom: true });
    await everyoneAgrees(document, 3);
  });

  test('over the same element stand side by side when each leaves room', async () => {
    const once = await sign(BATCH, first, { element: { id: 'n1' }, leaveRoom: true });
    await everyoneAgrees(await sign(once, second, { element: { id: 'n1' }, leaveRoom: true }), 2, ['#n1']);
  });

  test('over one element, placed outside it, need no room', async () => {
    const outsideIt = { element: { id: 'n1' }, placedIn: { path: '/*' } };
    await everyoneAgrees(await sign(await sign(BATCH, first, outsideIt), second, outsideIt), 2, ['#n1']);
  });

  test.each<[string, Partial<SignXadesOptions>, Partial<SignXadesOptions>]>([
    ['the whole document after the whole document', {}, {}],
    ['the whole document after one that leaves no room', {}, { leaveRoom: true }],
    ['an element after the whole document', {}, { element: { id: 'n1' } }],
    ['an element twice', { element: { id: 'n1' } }, { element: { id: 'n1' } }],
    [
      'another element, placed inside the first',
      { element: { id: 'n1' } },
      { element: { id: 'n2' }, placedIn: { id: 'n1' } },
    ],
  ])('are refused where the second would break the first: %s', async (_what, earlier, later) => {
    const once = await sign(BATCH, first, earlier);
    await expect(sign(once, second, later)).rejects.toMatchObject({
      name: 'XmlRefused',
      reason: 'breaks-earlier-signature',
    });
  });

  test('may be one for each of fifty notes in a batch', async () => {
    const content = '<det n="1"><prod><c>123</c><x>Produto</x><v>10.00</v></prod></det>'.repeat(60);
    const notes = Array.from({ length: 50 }, async (_, at) => {
      const note = Buffer.from(`<nota Id="n${at}">${content}</nota>`);
      return sign(note, first, { element: { id: `n${at}` } });
    });
    const batch = Buffer.from(`<lote>${(await Promise.all(notes)).join('')}</lote>`);
    const report = await verifyXades(batch, { judge, atMs, covers: ['nota'] });
    expect(report.valid).toBe(true);
    expect(report.signatures.map(({ covers }) => covers[0]?.path)).toEqual(
      Array.from({ length: 50 }, (_, at) => `/lote/nota[${at + 1}]`),
    );
  });

  test('are refused over or inside a part of another', async () => {
    const once = await sign(BATCH, first, { leaveRoom: true });
    const part = { path: '//x:SignedProperties', namespaces: { x: 'http://uri.etsi.org/01903/v1.3.2#' } };
    const inside = { name: 'XmlRefused', reason: 'inside-signature' };
    await expect(sign(once, second, { placedIn: part })).rejects.toMatchObject(inside);
    const over = { element: part, placedIn: { path: '/*' }, leaveRoom: true };
    await expect(sign(once, second, over)).rejects.toMatchObject(inside);
  });

  test('keep room for later ones even after a plain one, which covers what came before', async () => {
    const once = await sign(BATCH, first, { leaveRoom: true });
    await everyoneAgrees(await sign(once, second, {}), 2);
  });
});
