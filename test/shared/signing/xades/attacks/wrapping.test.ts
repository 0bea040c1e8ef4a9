import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type SignXadesOptions, signXades } from '../../../../../shared/signing/xades/sign.ts';
import { verifyXades } from '../../../../../shared/signing/xades/verify/verify.ts';
import { runs } from '../../../../faults/fuzz.ts';
import { spansIn } from '../../../bounds/xml-shapes.ts';
import { DS, ENVELOPED, makeSigned } from '../made-signatures.ts';
import { judge, keyOf, pki } from '../parties.ts';

const atMs = Date.now();
const key = keyOf();
const BATCH = '<lote Id="l"><nota Id="n1"><v>100</v></nota><nota Id="n2"><v>7</v></nota></lote>';
const sign = async (document: string, more: Partial<SignXadesOptions> = {}): Promise<string> =>
  (await signXades(Buffer.from(document), key, { signingTimeMs: atMs, ...more })).toString();

const part = await sign(BATCH, { element: { id: 'n1' } });
const DOCUMENTS: readonly string[] = [
  await sign(BATCH),
  await sign(BATCH, { element: { id: 'l' } }),
  await sign(await sign(BATCH, { leaveRoom: true }), { leaveRoom: true }),
  part,
  await sign(BATCH, { element: { id: 'n1' }, placedIn: { id: 'n2' } }),
  await sign(BATCH, { element: { id: 'n1' }, leaveRoom: true }),
  await sign(part, { element: { id: 'n2' } }),
  await sign(part),
  makeSigned({
    holder: pki.holder(),
    uri: '#o',
    content: `<ds:Object xmlns:ds="${DS}" Id="o">${BATCH}</ds:Object>`,
    change: (text) =>
      text.replace(ENVELOPED, '').replace('</ds:Signature>', `<ds:Object Id="o">${BATCH}</ds:Object>$&`),
    around: (text) => text,
  }).toString(),
];

const FORGED = '<nota Id="n1"><v>999</v></nota>';

type Change = {
  readonly what: 'move' | 'copy' | 'drop' | 'forge' | 'wrap';
  readonly one: number;
  readonly two: number;
};

function reshape(text: string, { what, one, two }: Change): string {
  const spans = spansIn(text);
  const [from, to] = [spans[one % spans.length], spans[two % spans.length]];
  if (!from || !to) return text;
  const put = (piece: string): string => text.slice(0, to.inside) + piece + text.slice(to.inside);
  const piece = text.slice(from.start, from.end);
  if (what === 'drop') return text.replace(piece, '');
  if (what === 'wrap') return `<lote>${FORGED}${text}</lote>`;
  if (what === 'forge') return put(FORGED);
  if (what === 'copy') return put(piece);
  if (to.inside > from.start && to.inside <= from.end) return text; // into itself
  const [before, after] = [Math.min(to.inside, from.start), Math.max(to.inside, from.end)];
  const between =
    to.inside < from.start ? piece + text.slice(before, from.start) : text.slice(from.end, after) + piece;
  return text.slice(0, before) + between + text.slice(after);
}

// The document as a reader sees it that ignores signatures.
function contentOf(text: string): string {
  const spans = spansIn(text);
  const object = spans.find(({ start, end }) => text.slice(start, end).startsWith('<ds:Object Id="o"'));
  if (spans.at(-1)?.name === 'ds:Signature') return object ? text.slice(object.start, object.end) : '';
  const outermost = spans.filter(
    (one) =>
      one.name === 'ds:Signature' &&
      !spans.some((other) => other.name === one.name && other.start < one.start && other.end > one.end),
  );
  return outermost.reduceRight((left, { start, end }) => left.slice(0, start) + left.slice(end), text);
}

const notesIn = (text: string): string[] =>
  spansIn(contentOf(text))
    .filter(({ name }) => name === 'nota')
    .map(({ start, end }) => contentOf(text).slice(start, end));
const SIGNED = notesIn(BATCH);

const change: fc.Arbitrary<Change> = fc.record({
  what: fc.constantFrom('move', 'copy', 'drop', 'forge', 'wrap'),
  one: fc.nat(80),
  two: fc.nat(80),
});

/** Whether the changed document is valid; one that is no XML any more is not. */
const isValid = async (text: string, ...covers: string[]): Promise<boolean> =>
  (await verifyXades(Buffer.from(text), { judge, atMs, covers }).catch(() => undefined))?.valid === true;

// Signature wrapping (McIntosh and Austel, 2005), as a property: no rearrangement of elements yields a valid document with
// other content.
describe('signature wrapping: a document whose elements were moved, copied, dropped, forged or wrapped', () => {
  test('is valid only with the content that was signed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...DOCUMENTS),
        fc.array(change, { minLength: 1, maxLength: 3 }),
        async (document, changes) => {
          const changed = changes.reduce(reshape, document);
          if (await isValid(changed)) expect(contentOf(changed)).toBe(contentOf(document));
          if (await isValid(changed, 'nota'))
            for (const note of notesIn(changed)) expect(SIGNED).toContain(note);
        },
      ),
      { numRuns: runs(150) },
    );
  });

  test('is valid before the change where it is covered', async () => {
    const valid = [];
    for (const document of DOCUMENTS) valid.push([await isValid(document), await isValid(document, 'nota')]);
    expect(valid).toEqual([
      [true, true],
      [true, true],
      [true, true],
      [false, false],
      [false, false],
      [false, false],
      [false, true],
      [true, true],
      [true, true],
    ]);
  });
});
