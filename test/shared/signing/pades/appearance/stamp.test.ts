import { PDFDocument, rgb, StandardFonts } from 'pdf-lib';
import { afterAll, describe, expect, test } from 'vitest';
import { drawStamp } from '../../../../../shared/signing/pades/appearance/stamp.ts';
import { signPades } from '../../../../../shared/signing/pades/sign.ts';
import { pki } from '../../cms/fixtures.ts';
import { missingTools, openJudges } from '../judges.ts';
import { OPTIONS, person } from '../parties.ts';

const missing = missingTools();
const judges = missing.length ? undefined : openJudges(pki.root.certificate);
afterAll(() => judges?.close());

const stamp = {
  title: 'Assinado digitalmente por',
  name: 'MARIA APARECIDA DA CONCEIÇÃO DOS SANTOS E SILVA',
  details: ['CPF ***.982.247-**', '18/11/2026 02:30:00 -03:00'],
};

const PLACES = [
  { page: 1, x: 40, y: 700, width: 220, height: 60 },
  { page: 1, x: 300, y: 700, width: 120, height: 90 },
  { page: 1, x: 40, y: 600, width: 90, height: 30 },
] as const;

/** A page that is full of dark text, on which a stamp has to be read. */
async function fullPage(): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.HelveticaBold);
  const page = pdf.addPage([595, 842]);
  for (let y = 10; y < 832; y += 9)
    page.drawText('W'.repeat(60), { x: 10, y, size: 10, font, color: rgb(0, 0, 0) });
  return Buffer.from(await pdf.save());
}

describe.skipIf(missing.length > 0)('a stamp', () => {
  test('is read over text, which does not show through, and the file stays valid', async () => {
    let file = await fullPage();
    for (const place of PLACES)
      file = await signPades(file, person, { ...OPTIONS, visible: { stamp, place } });
    // In the corner of each there is neither text of the stamp nor of the page.
    const corners = PLACES.map(({ x, y, width }) => [x + width - 2.5, y + 2.5] as const);
    expect(judges?.colors(file, corners)).toEqual(['#ffffff', '#ffffff', '#ffffff']);
    const text = judges?.text(file).replace(/\s+/g, ' ') ?? '';
    expect(text.match(/CPF \*\*\*\.982\.247-\*\*/g)).toHaveLength(3);
    expect(text).toContain('Assinado digitalmente por');
    const judged = judges?.judge(file);
    expect(judged?.complaints).toBe('');
    expect(judged?.signatures).toEqual(Array(3).fill('Signature is Valid.'));
  });
});

const FONTS = { font: (face: string) => `/${face}` };

const sizesOf = (drawing: string): number[] =>
  Array.from(drawing.matchAll(/Tf|\/Helvetica(?:Bold)? ([\d.]+) Tf/g), ([, size]) => Number(size));

test('the text of a stamp grows with its place up to a limit, and gives up the seal before it cannot be read', () => {
  const large = drawStamp(stamp, { width: 500, height: 200 }, FONTS);
  const usual = drawStamp(stamp, { width: 220, height: 60 }, FONTS);
  const small = drawStamp(stamp, { width: 90, height: 30 }, FONTS);
  expect(Math.max(...sizesOf(large))).toBe(13);
  expect(Math.min(...sizesOf(usual))).toBeGreaterThan(4.5);
  expect(small).not.toContain(' c ');
  expect(usual).toContain(' c ');
});

test.each([
  [1, 1],
  [3, 400],
  [400, 3],
  [1000, 1000],
])('a place of %i by %i points is drawn without a wrong number', (width, height) => {
  const drawing = drawStamp({ ...stamp, name: 'Z' }, { width, height }, FONTS);
  expect(drawing).not.toMatch(/NaN|Infinity|e-/);
});
