import { degrees, PDFDocument, PDFName, rgb, StandardFonts } from 'pdf-lib';
import type { Document } from '../../../../../../functions/documents/domain/document/document.ts';
import type { Flow } from '../../../../../../functions/documents/domain/flow/flow.ts';
import { SIGNED_AT_MS } from '../../../sample-flow.ts';

export const TURNS = [0, 90, 180, 270];

/** One A4 page per rotation, cropped, with black ink along the edge that is shown at its foot. */
export async function turnedPages(): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (const turn of TURNS) {
    const page = pdf.addPage([700, 900]);
    page.drawRectangle({ x: 0, y: 0, width: 700, height: 900, color: rgb(0.5, 0.5, 0.5) });
    page.setCropBox(50, 25, 595, 842);
    page.drawRectangle({ x: 50, y: 25, width: 595, height: 842, color: rgb(1, 1, 1) });
    page.drawRectangle({ ...footOf(turn), color: rgb(0, 0, 0) });
    page.drawText(`virada ${turn}`, { x: 300, y: 450, size: 18, font });
    page.setRotation(degrees(turn));
  }
  return Buffer.from(await pdf.save());
}

// The strip, 10 points high, that is at the bottom after the rotation.
function footOf(turn: number) {
  if (turn === 90) return { x: 635, y: 25, width: 10, height: 842 };
  if (turn === 180) return { x: 50, y: 857, width: 595, height: 10 };
  if (turn === 270) return { x: 50, y: 25, width: 10, height: 842 };
  return { x: 50, y: 25, width: 595, height: 10 };
}

/** A document whose page tree names its only page twice. */
export async function samePageTwice(): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  const page = pdf.addPage([595, 842]);
  page.drawRectangle({ x: 0, y: 0, width: 595, height: 10, color: rgb(0, 0, 0) });
  const pages = pdf.catalog.Pages();
  pages.Kids().push(page.ref);
  pages.set(PDFName.of('Count'), pdf.context.obj(2));
  return Buffer.from(await pdf.save());
}

export const SHA256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

/** A document, as far as drawings need it. */
export const documentWith = (flow: Flow, more: Partial<Document> = {}): Document => ({
  id: '3f0c2c5e-6a0b-4a9e-9d1e-0b7f5c1c2d3e',
  organizationId: 'organization',
  folderId: null,
  state: 'Pending',
  name: 'Contrato de prestação de serviços nº 12',
  original: { key: 'k', name: 'contrato.pdf', contentType: 'application/pdf', size: 1, md5: '' },
  signed: { key: 's', size: 1, revision: 1 },
  format: 'PAdES',
  forceCadesSignature: false,
  round: 1,
  flow,
  description: null,
  additionalInfo: null,
  tags: [],
  notifiedEmails: [],
  observers: [],
  attachments: [],
  createdBy: { id: 'app', name: 'app', type: 'Application' },
  createdAtMs: SIGNED_AT_MS,
  updatedAtMs: SIGNED_AT_MS,
  expiresAtMs: null,
  statusUpdatedBy: null,
  statusUpdateReason: null,
  keySecret: '',
  code: '7FQ2M9XKD4TB3WR8HJ5C',
  ...more,
});
