import { describe, expect, test } from 'vitest';
import { inMemory, verifyFile } from '../../../../../shared/signing/verification/verify-file.ts';
import { type SignXadesOptions, signXades } from '../../../../../shared/signing/xades/sign.ts';
import { verifyXades } from '../../../../../shared/signing/xades/verify/verify.ts';
import { DS, ENVELOPED, makeSigned } from '../made-signatures.ts';
import { judge, keyOf, pki } from '../parties.ts';

const atMs = Date.now();
const sign = async (document: string, more: Partial<SignXadesOptions> = {}): Promise<string> =>
  (await signXades(Buffer.from(document), keyOf(), { signingTimeMs: atMs, ...more })).toString();
const verify = (document: string, ...covers: string[]) =>
  verifyXades(Buffer.from(document), { judge, atMs, covers });
const errorsOf = async (document: string): Promise<string[]> => {
  const { valid, signatures } = await verify(document);
  expect(valid).toBe(false);
  return signatures.flatMap(({ results }) => results.errors.map(({ message }) => message));
};

const CONTRACT = '<contract Id="c"><pay Id="p">1000</pay></contract>';
const SIGNATURE = /<ds:Signature .*?<\/ds:Signature>/s;
const moved = (document: string, to: (signature: string) => string): string => {
  const [signature = ''] = SIGNATURE.exec(document) ?? [];
  return document.replace(signature, '').replace('1000', to(signature));
};

describe('text injection: a signature that is moved into a text is not valid', () => {
  const shapes: [string, Partial<SignXadesOptions>][] = [
    ['over the whole document', {}],
    ['that leaves room for others', { leaveRoom: true }],
    ['over the root by its identifier', { element: { id: 'c' } }],
  ];
  const places: [string, (signature: string) => string][] = [
    ['within it', (signature) => `10${signature}00`],
    ['in front of it', (signature) => `${signature}1000`],
    ['behind it', (signature) => `1000${signature}`],
    ['between CDATA', (signature) => `<![CDATA[10]]>${signature}<![CDATA[00]]>`],
    ['behind a comment in it', (signature) => `10${signature}<!-- -->00`],
  ];

  test.each(shapes.flatMap(([shape, more]) => places.map(([place, to]) => ({ shape, more, place, to }))))(
    '$shape, $place',
    async ({ more, to }) => {
      expect(await errorsOf(moved(await sign(CONTRACT, more), to))).toContainEqual(
        expect.stringMatching(/^The signature \/contract\/pay\/ds:Signature stands in a text and splits it/),
      );
    },
  );

  test('nor are those that leave it out', async () => {
    const both = await sign(await sign(CONTRACT, { element: { id: 'p' }, placedIn: { path: '/*' } }), {
      leaveRoom: true,
    });
    expect(await verify(both)).toMatchObject({ valid: true });
    expect(await errorsOf(moved(both, (signature) => `10${signature}00`))).toContainEqual(
      expect.stringContaining('stands in a text and splits it'),
    );
  });

  test('but it is behind the text of the element that it signs, where signers put it', async () => {
    const part = await sign(CONTRACT, { element: { id: 'p' } });
    expect(part).toContain('1000<ds:Signature');
    expect(await verify(part, 'pay')).toMatchObject({ valid: true });
    expect(await verify(await sign('<pay>1000</pay>'))).toMatchObject({ valid: true });
    const beside = await sign(await sign(CONTRACT, { leaveRoom: true }), {
      element: { id: 'p' },
      leaveRoom: true,
    });
    expect(await verify(beside)).toMatchObject({ valid: true });
  });
});

