import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Certificate } from '../../../../shared/pki/certificate/certificate.ts';

const TOOLS = ['pdfsig', 'qpdf', 'mutool', 'certutil', 'pk12util'] as const;

/** The tools that this machine lacks. Continuous integration must have all of them. */
export function missingTools(): string[] {
  const missing = TOOLS.filter((tool) => spawnSync(tool, ['--help']).error !== undefined);
  if (missing.length && process.env.CI)
    throw new Error(`These judges must be installed: ${missing.join(', ')}.`);
  if (missing.length)
    console.warn(
      `Skipped: ${missing.join(', ')} not installed (poppler-utils qpdf mupdf-tools libnss3-tools).`,
    );
  return missing;
}

export type Judged = {
  /** For each signature: 'Signature is Valid.', 'Certificate is Trusted.' and the like. */
  readonly signatures: readonly string[];
  readonly certificates: readonly string[];
  readonly coverage: readonly string[];
  readonly complaints: string;
};

export type Point = readonly [x: number, y: number];

export type Judges = {
  readonly judge: (bytes: Buffer) => Judged;
  /** The text that a reader shows on the page. */
  readonly text: (bytes: Buffer, page?: number) => string;
  /** Left, top, right and bottom of the non-white area of the first page, in points. */
  readonly inkBox: (bytes: Buffer) => readonly number[];
  /** The colours of a page at these points, from its lower left corner: `#ff0000` is red. */
  readonly colors: (bytes: Buffer, points: readonly Point[], page?: number) => string[];
  /** A page as a small PNG by pdftoppm: a pixel is 0.7 mm. */
  readonly picture: (bytes: Buffer, page: number) => Buffer;
  /** The first page as a JPEG by pdftoppm. */
  readonly jpeg: (bytes: Buffer, option: string) => Buffer;
  /** The file with a signature by pdfsig, with the key of this PKCS#12 file. */
  readonly sign: (bytes: Buffer, pkcs12: Buffer, password: string) => Buffer;
  /** The file with an update by mutool, which fills in every text field of the first page. */
  readonly fillIn: (bytes: Buffer, text: string) => Buffer;
  readonly close: () => void;
};

/**
 * pdfsig, qpdf and mutool in a temporary folder, with this root as trusted. Certificates with OCSP addresses need
 * `-no-ocsp`: nobody answers there.
 */
export function openJudges(root: Certificate, ...options: readonly '-no-ocsp'[]): Judges {
  const folder = mkdtempSync(join(tmpdir(), 'sinete-judges-'));
  const nss = `sql:${folder}`;
  const file = join(folder, 'judged.pdf');
  writeFileSync(join(folder, 'root.der'), root.der);
  run('certutil', '-N', '-d', nss, '--empty-password');
  run('certutil', '-A', '-d', nss, '-n', 'root', '-t', 'CT,C,C', '-i', join(folder, 'root.der'));
  return {
    judge: (bytes) => {
      writeFileSync(file, bytes);
      const output = run('pdfsig', ...options, '-nssdir', nss, file).output;
      const lines = (pattern: RegExp): string[] =>
        Array.from(output.matchAll(pattern), ([, line]) => line ?? '');
      const checked = run('qpdf', '--check', file);
      const info = run('mutool', 'info', file);
      return {
        signatures: lines(/Signature Validation: (.*)/g),
        certificates: lines(/Certificate Validation: (.*)/g),
        coverage: lines(/(Total document signed|Not total document signed)/g),
        complaints: [checked.status ? checked.output : '', info.status ? info.output : info.errors]
          .join('')
          .trim(),
      };
    },
    text: (bytes, page = 1) => {
      writeFileSync(file, bytes);
      return run('mutool', 'draw', '-q', '-F', 'txt', file, String(page)).output;
    },
    inkBox: (bytes) => {
      writeFileSync(file, bytes);
      const image = join(folder, 'page.pgm');
      run('mutool', 'draw', '-q', '-r', '72', '-F', 'pgm', '-o', image, file, '1');
      return inkBoxOf(readFileSync(image));
    },
    colors: (bytes, points, page = 1) => {
      writeFileSync(file, bytes);
      const image = join(folder, 'page.ppm');
      run('mutool', 'draw', '-q', '-r', '72', '-F', 'ppm', '-o', image, file, String(page));
      return colorsAt(readFileSync(image), points);
    },
    picture: (bytes, page) => {
      writeFileSync(file, bytes);
      const range = ['-f', String(page), '-l', String(page)];
      run('pdftoppm', '-png', '-cropbox', '-r', '36', ...range, '-singlefile', file, join(folder, 'page'));
      return readFileSync(join(folder, 'page.png'));
    },
    jpeg: (bytes, option) => {
      writeFileSync(file, bytes);
      run('pdftoppm', option, '-r', '72', '-singlefile', file, join(folder, 'page'));
      return readFileSync(join(folder, 'page.jpg'));
    },
    sign: (bytes, pkcs12, password) => {
      const [key, signed] = [join(folder, 'key.p12'), join(folder, 'signed.pdf')];
      writeFileSync(key, pkcs12);
      run('pk12util', '-i', key, '-d', nss, '-W', password, '-K', '');
      writeFileSync(file, bytes);
      run('pdfsig', '-nssdir', nss, '-add-signature', '-nick', 'holder', file, signed);
      return readFileSync(signed);
    },
    fillIn: (bytes, text) => {
      const [script, to] = [join(folder, 'fill.js'), join(folder, 'filled.pdf')];
      writeFileSync(file, bytes);
      const fill = `for (var i = 0; i < fields.length; i++) if (fields[i].getFieldType() === 'text') fields[i].setTextValue(${JSON.stringify(text)});`;
      writeFileSync(
        script,
        `var pdf = new PDFDocument(${JSON.stringify(file)}); var fields = pdf.loadPage(0).getWidgets(); ${fill} pdf.save(${JSON.stringify(to)}, 'incremental');`,
      );
      run('mutool', 'run', script);
      return readFileSync(to);
    },
    close: () => rmSync(folder, { recursive: true }),
  };
}

function run(tool: string, ...options: readonly string[]) {
  const { stdout, stderr, status } = spawnSync(tool, options, { encoding: 'utf8' });
  return { output: `${stdout}${stderr}`, errors: stderr, status };
}

function colorsAt(ppm: Buffer, points: readonly Point[]): string[] {
  const [head = '', width, height] =
    /^P6\s+(?:#.*\s+)*(\d+)\s+(\d+)\s+\d+\s/.exec(ppm.toString('latin1', 0, 200)) ?? [];
  return points.map(([x, y]) => {
    const at = head.length + 3 * ((Number(height) - 1 - Math.floor(y)) * Number(width) + Math.floor(x));
    return `#${ppm.toString('hex', at, at + 3)}`;
  });
}

function inkBoxOf(pgm: Buffer): number[] {
  const header = /^P5\s+(?:#.*\s+)*(\d+)\s+(\d+)\s+\d+\s/.exec(pgm.toString('latin1', 0, 200));
  const width = Number(header?.[1]);
  const points = pgm.subarray(header?.[0].length);
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [at, grey] of points.entries()) {
    if (grey > 250) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    box[0] = Math.min(box[0] ?? 0, x);
    box[1] = Math.min(box[1] ?? 0, y);
    box[2] = Math.max(box[2] ?? 0, x + 1);
    box[3] = Math.max(box[3] ?? 0, y + 1);
  }
  return box;
}
