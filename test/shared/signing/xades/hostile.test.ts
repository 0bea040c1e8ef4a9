import fc from 'fast-check';
import { diag } from 'libxml2-wasm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { XmlRefused } from '../../../../shared/signing/xades/errors.ts';
import { prepareXades } from '../../../../shared/signing/xades/prepare.ts';
import { signXades } from '../../../../shared/signing/xades/sign.ts';
import { verifyXades } from '../../../../shared/signing/xades/verify/verify.ts';
import { BATCH, judge, keyOf, stampAt } from './parties.ts';

const atMs = Date.now();
const key = keyOf();
const { certificate, chain } = key;
const options = { signingTimeMs: atMs };
const signed = await signXades(
  await signXades(BATCH, key, { ...options, element: { id: 'n1' }, stamp: stampAt(() => atMs) }),
  key,
  { ...options, leaveRoom: true },
);
const LIMIT_MS = 1000;

/** Verifies and signs; only an XmlRefused may be thrown, and neither may take long, by the processor's own clock. */
async function survives(document: Buffer): Promise<void> {
  const taken = async (work: () => Promise<unknown>): Promise<number> => {
    const began = process.cpuUsage();
    await work().catch(orRefused);
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1000;
  };
  const orRefused = (error: unknown): void => {
    if (!(error instanceof XmlRefused)) throw error;
  };
  expect(await taken(() => verifyXades(document, { judge, atMs }))).toBeLessThan(LIMIT_MS);
  const signing = { certificate, chain, ...options, leaveRoom: true };
  expect(await taken(() => prepareXades(document, signing))).toBeLessThan(LIMIT_MS);
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
const ELEMENTS = [...signed.toString().matchAll(/<((?:ds|xades):\w+)[ >]/g)].map(([, tag = '']) => tag);
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
  it('are answered with a report or a refusal, in time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), (bytes) => survives(Buffer.from(bytes))),
      { numRuns: 150 },
    );
  });

  it('are answered when a signed document is cut, doubled or overwritten anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 3 }), (edits) =>
        survives(edits.reduce((text, change) => change(text), signed)),
      ),
      { numRuns: 150 },
    );
  });

  it('are answered when the parts of signatures are dropped, doubled, nested or exchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(reshaping, { minLength: 1, maxLength: 4 }), (changes) =>
        survives(Buffer.from(changes.reduce((text, change) => change(text), signed.toString()))),
      ),
      { numRuns: 200 },
    );
  });

  it('leave no tree behind in the memory of the parser', async () => {
    await survives(signed);
    await survives(Buffer.from('<a><b Id="x"/><c Id="x"/>'));
    await survives(Buffer.from('<a xmlns="relative"/>'));
    expect(diag.report()).toEqual({});
  });
});

describe('documents made to exhaust', () => {
  const signature = /<ds:Signature .*<\/ds:Signature>/s.exec(signed.toString())?.[0] ?? '';
  const inRoot = (content: string): Buffer => Buffer.from(`<r>${content}</r>`);
  const reference = /<ds:Reference .*?<\/ds:Reference>/s.exec(signature)?.[0] ?? '';

  it.each([
    ['hundreds of signatures', inRoot(signature.repeat(150))],
    [
      'thousands of empty signatures',
      inRoot('<Signature xmlns="http://www.w3.org/2000/09/xmldsig#"/>'.repeat(3000)),
    ],
    [
      'thousands of references',
      Buffer.from(signed.toString().replace(reference, () => reference.repeat(2000))),
    ],
    [
      'a wide document below many levels',
      Buffer.from(`${'<a>'.repeat(250)}${'<b/>'.repeat(20_000)}${'</a>'.repeat(250)}`),
    ],
    ['very many identifiers', inRoot(Array.from({ length: 20_000 }, (_, at) => `<a Id="n${at}"/>`).join(''))],
    ['one identifier very many times', inRoot(`${'<a Id="n1"/>'.repeat(20_000)}${signature}`)],
    ['a tag of a megabyte', Buffer.from(`<a ${' '.repeat(1_000_000)}`)],
    ['an attribute of a megabyte', Buffer.from(`<a b="${'x'.repeat(1_000_000)}`)],
    ['very many asides', inRoot('<!----><??>'.repeat(50_000))],
    ['very many open brackets', Buffer.from('<'.repeat(500_000))],
  ])('do not take long: %s', async (_what, document) => {
    await survives(document);
  });

  it('take at most ten times their size in memory, beyond a small floor', async () => {
    const FLOOR_BYTES = 32 * 1024 * 1024;
    const document = inRoot('<item codigo="1">text</item>'.repeat(150_000));
    const before = process.memoryUsage().external;
    await verifyXades(document, { judge, atMs });
    const grown = process.memoryUsage().external - before;
    expect(grown).toBeLessThan(FLOOR_BYTES + 10 * document.length);
  });
});
