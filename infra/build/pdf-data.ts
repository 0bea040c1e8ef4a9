import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pdfDataName } from '../../shared/ui/pdf-data-name.ts';

// Fonts for documents that bring none of their own, and the tables of East Asian encodings.
const DATA = ['standard_fonts/*.{pfb,ttf}', 'cmaps/*.bcmap'];

/** The files that pdf.js asks for by name where a document needs them. Browsers load no others. */
export function pdfDataFiles(): { readonly name: string; readonly bytes: Uint8Array }[] {
  const description = createRequire(import.meta.url).resolve('pdfjs-dist/package.json');
  const { version } = JSON.parse(readFileSync(description, 'utf8')) as { version: string };
  const folder = dirname(description);
  return globSync(DATA, { cwd: folder })
    .toSorted()
    .map((path) => ({ name: pdfDataName(version, path), bytes: readFileSync(join(folder, path)) }));
}
