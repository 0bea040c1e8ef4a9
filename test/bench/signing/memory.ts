import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Figure, median } from '../measure/figures.ts';
import { rawPdf } from '../measure/raw-pdf.ts';

const MB = 1024 * 1024;
const CADES_ROOM_BYTES = 64 * MB;
const PDF_BYTES = 10 * MB;

const RUNS = 3;

// The middle of a few: when the collector runs is not ours to say.
const peak = (format: 'cades' | 'pades' | 'signpdf-cms' | 'signpdf', bytes: number): number =>
  median(Array.from({ length: RUNS }, () => probe(format, bytes)));

const probe = (format: string, bytes: number): number =>
  Number(
    execFileSync(process.execPath, ['test/bench/measure/memory-probe.ts', format, String(bytes)], {
      encoding: 'utf8',
    }),
  );

const BLOB_BYTES = 100 * MB;

/** The same for a PDF that is uploaded in parts and signed by API, with the stores of one process. */
function peakByBlob(bytes: number): number {
  const folder = mkdtempSync(join(tmpdir(), 'sinete-bench-'));
  try {
    const file = join(folder, 'large.pdf');
    writeFileSync(file, rawPdf(bytes));
    const env = { ...process.env, Log__Level: 'ERROR' };
    const run = () =>
      execFileSync(process.execPath, ['test/bench/measure/by-blob-probe.ts', file], {
        env,
        encoding: 'utf8',
      });
    return median(Array.from({ length: RUNS }, () => Number(run())));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const megabytes = (bytes: number): string => `${Math.round(bytes / MB)} MB`;

/** The most memory a signature takes, each in a process of its own. */
export async function figures(): Promise<Figure[]> {
  const small = peak('cades', MB);
  const large = peak('cades', 100 * MB);
  const base = peak('pades', 0);
  const pdf = peak('pades', PDF_BYTES);
  const theirs = peak('signpdf-cms', 100 * MB) - peak('signpdf-cms', MB);
  const theirPdf = peak('signpdf', PDF_BYTES) - peak('signpdf', 0);
  const [byBlob, blobBase] = [peakByBlob(BLOB_BYTES), peakByBlob(0)];
  return [
    {
      name: 'a PDF of 100 MB by blob, signed by API: memory over the base, of twice the file',
      ratio: Math.max(0, byBlob - blobBase) / (2 * BLOB_BYTES),
      promised: { atMost: 1 },
      detail: `${megabytes(byBlob)} and ${megabytes(blobBase)} at the base; a function has 1,024 MB`,
    },
    {
      name: 'CAdES attached, 100 MB against 1 MB: more memory, of 64 MB',
      ratio: Math.max(0, large - small) / CADES_ROOM_BYTES,
      promised: { atMost: 1 },
      detail: `${megabytes(large)} and ${megabytes(small)}; @signpdf, which signs a buffer, ${megabytes(theirs)} more`,
    },
    {
      name: 'PAdES on a 10 MB PDF: memory over the base, of twice the file',
      ratio: Math.max(0, pdf - base) / (2 * PDF_BYTES),
      promised: { atMost: 1 },
      detail: `${megabytes(pdf)} and ${megabytes(base)} at the base; @signpdf ${megabytes(theirPdf)} over its own`,
    },
  ];
}
