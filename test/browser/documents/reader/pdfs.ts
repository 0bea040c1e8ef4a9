import { randomBytes } from 'node:crypto';
import { degrees, PDFDocument, type PDFPage, PDFRawStream, StandardFonts } from 'pdf-lib';
import { buildPdf, throughQpdf } from '../../../shared/signing/pades/documents.ts';
import { faxRows, jbig2, jpeg2000 } from './images.ts';

type Bytes = Uint8Array<ArrayBuffer>;
const own = (bytes: Uint8Array): Bytes => Uint8Array.from(bytes);

/** A contract whose pages are rotated as told, with a line of text on each that no other has. */
export async function contract(turns: readonly number[]): Promise<Bytes> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (const [index, turn] of turns.entries()) {
    const page = pdf.addPage([595, 842]);
    page.setRotation(degrees(turn));
    page.drawText(`Cláusula ${index + 1}: da Ação e da reação.`, { x: 60, y: 760, size: 14, font });
  }
  return own(await pdf.save());
}

/** As many pages, each with an image that does not compress: together about as many bytes. */
export async function largePdf(pages: number, bytes: number): Promise<Bytes> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  const side = Math.floor(Math.sqrt(bytes / pages));
  for (let number = 1; number <= pages; number++) {
    const page = pdf.addPage([595, 842]);
    drawImage(pdf, page, PDFRawStream.of(imageDict(pdf, side), randomBytes(side * side)));
    page.drawText(`Página ${number} de ${pages}`, { x: 60, y: 760, size: 18, font });
  }
  return own(await pdf.save());
}

const imageDict = (pdf: PDFDocument, side: number) =>
  pdf.context.obj({
    Type: 'XObject',
    Subtype: 'Image',
    Width: side,
    Height: side,
    ColorSpace: 'DeviceGray',
    BitsPerComponent: 8,
  });

function drawImage(pdf: PDFDocument, page: PDFPage, image: PDFRawStream): void {
  const name = page.node.newXObject('Image', pdf.context.register(image));
  const content = `q 475 0 0 475 60 100 cm ${name} Do Q`;
  page.node.addContentStream(pdf.context.register(pdf.context.stream(content)));
}

/** Where the images are on the page of `scannedPdf`, in points from its lower left corner. */
export const SCANS = {
  fax: { x: 100, y: 600 },
  jbig2: { x: 100, y: 400 },
  jpeg2000: { x: 100, y: 200 },
} as const;

/** A page as scanners and old programs make it: three images that need decoders, and Japanese without a font. */
export function scannedPdf(): Bytes {
  const hex = (bytes: Uint8Array): string => `${Buffer.from(bytes).toString('hex')}>`;
  const image = (entries: string, filter: string, bytes: Uint8Array): string =>
    `<< /Type /XObject /Subtype /Image /Width 16 /Height 8 ${entries} /Filter [/ASCIIHexDecode /${filter}] /Length ${hex(bytes).length} >>\nstream\n${hex(bytes)}\nendstream`;
  const bilevel = '/ColorSpace /DeviceGray /BitsPerComponent 1';
  const place = ({ x, y }: { x: number; y: number }, name: string): string =>
    `q 160 0 0 80 ${x} ${y} cm /${name} Do Q`;
  const content = [
    place(SCANS.fax, 'Fax'),
    place(SCANS.jbig2, 'Jbig2'),
    place(SCANS.jpeg2000, 'Jpx'),
    'BT /Japanese 20 Tf 100 100 Td <65E5672C8A9E> Tj ET',
  ].join('\n');
  const fax = '/DecodeParms [null << /K -1 /Columns 16 /Rows 8 /BlackIs1 false >>]';
  return own(
    buildPdf({
      1: '<< /Type /Catalog /Pages 2 0 R >>',
      2: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /XObject << /Fax 5 0 R /Jbig2 6 0 R /Jpx 7 0 R >> /Font << /Japanese 8 0 R >> >> >>',
      4: `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      5: image(`${bilevel} ${fax}`, 'CCITTFaxDecode', faxRows()),
      6: image(bilevel, 'JBIG2Decode', jbig2()),
      7: image('', 'JPXDecode', jpeg2000()),
      8: '<< /Type /Font /Subtype /Type0 /BaseFont /HeiseiMin-W3 /Encoding /UniJIS-UCS2-H /DescendantFonts [9 0 R] >>',
      9: '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /HeiseiMin-W3 /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> /FontDescriptor 10 0 R >>',
      10: '<< /Type /FontDescriptor /FontName /HeiseiMin-W3 /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>',
    }),
  );
}

/** A PDF that is encrypted: with an empty password, as many are against changes, or with another. */
export const encrypted = async (password: string): Promise<Bytes> =>
  own(throughQpdf(Buffer.from(await contract([0])), '--encrypt', password, 'owner', '256', '--'));

/** The beginning of a PDF, and nothing that a reader could go by. */
export const damaged = (): Bytes => own(Buffer.from(`%PDF-1.7\n${'not a PDF any more\n'.repeat(50)}`));
