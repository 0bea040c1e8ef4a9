import { describe, expect, test } from 'vitest';
import { draw } from '../../../../../../functions/documents/domain/downloads/drawn/draw.ts';
import type { DrawnMark } from '../../../../../../functions/documents/domain/downloads/drawn/draw-request.ts';
import { manifestOf } from '../../../../../../functions/documents/domain/downloads/manifest.ts';
import { footerOf, marksOf } from '../../../../../../functions/documents/domain/downloads/printed-texts.ts';
import type { Flow } from '../../../../../../functions/documents/domain/flow/flow.ts';
import { signPades } from '../../../../../../shared/signing/pades/sign.ts';
import { plainPdf } from '../../../../../shared/signing/pades/documents.ts';
import { person as holder, OPTIONS, verify } from '../../../../../shared/signing/pades/parties.ts';
import { canReadPdfs, complaintsOf, imageOf, pagesOf, sizesOf } from '../../../pdf-reader.ts';
import { action, approvedBy, done, markOn, person, SIGNED_AT_MS, signedBy } from '../../../sample-flow.ts';
import { documentWith, SHA256, samePageTwice, TURNS, turnedPages } from './originals.ts';

const page = { title: 'Contrato', atMs: SIGNED_AT_MS };
const CODE = '7FQ2M9XKD4TB3WR8HJ5C';

const marked = (original: Buffer, flow: Flow) =>
  draw({ kind: 'marked', original, marks: marksOf({ flow, code: CODE }), ...page });

function printable(original: Buffer, flow: Flow = [signedBy('Maria')], marks: DrawnMark[] = []) {
  const document = documentWith(flow);
  const context = { sha256: SHA256, organizationName: null, nowMs: SIGNED_AT_MS, chain: [] };
  const manifest = manifestOf(document, context);
  const footer = footerOf(document, SHA256);
  return draw({ kind: 'printable', original, manifest, footer, marks, ...page });
}

const isDark = (gray: number): boolean => gray < 140;

const turned = await turnedPages();

describe.skipIf(!canReadPdfs())('the printable version', () => {
  test('has every page of the original, in its size, and the manifest after them', async () => {
    const bytes = await printable(turned);
    expect(complaintsOf(bytes)).toBe('');
    expect(sizesOf(bytes)).toEqual(Array(5).fill('595x842'));
    expect(pagesOf(bytes).at(-1)).toContain('Manifesto de assinaturas');
  });

  test('says on every page which document it is of, its hash, and which page it is', async () => {
    const pages = pagesOf(await printable(turned));
    for (const [index, turn] of TURNS.entries()) {
      const text = (pages[index] ?? '').replace(/\s+/g, ' ');
      expect(text).toContain('Documento 3f0c2c5e-6a0b-4a9e-9d1e-0b7f5c1c2d3e');
      expect(text).toContain(`SHA-256 do original ${SHA256} · Página ${index + 1} de 4`);
      expect(text).toContain(`virada ${turn}`);
    }
  });

  test.each(TURNS.entries().toArray())(
    'covers nothing at the foot of page %i, turned by %i degrees, and shows nothing that was cut off',
    async (index) => {
      const { width, height, at } = imageOf(await printable(turned), index + 1);
      const strip = Math.round(height * 0.045);
      const middle = Math.round(width / 2);
      // The black ink at the very edge is above the strip, which is white except for its text.
      expect(isDark(at(middle, strip + 4))).toBe(true);
      expect(at(Math.round(width * 0.97), Math.round(strip / 2))).toBeGreaterThan(250);
      expect(at(1, Math.round(height / 2))).toBeGreaterThan(250);
    },
  );

  test('makes a page that stands in the document twice smaller only once', async () => {
    const bytes = await printable(await samePageTwice());
    const { height, at } = imageOf(bytes, 1);
    expect(sizesOf(bytes).slice(0, 2)).toEqual(['595x842', '595x842']);
    expect(isDark(at(300, Math.round(height * 0.045) + 4))).toBe(true);
  });

  test('keeps the fields of a form where their page shows them', async () => {
    const bytes = await printable(await plainPdf('streams', { form: true, pages: 1 }));
    expect(pagesOf(bytes)[0]).toContain('Maria');
    expect(complaintsOf(bytes)).toBe('');
  });

  test('shows the marks in their places, which are smaller with the page', async () => {
    const flow = [signedBy('Maria', { marks: [markOn(1)] })];
    const { height, at } = imageOf(await printable(turned, flow, marksOf({ flow, code: CODE })), 1);
    const foot = height * 0.045;
    const side = 595 * 0.0225;
    expect(isDark(at(Math.round(side + 61 * 0.955), Math.round(foot + 70 * 0.955)))).toBe(true);
  });
});

