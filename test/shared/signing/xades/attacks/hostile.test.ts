import fc from 'fast-check';
import { diag } from 'libxml2-wasm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { XmlRefused } from '../../../../../shared/signing/xades/errors.ts';
import { prepareXades } from '../../../../../shared/signing/xades/prepare.ts';
import { signXades } from '../../../../../shared/signing/xades/sign.ts';
import { verifyXades } from '../../../../../shared/signing/xades/verify/verify.ts';
import { runs } from '../../../../faults/fuzz.ts';
import { BATCH, judge, keyOf, stampAt, withArchiveStamp } from '../parties.ts';
import { SHAPES } from './hostile-documents.ts';

const atMs = Date.now();
const key = keyOf();
const { certificate, chain } = key;
const options = { signingTimeMs: atMs };
const once = await signXades(BATCH, key, { ...options, element: { id: 'n1' }, stamp: stampAt(() => atMs) });
const signed = await signXades(withArchiveStamp(once), key, { ...options, leaveRoom: true });

/** Verifies and signs; only an XmlRefused may be thrown. */
async function survives(document: Buffer): Promise<void> {
  const orRefused = (error: unknown): void => {
    if (!(error instanceof XmlRefused)) throw error;
  };
  await verifyXades(document, { judge, atMs }).catch(orRefused);
  const signing = { certificate, chain, ...options, leaveRoom: true };
  await prepareXades(document, signing).catch(orRefused);
}

beforeAll(() => diag.configure({ enabled: true }));
afterAll(() => diag.configure({ enabled: false }));

const slice = fc.tuple(fc.nat(signed.length), fc.nat(400));
const edit = fc.oneof(
  fc.tuple(fc.nat(signed.length - 1), fc.uint8Array({ maxLength: 8 })).map(
    ([at, bytes]) =>
      (text: Buffer) =>
        Buffer.concat([text.subarray(0, at), bytes, text.subarray(at + bytes.length)]),
  ),
  slice.map(
    ([at, length]) =>
      (text: Buffer) =>
        Buffer.concat([text.subarray(0, at), text.subarray(at + length)]),
  ),
  fc.tuple(slice, fc.nat(signed.length)).map(
    ([[at, length], to]) =>
      (text: Buffer) =>
        Buffer.concat([text.subarray(0, to), text.subarray(at, at + length), text.subarray(to)]),
  ),
);

// Mutations of whole elements stay well formed, so they reach the readers behind the parser.
const ELEMENTS = [...signed.toString().matchAll(/<((?:ds|xades|x):\w+)[ >]/g)].map(([, tag = '']) => tag);
const ELEMENT = (tag: string): RegExp => new RegExp(`<${tag}(?: [^>]*)?>.*?</${tag}>`, 's');
const reshaping = fc
  .tuple(
    fc.constantFrom(...ELEMENTS),
    fc.constantFrom(...ELEMENTS),
    fc.constantFrom('drop', 'double', 'nest', 'swap', 'empty'),
  )
  .map(([one, two, how]) => (text: string): string => {
    const found = ELEMENT(one).exec(text)?.[0] ?? '';
    const other = ELEMENT(two).exec(text)?.[0] ?? '';
    const inner = found.replace(/^<[^>]*>/, '').replace(/<\/[^>]*>$/, '');
    const shaped = {
      drop: '',
      double: found + found,
      nest: `${found.replace(inner, found)}`,
      swap: other,
      empty: found.replace(inner, ''),
    };
    return text.replace(found, () => shaped[how]);
  });

describe('whatever bytes come', () => {
  test('are answered with a report or a refusal', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), (bytes) => survives(Buffer.from(bytes))),
      { numRuns: runs(150) },
    );
  });

  test('are answered when a signed document is cut, doubled or overwritten anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 3 }), (edits) =>
        survives(edits.reduce((text, change) => change(text), signed)),
      ),
      { numRuns: runs(150) },
    );
  });

  test('are answered when the parts of signatures are dropped, doubled, nested or exchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(reshaping, { minLength: 1, maxLength: 4 }), (changes) =>
        survives(Buffer.from(changes.reduce((text, change) => change(text), signed.toString()))),
      ),
      { numRuns: runs(200) },
    );
  });

  test('are answered when they are nothing but a signature', async () => {
    const [alone = ''] = /<ds:Signature .*?<\/ds:Signature>/s.exec(signed.toString()) ?? [];
    for (const uri of ['URI=""', 'URI="#n1"']) {
      const report = await verifyXades(Buffer.from(alone.replace(/URI="[^"]*"/, uri)), { judge, atMs });
      expect(report.valid).toBe(false);
    }
  });

  test('leave no tree behind in the memory of the parser', async () => {
    await survives(signed);
    await survives(Buffer.from(SHAPES['signatures that each cover all others']?.make(30) ?? ''));
    await survives(Buffer.from('<a><b Id="x"/><c Id="x"/>'));
    await survives(Buffer.from('<a xmlns="relative"/>'));
    expect(diag.report()).toEqual({});
  });
});

describe('documents made to exhaust', () => {
  const inRoot = (content: string): Buffer => Buffer.from(`<r>${content}</r>`);
  const tooComplex = expect.objectContaining({ name: 'XmlRefused', reason: 'too-complex' });

  test.each(Object.entries(SHAPES))(
    'are read while they ask for little: %s',
    async (_what, { make, few }) => {
      const { signatures } = await verifyXades(Buffer.from(make(few)), { judge, atMs });
      expect(signatures.length).toBeGreaterThan(0);
    },
  );

  test.each(Object.entries(SHAPES))(
    'are refused when they ask for much: %s',
    async (_what, { make, tooMany }) => {
      await expect(verifyXades(Buffer.from(make(tooMany)), { judge, atMs })).rejects.toEqual(tooComplex);
    },
  );

  test.each([
    ['a tag of a megabyte', Buffer.from(`<a ${' '.repeat(1_000_000)}`), 'malformed'],
    ['an attribute of a megabyte', Buffer.from(`<a b="${'x'.repeat(1_000_000)}`), 'malformed'],
    ['very many open brackets', Buffer.from('<'.repeat(500_000)), 'malformed'],
    ['a name of a megabyte', Buffer.from(`<${'n'.repeat(1_000_000)}/>`), 'too-complex'],
    ['very many asides', inRoot('<!----><?p?>'.repeat(400_000)), 'too-complex'],
  ])('are refused before they are read: %s', async (_what, document, reason) => {
    await expect(verifyXades(document, { judge, atMs })).rejects.toMatchObject({
      name: 'XmlRefused',
      reason,
    });
  });

  test('take at most ten times their size in memory, beyond a small floor', async () => {
    const FLOOR_BYTES = 32 * 1024 * 1024;
    const document = inRoot('<item codigo="1">text</item>'.repeat(150_000));
    const before = process.memoryUsage().external;
    await verifyXades(document, { judge, atMs });
    const grown = process.memoryUsage().external - before;
    expect(grown).toBeLessThan(FLOOR_BYTES + 10 * document.length);
  });
});
