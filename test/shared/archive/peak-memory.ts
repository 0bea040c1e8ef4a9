import { spawnSync } from 'node:child_process';
import { writeWorkbook } from '../../../shared/archive/workbook.ts';
import { writeZip, type ZipEntry } from '../../../shared/archive/zip.ts';

type What = 'zip' | 'workbook';

/** The most memory of a process that writes a ZIP of so many megabytes, or a workbook of so many rows. */
export function peakBytes(what: What, amount: number): number {
  const args = ['--no-warnings', import.meta.filename, what, String(amount)];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (stderr !== '') throw new Error(stderr);
  return Number(stdout);
}

const MB = 1024 * 1024;
const modifiedAtMs = 0;

/** Files of 1 MB, as a store would hand them over: in new chunks. */
function* files(count: number): Generator<ZipEntry> {
  async function* content() {
    for (let sent = 0; sent < MB; sent += 64 * 1024) yield Buffer.alloc(64 * 1024, `${sent} `);
  }
  for (let at = 0; at < count; at++) yield { name: `${at}`, content: content(), modifiedAtMs };
}

async function* rows(count: number): AsyncGenerator<string[]> {
  for (let at = 0; at < count; at++)
    yield Array.from({ length: 10 }, (_, column) => `row ${at} of ${column}`);
}

if (import.meta.main) {
  const [what, amount] = [process.argv[2], Number(process.argv[3])];
  const columns = Array.from({ length: 10 }, (_, at) => ({ title: `${at}`, width: 10 }));
  const bytes =
    what === 'zip'
      ? writeZip(files(amount))
      : writeWorkbook({ sheetName: 'Jobs', columns, rows: rows(amount), modifiedAtMs });
  // Not resourceUsage(), which carries the peak of the process that started this one over into it.
  let peak = 0;
  for await (const _ of bytes) peak = Math.max(peak, process.memoryUsage.rss());
  console.log(peak);
}
