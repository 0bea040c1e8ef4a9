import { describe, expect, test } from 'vitest';
import { localKey } from '../../../../../shared/signing/key.ts';
import { type SignXadesOptions, signXades } from '../../../../../shared/signing/xades/sign.ts';
import { readSignatures } from '../../../../../shared/signing/xades/verify/read-signatures.ts';
import { verifyXades } from '../../../../../shared/signing/xades/verify/verify.ts';
import { createXmlBudget } from '../../../../../shared/signing/xades/xml/budget.ts';
import { ID_ATTRIBUTES } from '../../../../../shared/signing/xades/xml/identifiers.ts';
import { judge, pki } from '../parties.ts';

const atMs = Date.now();
const { privateKey, certificate, chain } = pki.holder();
// Without the chain a signature takes 5 KB, and fifty of them fit into 300 KB.
const key = localKey(privateKey, certificate, []);
const trusting: typeof judge = (one, candidates, ...rest) => judge(one, [...candidates, ...chain], ...rest);

const sign = (document: Buffer, more: Partial<SignXadesOptions>): Promise<Buffer> =>
  signXades(document, key, { signingTimeMs: atMs, ...more });

/** The document after each of so many signatures. */
async function signedTimes(
  times: number,
  content: string,
  more: Partial<SignXadesOptions>,
): Promise<readonly Buffer[]> {
  const documents: Buffer[] = [];
  for (let time = 0; time < times; time++)
    documents.push(await sign(documents.at(-1) ?? Buffer.from(content), more));
  return documents;
}

const NFE = 'http://www.portalfiscal.inf.br/nfe';
const ITEM =
  '<det nItem="1"><prod><cProd>12345</cProd><cEAN>SEM GTIN</cEAN><xProd>PRODUTO DE TESTE</xProd><NCM>84713012</NCM><CFOP>5102</CFOP><uCom>UN</uCom><qCom>1.0000</qCom><vProd>10.00</vProd></prod></det>';
const items = (bytes: number): string => ITEM.repeat(Math.ceil(bytes / ITEM.length));

// Notes with the signature beside what it covers, all in a namespace that the batch declares: the usual shape. As with
// those who send them, each is signed alone and then put into the batch; the last is signed there, beside all others.
async function batch(
  count: number,
  bytesEach: number,
  canonicalization: SignXadesOptions['canonicalization'],
): Promise<Buffer> {
  const open = `<enviNFe xmlns="${NFE}">`;
  const close = '</enviNFe>';
  const note = (at: number): string => `<NFe><infNFe Id="n${at}">${items(bytesEach)}</infNFe></NFe>`;
  const signNote = (at: number, before: readonly string[]): Promise<Buffer> =>
    sign(Buffer.from(`${open}${before.join('')}${note(at)}${close}`), {
      element: { id: `n${at}` },
      placedIn: { path: `/n:enviNFe/n:NFe[${before.length + 1}]`, namespaces: { n: NFE } },
      canonicalization,
    });
  const signed: string[] = [];
  for (let at = 0; at < count - 1; at++)
    signed.push((await signNote(at, [])).toString().slice(open.length, -close.length));
  return signNote(count - 1, signed);
}

async function holds(document: Buffer, count: number, covers?: string[]): Promise<void> {
  const report = await verifyXades(document, { judge: trusting, atMs, covers });
  expect(report.signatures.map(({ results }) => results.errors)).toEqual(Array(count).fill([]));
  expect(report.valid).toBe(true);
}

const MEGABYTE = 1_000_000;
const all = `<lote xmlns="${NFE}"><notas Id="all">${items(MEGABYTE)}</notas></lote>`;
// Seconds each, and the budget is measured with them too.
const overAll = await signedTimes(10, all, { leaveRoom: true });
const overAllTimes = (times: number): Buffer => overAll[times - 1] ?? Buffer.alloc(0);

describe('an honest document is verified', { timeout: 120_000 }, () => {
  const beside = { element: { id: 'all' }, placedIn: { path: '/*' } };

  test('with ten signatures over a megabyte, each over all of it', () => holds(overAllTimes(10), 10));

  test.each<[string, Partial<SignXadesOptions>]>([
    ['over one element', beside],
    ['over one element in the inclusive form', { ...beside, canonicalization: 'inclusive' }],
  ])('with ten signatures over a megabyte, each %s', async (_what, more) => {
    const signed = await signedTimes(10, all, more);
    await holds(signed.at(-1) ?? Buffer.alloc(0), 10, ['#all']);
  });

  test.each(['exclusive', 'inclusive'] as const)(
    'with ten over a tenth of a megabyte each, %s',
    async (form) => {
      await holds(await batch(10, MEGABYTE / 10, form), 10, ['infNFe']);
    },
  );

  test.each(['exclusive', 'inclusive'] as const)('with fifty in 300 KB, %s', async (form) => {
    const document = await batch(50, 1000, form);
    expect(document.length).toBeGreaterThan(250_000);
    expect(document.length).toBeLessThan(350_000);
    await holds(document, 50, ['infNFe']);
  });

  test.each([
    ['small elements', `<lote>${items(10 * MEGABYTE)}</lote>`],
    [
      'lines',
      `<r>${'\n  <pessoa n="12345678">\n    <nome>Maria da Silva Santos</nome>\n    <valor>1234567.89</valor>\n  </pessoa>'.repeat(96_000)}</r>`,
    ],
    ['a file in Base64', `<r><f>${'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZn\n'.repeat(223_000)}</f></r>`],
  ])('with three over 10 MB of %s', async (_what, content) => {
    expect(content.length).toBeGreaterThan(10 * MEGABYTE);
    const signed = await signedTimes(3, content, { leaveRoom: true });
    await holds(signed.at(-1) ?? Buffer.alloc(0), 3);
  });
});

describe('the budget that a document takes', () => {
  const ENOUGH = 1e15;
  const unitsOf = (document: Buffer): number => {
    const budget = { ...createXmlBudget(0), leftUnits: ENOUGH };
    readSignatures(document, { idAttributes: ID_ATTRIBUTES, covers: [] }, budget);
    return ENOUGH - budget.leftUnits;
  };

  test('is always the same', () => {
    expect(unitsOf(overAllTimes(2))).toBe(unitsOf(overAllTimes(2)));
  });

  const A_SIGNATURE_UNITS = 4_000_000; // a megabyte of small elements asks for twenty times as much

  test('grows only by the signature where many cover the same', () => {
    expect(unitsOf(overAllTimes(10)) - unitsOf(overAllTimes(1))).toBeLessThan(9 * A_SIGNATURE_UNITS);
  });

  test('grows only by the signature where each covers a part of its own', async () => {
    const two = unitsOf(await batch(2, MEGABYTE / 4, 'exclusive'));
    const twenty = unitsOf(await batch(20, MEGABYTE / 40, 'exclusive'));
    expect(twenty - two).toBeLessThan(18 * A_SIGNATURE_UNITS);
  });
});
