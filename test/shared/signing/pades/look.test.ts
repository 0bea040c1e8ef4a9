import { deflateSync } from 'node:zlib';
import { PDFDocument } from 'pdf-lib';
import { afterAll, describe, expect, test } from 'vitest';
import { fitText } from '../../../../shared/signing/pades/look/fit-text.ts';
import { widthOf } from '../../../../shared/signing/pades/look/helvetica.ts';
import { winAnsi } from '../../../../shared/signing/pades/look/win-ansi.ts';
import { signPades } from '../../../../shared/signing/pades/sign.ts';
import { pki } from '../cms-fixtures.ts';
import { plainPdf } from './documents.ts';
import { missingTools, openJudges } from './judges.ts';
import { OPTIONS, person, verified } from './parties.ts';

const missing = missingTools();
const judges = missing.length ? undefined : openJudges(pki.root.certificate);
afterAll(() => judges?.close());

const place = { page: 1, x: 40, y: 40, width: 220, height: 70 } as const;
// Eight points high, by pdftoppm.
const JPEG = Buffer.from(
  '/9j/4AAQSkZJRgABAQEAAAAAAAD/2wBDACgcHiMeGSgjISMtKygwPGRBPDc3PHtYXUlkkYCZlo+AjIqgtObDoKrarYqMyP/L2u71' +
    '////m8H////6/+b9//j/2wBDASstLTw1PHZBQXb4pYyl+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4' +
    '+Pj4+Pj4+Pj/wAARCAAIAAYDASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUF' +
    'BAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVW' +
    'V1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi' +
    '4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAEC' +
    'AxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVm' +
    'Z2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq' +
    '8vP09fb3+Pn6/9oADAMBAAIRAxEAPwDZooooA//Z',
  'base64',
);

const LINES = ['Assinado digitalmente por JOSÉ DA CONCEIÇÃO', 'Razão: aprovação “à vista” – R$ 10 €'];

describe.skipIf(missing.length > 0)('what is shown', () => {
  test.each([0, 90, 180, 270])(
    'is read upright, accents and all, on a page turned by %i degrees',
    async (rotate) => {
      const file = await plainPdf('table', { rotate });
      const signed = await signPades(file, person, {
        ...OPTIONS,
        visible: { lines: LINES, border: true, place },
      });
      const shown = judges?.text(signed).replace(/\s+/g, ' ');
      expect(shown).toContain('Assinado digitalmente por JOSÉ DA CONCEIÇÃO');
      expect(shown).toContain('Razão: aprovação “à vista” – R$ 10 €');
      expect(judges?.judge(signed).complaints).toBe('');
    },
  );

  test('stands where it was asked for, whatever the page is turned by', async () => {
    for (const rotate of [0, 90, 180, 270]) {
      const file = await plainPdf('table', { rotate, blank: true });
      const signed = await signPades(file, person, {
        ...OPTIONS,
        visible: { image: png(2, 8, 2, 2), place },
      });
      const [left = 0, top = 0, right = 0, bottom = 0] = judges?.inkBox(signed) ?? [];
      const height = rotate % 180 ? 595 : 842;
      // The image is square, as high as the place without its margins, and in its middle.
      expect([left, height - bottom, right - left, bottom - top].map(Math.round)).toEqual([118, 43, 64, 64]);
    }
  });

  test.each([
    ['grey', png(0, 8)],
    ['grey of one bit', png(0, 1)],
    ['grey of 16 bits', png(0, 16)],
    ['colours', png(2, 8)],
    ['a palette', png(3, 4)],
    ['a transparent palette', png(3, 2, 5, 3, Buffer.from([0, 128, 255]))],
    ['a transparent colour', png(2, 8, 5, 3, Buffer.from([0, 1, 0, 2, 0, 3]))],
    ['grey and transparency', png(4, 8)],
    ['colours and transparency', png(6, 8)],
    ['colours and transparency of 16 bits', png(6, 16)],
  ])('is a PNG with %s', async (_, image) => {
    const signed = await signPades(await plainPdf('table'), person, {
      ...OPTIONS,
      visible: { lines: LINES, image, place },
    });
    expect((await verified(signed)).valid).toBe(true);
    expect(judges?.judge(signed).complaints).toBe('');
    expect(judges?.text(signed)).not.toMatch(/error|cannot/i);
  });

  test('is a JPEG', async () => {
    const signed = await signPades(await plainPdf('table'), person, {
      ...OPTIONS,
      visible: { image: JPEG, place },
    });
    expect(judges?.judge(signed).complaints).toBe('');
    expect(judges?.text(signed)).not.toMatch(/error|cannot/i);
  });
});

