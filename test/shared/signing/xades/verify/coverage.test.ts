import { afterAll, describe, expect, test } from 'vitest';
import { type SignXadesOptions, signXades } from '../../../../../shared/signing/xades/sign.ts';
import { verifyXades } from '../../../../../shared/signing/xades/verify/verify.ts';
import { CANONICAL, DS, ENVELOPED, makeSigned, transform } from '../made-signatures.ts';
import { judge, keyOf, pki } from '../parties.ts';
import { hasXmlsec, xmlsec } from '../xmlsec.ts';

const atMs = Date.now();
const key = keyOf();
const holder = pki.holder();
const outside = xmlsec(pki);
afterAll(() => outside.remove());

const verify = (document: string | Buffer, ...covers: string[]) =>
  verifyXades(Buffer.from(document), { judge, atMs, covers });
const sign = async (document: string, more: Partial<SignXadesOptions> = {}): Promise<string> =>
  (await signXades(Buffer.from(document), key, { signingTimeMs: atMs, ...more })).toString();
const messagesOf = async (document: string, ...covers: string[]): Promise<string[]> => {
  const { valid, results } = await verify(document, ...covers);
  expect(valid).toBe(false);
  return results.errors.map(({ message }) => message);
};
const NOTHING = 'Nothing of the document is covered by its signatures.';
const SIGNATURE = /<ds:Signature .*?<\/ds:Signature>/s;

describe('an enveloping signature', () => {
  const object = `<ds:Object xmlns:ds="${DS}" Id="o"><x>100</x></ds:Object>`;
  // Its object is digested as it stands, and has no signature in it to take out.
  const enveloping = makeSigned({
    ...{ holder, uri: '#o', content: object },
    change: (text) =>
      text.replace(ENVELOPED, '').replace('</ds:Signature>', '<ds:Object Id="o"><x>100</x></ds:Object>$&'),
    around: (text) => text,
  }).toString();

  test('that is the root is valid over what it holds', async () => {
    expect(await verify(enveloping)).toMatchObject({
      valid: true,
      coverage: { isComplete: true, covered: ['/ds:Signature/ds:Object[2]'], missing: [] },
    });
    if (hasXmlsec) expect(outside.judge(Buffer.from(enveloping), { idElements: ['Object'] })).toBe('OK');
  });

  test('signature transplant: pasted into a document it covers nothing of it', async () => {
    const pasted = `<contract><value>1</value>${enveloping}</contract>`;
    expect(await messagesOf(pasted)).toEqual([NOTHING]);
    const { signatures, coverage } = await verify(pasted);
    expect(coverage).toEqual({ isComplete: false, covered: [], missing: ['/'] });
    expect(signatures[0]?.results.errors.map(({ message }) => message)).toEqual([
      'The signature carries /contract/ds:Signature/ds:Object[2]/x, which a reader could take for the document around it.',
      'The signature covers nothing but itself.',
    ]);
  });

  test('stylesheet injection: does not cover a stylesheet beside it', async () => {
    const [message] = await messagesOf(`<?xml-stylesheet href="x.xsl"?>${enveloping}`);
    expect(message).toMatch(/^Only \/ds:Signature\/ds:Object\[2\] is signed/);
  });

  test('transform abuse: one that removes itself as the root signs nothing', async () => {
    const empty = makeSigned({ holder, content: '', around: (text) => text });
    expect(await verify(empty)).toMatchObject({ valid: false, coverage: { covered: [] } });
  });
});