describe('comment injection: a comment that splits a text', () => {
  const SPLIT = /^A comment that the signature does not cover splits the text of .*pay/;
  const TEXTS = [
    ...['10<!-- -->00', '<!--999999-->1000', '10<!-- --><!-- -->00', '10<!-- --> 00'],
    ...['10<!-- --><![CDATA[00]]>', '10<!-- --><![CDATA[]]>00'],
  ];

  test.each(TEXTS.filter((text) => !text.includes(' 00')))('makes a document not valid: %s', async (text) => {
    for (const more of [{}, { leaveRoom: true }, { element: { id: 'c' } }])
      expect(await errorsOf((await sign(CONTRACT, more)).replace('1000', text))).toEqual([
        expect.stringMatching(SPLIT),
      ]);
  });

  test('makes an enveloping signature not valid', async () => {
    const object = `<ds:Object xmlns:ds="${DS}" Id="o"><pay>1000</pay></ds:Object>`;
    const signed = makeSigned({
      ...{ holder: pki.holder(), uri: '#o', content: object, around: (text) => text },
      change: (text) =>
        text
          .replace(ENVELOPED, '')
          .replace('</ds:Signature>', '<ds:Object Id="o"><pay>1000</pay></ds:Object>$&'),
    }).toString();
    expect(await verify(signed)).toMatchObject({ valid: true });
    expect(await errorsOf(signed.replace('1000', '10<!-- -->00'))).toEqual([expect.stringMatching(SPLIT)]);
  });

  test('is not valid at the command line either: indeterminate, and nobody should rely on it', async () => {
    const split = (await sign(CONTRACT)).replace('1000', '10<!-- -->00');
    const trust = { anchors: [pki.root.certificate], revocation: 'skip' as const };
    expect(await verifyFile(inMemory(Buffer.from(split)), { trust, atMs })).toMatchObject({
      outcome: 'invalid',
      verdict: 'indeterminate',
      signatures: [{ intact: true, reasons: ['SIG_CONSTRAINTS_FAILURE'] }],
    });
  });

  test.each(['1000<!-- -->', '1000<!-- --> ', '1000<!-- --><b/>'])(
    'is not one behind it, which stays a note: %s',
    async (text) => {
      const signed = (await sign(CONTRACT.replace('1000', text))).toString();
      const { valid, signatures } = await verify(signed);
      expect(valid).toBe(true);
      expect(signatures[0]?.results.warnings[0]?.message).toContain(
        '1 comments that the signature does not cover',
      );
    },
  );

  test('is not one between elements', async () => {
    const signed = (await sign(CONTRACT)).replace('<pay', '<!-- -->$&').replace('</pay>', '$&\n<!-- -->\n');
    expect((await errorsOf(signed))[0]).toContain('the digests differ'); // white space is content
    expect(await verify((await sign(CONTRACT)).replace('<pay', '<!-- -->$&'))).toMatchObject({ valid: true });
  });

  test.each(TEXTS)('is not signed in the first place: %s', async (text) => {
    await expect(sign(CONTRACT.replace('1000', text))).rejects.toMatchObject({
      name: 'XmlRefused',
      reason: 'splits-text',
      message: expect.stringContaining('/contract/pay'),
    });
    // Outside of what is signed it does no harm.
    expect(await sign(`<a><b Id="b"/><c>${text}</c></a>`, { element: { id: 'b' } })).toContain(
      'ds:Signature',
    );
  });
});

test('a signature is not placed in a text that it does not sign', async () => {
  await expect(sign(CONTRACT, { placedIn: { id: 'p' } })).rejects.toMatchObject({ reason: 'splits-text' });
});

describe('text injection: a CDATA section splits a text, and nobody signs where it begins', () => {
  const verified = async (document: string) =>
    verifyFile(inMemory(Buffer.from(document), 'a.xml'), {
      trust: { anchors: [pki.root.certificate], revocation: 'skip' },
      atMs,
    });
  const warned = async (document: string) => {
    const { outcome, validationResults } = await verified(document);
    return [outcome, ...(validationResults?.warnings ?? []).map(({ message }) => message)];
  };
  const SPLITS =
    'A CDATA section splits the text of /contract/pay: a reader could take a part of it for the whole.';

  test.each([
    '10<![CDATA[00]]>',
    '<![CDATA[10]]>00',
    '1<![CDATA[0]]>00',
    '<![CDATA[10]]><![CDATA[00]]>',
    '10<![CDATA[]]><![CDATA[00]]>',
  ])('%s in place of 1000 is told in the headline', async (text) => {
    const changed = async (more: Partial<SignXadesOptions>) =>
      (await sign(CONTRACT, more)).replace('1000', text);
    expect(await warned(await changed({}))).toEqual(['valid', SPLITS]);
    expect(await warned(await changed({ element: { id: 'c' } }))).toEqual(['valid', SPLITS]);
  });

  test.each(['<![CDATA[1000]]>', '\n <![CDATA[1000]]>\n ', '<b/><![CDATA[1000]]><b/>', '<![CDATA[]]>1000'])(
    'and %s is not',
    async (text) => {
      expect(await warned(await sign(CONTRACT.replace('1000', text)))).toEqual(['valid']);
    },
  );
});
