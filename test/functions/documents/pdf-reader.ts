import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const TOOLS = ['pdftotext', 'pdfinfo', 'pdftoppm', 'qpdf'] as const;

/** Whether the PDF tools are installed. In CI they must be. */
export function canReadPdfs(): boolean {
  const missing = TOOLS.filter((tool) => spawnSync(tool, ['--help']).error !== undefined);
  if (missing.length && process.env.CI) throw new Error(`These must be installed: ${missing.join(', ')}.`);
  if (missing.length) console.warn(`Skipped: ${missing.join(', ')} not installed (poppler-utils qpdf).`);
  return missing.length === 0;
}

function withFile<T>(bytes: Uint8Array, use: (path: string, folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'sinete-pdf-'));
  try {
    const path = join(folder, 'read.pdf');
    writeFileSync(path, bytes);
    return use(path, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const run = (tool: (typeof TOOLS)[number], ...args: string[]) =>
  spawnSync(tool, args, { encoding: 'utf8', maxBuffer: 50_000_000 });

/** The text of a PDF, page by page, in reading order. */
export const pagesOf = (bytes: Uint8Array): string[] =>
  withFile(bytes, (path) => run('pdftotext', '-layout', path, '-').stdout.split('\f').slice(0, -1));

/** The problems that another implementation reports of the file; empty for a valid one. */
export const complaintsOf = (bytes: Uint8Array): string =>
  withFile(bytes, (path) => {
    const { status, stdout, stderr } = run('qpdf', '--check', path);
    return status === 0 ? '' : `${stdout}${stderr}`;
  });

/** Width and height of each page as it is shown, in whole points. */
export const sizesOf = (bytes: Uint8Array): string[] =>
  withFile(bytes, (path) => {
    const told = run('pdfinfo', '-f', '1', '-l', '-1', path).stdout;
    return Array.from(told.matchAll(/Page +\d+ size: +([\d.]+) x ([\d.]+)/g), ([, width, height]) =>
      [width, height].map((side) => Math.round(Number(side))).join('x'),
    );
  });

/** A page as an image, a gray value a point unless it is told more dots an inch. */
export const imageOf = (bytes: Uint8Array, page: number, dotsPerInch = 72) =>
  withFile(bytes, (path, folder) => {
    run(
      'pdftoppm',
      '-gray',
      '-cropbox',
      '-r',
      `${dotsPerInch}`,
      '-f',
      `${page}`,
      '-l',
      `${page}`,
      '-singlefile',
      path,
      join(folder, 'p'),
    );
    const image = readFileSync(join(folder, 'p.pgm'));
    const [head = '', width = 0, height = 0] =
      /^P5\s(\d+)\s(\d+)\s\d+\s/
        .exec(image.subarray(0, 60).toString('latin1'))
        ?.map((part, n) => (n ? Number(part) : part)) ?? [];
    const gray = image.subarray(String(head).length);
    return {
      width: Number(width),
      height: Number(height),
      gray,
      at: (x: number, fromBottom: number) => gray[(Number(height) - 1 - fromBottom) * Number(width) + x] ?? 0,
    };
  });