describe('content in Base64', () => {
  const bytes = Buffer.from('the attached file');
  const text = bytes.toString('base64');
  const decoded = (around: (signature: string) => string, object = ''): string =>
    makeSigned({
      ...{ holder, uri: '#o', content: bytes, around },
      change: (signature) =>
        signature
          .replace(`${ENVELOPED}${CANONICAL}`, transform(`${DS}base64`))
          .replace('</ds:Signature>', `${object}$&`),
    }).toString();

  test('is valid in a signature that is the root, and reported as text alone', async () => {
    const signed = decoded(
      (signature) => signature,
      `<ds:Object Id="o" MimeType="text/plain">${text}</ds:Object>`,
    );
    const report = await verify(signed);
    expect(report).toMatchObject({ valid: true, signatures: [{ covers: [{ isTextOnly: true }] }] });
    expect(report.signatures[0]?.results.warnings.map(({ message }) => message)).toContainEqual(
      expect.stringContaining('only the bytes that its text spells'),
    );
    if (hasXmlsec) expect(outside.judge(Buffer.from(signed), { idElements: ['Object'] })).toBe('OK');
    expect(await verify(signed.replace(text, Buffer.from('another file').toString('base64')))).toMatchObject({
      valid: false,
      signatures: [{ intact: false }],
    });
  });

  test('never covers the element around it: its name and attributes are not signed', async () => {
    const signed = decoded((signature) => `<a><file Id="o">${text}</file>${signature}</a>`);
    expect(await verify(signed, 'file')).toMatchObject({
      valid: false,
      coverage: { isComplete: false, missing: ['file'] },
      signatures: [{ intact: true }],
    });
  });

  test.each(['<b/>', '<!-- -->', '<?pi?>', '!'])(
    'is refused with %s inside, which is not signed',
    async (markup) => {
      const signed = decoded((signature) => `<a><file Id="o">${text}${markup}</file>${signature}</a>`);
      const { signatures, valid } = await verify(signed, 'file');
      expect({ valid, intact: signatures[0]?.intact }).toEqual({ valid: false, intact: false });
      expect(signatures[0]?.results.errors[0]?.message).toMatch(
        /^The element \/a\/file is signed as Base64 and /,
      );
    },
  );
});

const BATCH = '<lote><nota Id="n1"><valor>100</valor></nota><nota Id="n2"><valor>7</valor></nota></lote>';
const element = await sign(BATCH, { element: { id: 'n1' } });

describe('signature wrapping: a signature moved away from its element', () => {
  const note = /<nota Id="n1">.*?<\/nota>/s.exec(element)?.[0] ?? '';
  const bare = note.replace(SIGNATURE, '');
  const signature = SIGNATURE.exec(note)?.[0] ?? '';
  const forged = `<nota Id="n9"><valor>999</valor>${signature}</nota>`;

  test.each([
    ['moved away', element.replace(note, forged).replace('</lote>', `<x>${bare}</x></lote>`)],
    ['moved to the end', element.replace(note, forged).replace('</lote>', `${bare}</lote>`)],
    [
      'moved into the forged one, deeper',
      element.replace(note, forged.replace('<valor>', `<v>${bare}</v>$&`)),
    ],
  ])('is refused: the element was %s and a forged one put in its place', async (_where, wrapped) => {
    for (const covers of [[], ['nota'], ['#n1']]) {
      const { valid, signatures, coverage } = await verify(wrapped, ...covers);
      expect({ valid, covered: coverage.covered }).toEqual({ valid: false, covered: [] });
      expect(signatures[0]?.results.errors.map(({ message }) => message)).toEqual([
        expect.stringContaining('one of the two was moved'),
      ]);
    }
  });

  test('beside it covers the element and nothing around it', async () => {
    const beside = element.replace(note, forged.replace('<valor>', `${bare}$&`));
    for (const covers of [[], ['nota'], ['/lote/nota[1]']])
      expect(await verify(beside, ...covers)).toMatchObject({
        valid: false,
        coverage: { covered: ['/lote/nota[1]/nota'] },
      });
  });

  test.each<[string, Partial<SignXadesOptions>]>([
    ['plain', {}],
    ['with room', { leaveRoom: true }],
  ])('of our own has no enveloped transform there, and is valid (%s)', async (_what, more) => {
    const apart = await sign(BATCH, { element: { id: 'n1' }, placedIn: { id: 'n2' }, ...more });
    expect(apart).not.toContain('enveloped-signature');
    expect(await verify(apart, '#n1')).toMatchObject({ valid: true });
  });
});

