// Run in a process of its own with a number of parts and their megabytes: merges them, and prints the most memory it took.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument, PDFRawStream } from 'pdf-lib';
import { drawInWorker } from '../../../../../functions/documents/domain/downloads/drawn/worker-pool.ts';
import { peakBytes } from '../../../../measure/peak-bytes.ts';

const [count, megabytes] = process.argv.slice(2).map(Number) as [number, number];

async function scanOf(bytes: number): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const page = pdf.addPage();
  const side = Math.floor(Math.sqrt(bytes));
  const image = {
    Type: 'XObject',
    Subtype: 'Image',
    Width: side,
    Height: side,
    ColorSpace: 'DeviceGray',
    BitsPerComponent: 8,
  };
  const stream = PDFRawStream.of(pdf.context.obj(image), randomBytes(side * side));
  page.node.newXObject('Scan', pdf.context.register(stream));
  return pdf.save();
}

const folder = await mkdtemp(join(tmpdir(), 'sinete-merge-'));
try {
  const path = join(folder, 'part.pdf');
  await writeFile(path, await scanOf(megabytes * 1_000_000));
  const bytes = count * (await stat(path)).size;
  const parts = Array.from({ length: count }, (_, index) => ({ path, name: `part ${index}` }));
  const target = join(folder, 'envelope.pdf');
  const request = {
    kind: 'merged',
    title: 'Envelope',
    atMs: 0,
    parts,
    target,
    bytes,
    fields: {},
    metadata: {},
  } as const;
  const options = { organizationId: 'one', now: () => 0, deadlineAtMs: 600_000 };
  const drawing = await drawInWorker(request, 300_000, options);
  if (!('merged' in drawing) || (await stat(target)).size < bytes * 0.9) throw new Error('Not merged.');
  console.log(peakBytes());
} finally {
  await rm(folder, { recursive: true });
}
process.exit(0);