test('the original is still readable by another library with the signature in it', async () => {
  const signed = await signPades(await plainPdf('streams'), person, {
    ...OPTIONS,
    visible: { lines: LINES, place },
  });
  const document = await PDFDocument.load(signed);
  expect(
    document
      .getForm()
      .getFields()
      .map((field) => field.getName()),
  ).toEqual(['Signature1']);
});

test.each([
  ['of another kind', Buffer.from('GIF89a')],
  ['cut short', png(2, 8).subarray(0, 60)],
  ['interlaced', interlaced()],
  ['of a size that fills memory', png(2, 8, 60_000, 60_000)],
  ['a JPEG without a frame', Buffer.from([0xff, 0xd8, 0xff, 0xd9, 0, 0, 0, 0, 0, 0, 0, 0])],
])('an image that is %s is refused', async (_, image) => {
  const asked = signPades(await plainPdf('table'), person, { ...OPTIONS, visible: { image, place } });
  await expect(asked).rejects.toMatchObject({ name: 'PdfRefused', reason: 'image-unreadable' });
});

test.each([
  [{ ...place, x: 700 }],
  [{ ...place, y: -200 }],
  [{ ...place, width: 0 }],
  [{ ...place, height: Number.NaN }],
])('a place that is not on the page is refused', async (wrong) => {
  const asked = signPades(await plainPdf('table'), person, {
    ...OPTIONS,
    visible: { lines: ['x'], place: wrong },
  });
  await expect(asked).rejects.toMatchObject({ reason: 'no-place' });
});

test('a visible signature in a new field needs a place', async () => {
  const asked = signPades(await plainPdf('table'), person, { ...OPTIONS, visible: { lines: ['x'] } });
  await expect(asked).rejects.toMatchObject({ reason: 'no-place' });
});

test('letters that the font lacks lose their accents, and become question marks where that does not help', () => {
  expect(winAnsi('João Ção €–“”')).toBe('Jo\xe3o \xc7\xe3o \x80\x96\x93\x94');
  expect(winAnsi('Łukasz Şahin')).toBe('?ukasz Sahin');
  expect(winAnsi('a\tb\u{1f600}c')).toBe('a b?c');
  expect(winAnsi('Joa\u0303o')).toBe('Jo\xe3o');
});

test('lines shrink and break until all of them fit', () => {
  const long = [
    'Assinado digitalmente por MARIA APARECIDA DA CONCEIÇÃO DOS SANTOS E SILVA',
    'CPF 529.982.247-25',
  ];
  const { lines, sizePoints } = fitText(long, 150, 40);
  expect(lines.length).toBeGreaterThan(2);
  expect(lines.every((line) => widthOf(line, sizePoints) <= 150)).toBe(true);
  expect(lines.length * sizePoints * 1.2).toBeLessThanOrEqual(40);
  expect(fitText(['short'], 500, 500).sizePoints).toBe(12);
});

function chunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, data, Buffer.alloc(4)]);
}

/** A PNG of a colour type, its points told only where they are few. */
function png(kind: number, bits: number, width = 5, height = 3, transparency?: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([bits, kind], 8);
  const colors = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[kind] ?? 1;
  const perRow = 1 + Math.ceil((width * colors * bits) / 8);
  const rows = Buffer.alloc(width > 1000 ? 1 : perRow * height, 0x11);
  for (let row = 0; row < height && width <= 1000; row++) rows[row * perRow] = row % 5;
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    ...(kind === 3 ? [chunk('PLTE', Buffer.alloc(3 * Math.min(2 ** bits, 16), 0x40))] : []),
    ...(transparency ? [chunk('tRNS', transparency)] : []),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function interlaced(): Buffer {
  const image = Buffer.from(png(2, 8));
  image[28] = 1;
  return image;
}