describe('an electronic invoice', () => {
  // The shape that the manual of the NF-e prescribes: the signature beside infNFe, with the transform for one inside.
  const invoice = (infNFe: string): string =>
    makeSigned({
      ...{ holder, uri: '#NFe1', content: '<infNFe Id="NFe1"><vNF>100</vNF></infNFe>' },
      around: (signature) => `<NFe>${infNFe}${signature}</NFe>`,
    }).toString();
  const signed = '<infNFe Id="NFe1"><vNF>100</vNF></infNFe>';

  test('is covered in part, and wholly where infNFe is all that must be', async () => {
    expect(await messagesOf(invoice(signed))).toEqual([
      'Only /NFe/infNFe is signed; the rest of the document anyone may have written. Say with --covers which element must be signed, if that is enough.',
    ]);
    for (const selector of ['infNFe', '//infNFe', '/NFe/infNFe', '/NFe/infNFe[1]', '#NFe1', 'x:infNFe'])
      expect(await verify(invoice(signed), selector)).toMatchObject({
        valid: true,
        coverage: { isComplete: true, covered: ['/NFe/infNFe'], missing: [] },
      });
  });

  test.each([
    ['another', '<infNFe><vNF>9</vNF></infNFe>'],
    ['one of another namespace', '<n:infNFe xmlns:n="urn:n"><vNF>9</vNF></n:infNFe>'],
    ['one deeper down', '<extra><infNFe><vNF>9</vNF></infNFe></extra>'],
  ])('namespace injection: with %s by the same name it is not', async (_what, forged) => {
    const [message] = await messagesOf(invoice(`${forged}${signed}`), 'infNFe');
    expect(message).toContain('infNFe had to be signed, and no signature covers /NFe/');
  });
});

describe('the whole document', () => {
  test('is not covered by signatures over all of its parts: how many there were is not signed', async () => {
    const both = await sign(element, { element: { id: 'n2' } });
    expect(await verify(both)).toMatchObject({
      valid: false,
      coverage: { isComplete: false, covered: ['/lote/nota[1]', '/lote/nota[2]'], missing: ['/'] },
    });
    expect(await verify(both, 'nota')).toMatchObject({ valid: true });
    expect(await verify(both, 'nota', 'lote')).toMatchObject({
      valid: false,
      coverage: { missing: ['lote'] },
    });
    expect(await verify(element, 'nota')).toMatchObject({ valid: false, coverage: { missing: ['nota'] } });
  });

  test('stylesheet injection: is covered by a signature over its root, unless an instruction is beside it', async () => {
    const rooted = await sign('<nota Id="r">100</nota>', { element: { id: 'r' } });
    expect(await verify(`<!-- a comment -->${rooted}`)).toMatchObject({ valid: true });
    expect(await verify(`<?xml-stylesheet href="x.xsl"?>${rooted}`)).toMatchObject({ valid: false });
    expect(await verify(`${rooted}<?x?>`)).toMatchObject({ valid: false });
  });

  test('is covered by signatures side by side that leave each other out', async () => {
    const twice = await sign(await sign(BATCH, { leaveRoom: true }), { leaveRoom: true });
    expect(await verify(twice)).toMatchObject({ valid: true, coverage: { covered: ['/'] } });
    expect(await verify(twice, 'valor', '//nota[2]')).toMatchObject({ valid: true });
    // What a signature holds is not covered by those that leave it out.
    expect(await verify(twice, 'KeyInfo')).toMatchObject({ valid: false });
  });

  test('is not covered by a signature that is broken', async () => {
    const broken = (await sign(BATCH)).replace('100', '900');
    expect(await messagesOf(broken)).toEqual([
      'No signature of the document could be confirmed as intact: nothing of it counts as covered.',
    ]);
  });
});

describe('an element that must be covered', () => {
  const whole = sign(BATCH);

  test.each(['absent', '/lote/absent', '#absent', '/nota', '/lote/nota[3]'])(
    'must be there: %s',
    async (selector) => {
      expect(await messagesOf(await whole, selector)).toEqual([
        `${selector} had to be signed, and is not one element of the document.`,
      ]);
    },
  );

  test('duplicate identifiers: is not one of two that share one', async () => {
    const doubled = await sign('<a><b Id="x"/><b Id="x"/></a>');
    expect(await verify(doubled, '#x')).toMatchObject({ valid: false, coverage: { missing: ['#x'] } });
    expect(await verify(doubled, 'b')).toMatchObject({ valid: true });
  });

  test.each(["//*[@Id='n1']", '', '/', "a' or '1", 'a b', '//a//b', 'count(//a)', '#'])(
    'is named simply, or the question is refused: %s',
    async (selector) => {
      await expect(verify(await whole, selector)).rejects.toMatchObject({
        name: 'XmlRefused',
        reason: 'path-not-allowed',
      });
    },
  );
});