describe.skipIf(!canReadPdfs())('the original with marks', () => {
  test.each(TURNS.entries().toArray())(
    'has on page %i, turned by %i degrees, an upright mark where the flow wants it',
    async (index) => {
      const bytes = await marked(turned, [signedBy('Maria Conceição', { marks: [markOn(index + 1)] })]);
      expect(complaintsOf(bytes)).toBe('');
      const text = (pagesOf(bytes)[index] ?? '').replace(/\s+/g, ' ');
      expect(text).toContain('Assinado digitalmente por');
      expect(text).toContain('Maria Conceição');
      expect(text).toContain('CPF ***.982.247-** · 15/11/2026, 02:03:11 (Brasília)');
      const { at } = imageOf(bytes, index + 1);
      expect(isDark(at(61, 70))).toBe(true);
      expect(isDark(at(54, 70))).toBe(false);
      expect(pagesOf(bytes)).toHaveLength(4);
    },
  );

  test('has the marks without a place, or with one that is on no page, on a page of their own', async () => {
    const flow = [
      signedBy('Sem Lugar'),
      approvedBy('Outra Página', { marks: [markOn(9)] }),
      signedBy('Fora Dela', { marks: [markOn(1, { x: 5_000 })] }),
    ];
    const pages = pagesOf(await marked(turned, flow));
    expect(pages).toHaveLength(5);
    for (const said of ['Sem Lugar', 'Outra Página', 'Fora Dela', 'Aprovado por'])
      expect(pages[4]).toContain(said);
  });

  test('has the marks of a rule’s people one above the other in the rule’s place', async () => {
    const [ana, rui] = [person('Ana'), person('Rui')];
    const rule = action([ana, rui], {
      type: 'SignRule',
      state: 'Completed',
      required: 2,
      completions: [done(ana), done(rui)],
      marks: [markOn(1)],
    });
    const places = marksOf({ flow: [rule], code: CODE }).map(({ place }) => place);
    expect(places).toEqual([markOn(1, { y: 70, height: 30 }), markOn(1, { height: 30 })]);
    expect(pagesOf(await marked(turned, [rule]))[0]).toMatch(/Ana[\s\S]*Rui/);
  });

  test('has several marks of an action: from the upper left, initials, and the verification code', async () => {
    const top = { ...markOn(1), from: 'top' } as const;
    const marks = [
      markOn(1, { y: 300 }),
      { ...top, y: 20, type: 'SignatureInitials' } as const,
      { ...top, y: 120, type: 'AuthenticationStamp' } as const,
      { ...top, page: 99 },
    ];
    const flow = [signedBy('Maria da Conceição', { marks })];
    const [first = ''] = pagesOf(await marked(turned, flow));
    expect(first).toContain('Maria da Conceição');
    expect(first).toMatch(/\bMC\b/);
    expect(first).toContain('7FQ2M-9XKD4-TB3WR-8HJ5C');
    expect(pagesOf(await marked(turned, flow))).toHaveLength(pagesOf(turned).length);
  });

  test('has a mark for what is done and none for what is awaited', async () => {
    const pages = pagesOf(await marked(turned, [signedBy('Feita'), action([person('Esperada')])]));
    expect(pages.join('')).toContain('Feita');
    expect(pages.join('')).not.toContain('Esperada');
  });

  test('fills hundreds of marks into pages of their own', async () => {
    const flow = Array.from({ length: 150 }, (_, n) => signedBy(`Pessoa ${n};`));
    const text = pagesOf(await marked(turned, flow)).join('');
    for (let n = 0; n < 150; n++) expect(text).toContain(`Pessoa ${n};`);
  });

  test('no longer claims the signatures that its original came with', async () => {
    const signaturesIn = async (bytes: Uint8Array) => (await verify(Buffer.from(bytes))).signatures.length;
    const original = await signPades(await plainPdf('streams'), holder, OPTIONS);
    expect(await signaturesIn(original)).toBe(1);
    expect(await signaturesIn(await marked(original, [signedBy('Maria')]))).toBe(0);
    expect(await signaturesIn(await printable(original))).toBe(0);
  });
});
