import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { degrees, PDFDocument, StandardFonts } from 'pdf-lib';

export type PageOptions = {
  readonly pages?: number;
  readonly rotate?: number;
  readonly form?: boolean | 'empty';
  readonly blank?: boolean;
};

/** A document by pdf-lib: with a table, or with object and cross-reference streams. */
export async function plainPdf(kind: 'table' | 'streams', options: PageOptions = {}): Promise<Buffer> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (let number = 1; number <= (options.pages ?? 2); number++) {
    const page = document.addPage([595, 842]);
    if (!options.blank) page.drawText(`Contrato, página ${number}`, { x: 50, y: 760, size: 18, font });
    if (options.rotate) page.setRotation(degrees(options.rotate));
  }
  if (options.form) {
    const field = document.getForm().createTextField('buyer.name');
    field.addToPage(document.getPage(0), { x: 50, y: 600, width: 200, height: 24 });
    if (options.form !== 'empty') field.setText('Maria');
  }
  return Buffer.from(await document.save({ useObjectStreams: kind === 'streams' }));
}

/** The file as rewritten by qpdf. */
export function throughQpdf(bytes: Buffer, ...options: readonly string[]): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'sinete-qpdf-'));
  try {
    const [from, to] = [join(folder, 'from.pdf'), join(folder, 'to.pdf')];
    writeFileSync(from, bytes);
    execFileSync('qpdf', [...options, from, to]);
    return readFileSync(to);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Builds a file of these objects and a table. A body is the text between `obj` and `endobj`. */
export function buildPdf(bodies: Readonly<Record<number, string>>, trailer = '', before = ''): Buffer {
  let text = `${before}%PDF-1.7\n%\xe2\xe3\xcf\xd3\n`;
  const offsets = new Map<number, number>();
  for (const [id, body] of Object.entries(bodies)) {
    offsets.set(Number(id), text.length - before.length);
    text += `${id} 0 obj\n${body}\nendobj\n`;
  }
  const size = Math.max(...offsets.keys()) + 1;
  const at = text.length - before.length;
  text += `xref\n0 ${size}\n0000000000 65535 f \n`;
  for (let id = 1; id < size; id++) text += entry(offsets.get(id));
  text += `trailer\n<</Size ${size}/Root 1 0 R${trailer}>>\nstartxref\n${at}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}

export const entry = (offset: number | undefined): string =>
  offset === undefined ? '0000000000 00000 f \n' : `${String(offset).padStart(10, '0')} 00000 n \n`;

export const ONE_PAGE = {
  1: '<</Type/Catalog/Pages 2 0 R>>',
  2: '<</Type/Pages/Kids[3 0 R]/Count 1>>',
  3: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R>>',
  4: '<</Length 44>>\nstream\nBT /F1 18 Tf 50 760 Td (Valor: R$ 100) Tj ET\nendstream',
  5: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
};

/** A hybrid file: only its cross-reference stream, which old readers skip, lists the page's contents. */
export function hybridPdf(): Buffer {
  let text = '%PDF-1.5\n%\xe2\xe3\xcf\xd3\n';
  const offsets = new Map<number, number>();
  const add = (id: number, body: string): void => {
    offsets.set(id, text.length);
    text += `${id} 0 obj\n${body}\nendobj\n`;
  };
  add(1, ONE_PAGE[1]);
  add(2, ONE_PAGE[2]);
  add(3, ONE_PAGE[3]);
  add(4, ONE_PAGE[4]);
  const font = ONE_PAGE[5];
  add(6, `<</Type/ObjStm/N 1/First 4/Length ${font.length + 4}>>\nstream\n5 0 ${font}\nendstream`);
  const row = (kind: number, second: number, third: number): string =>
    String.fromCharCode(kind, second >> 8, second & 0xff, third);
  const rows = row(2, 6, 0) + row(1, offsets.get(6) ?? 0, 0);
  const streamAt = text.length;
  text += `7 0 obj\n<</Type/XRef/Size 8/W[1 2 1]/Index[5 2]/Root 1 0 R/Length ${rows.length}>>\nstream\n${rows}\nendstream\nendobj\n`;
  const at = text.length;
  text += 'xref\n0 5\n0000000000 65535 f \n';
  for (const id of [1, 2, 3, 4]) text += entry(offsets.get(id));
  text += `7 1\n${entry(streamAt)}`;
  text += `trailer\n<</Size 8/Root 1 0 R/XRefStm ${streamAt}>>\nstartxref\n${at}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}
