import { type Files, files } from '../../../../shared/files/files.ts';
import { sha256Of } from '../../../../shared/files/sha256.ts';
import type { Part } from './backup.ts';
import { exportedFiles } from './export.ts';
import type { Run } from './run.ts';
import { folderOf, isOnShare, targetFiles } from './target.ts';

/** Stores the files of an export: copies them to the share, or measures them where they are. True when all are stored. */
export async function storeParts(run: Run, exportArn: string): Promise<boolean> {
  const [from, to] = [files('batch'), await targetFiles()];
  const exported = await exportedFiles(run.id, exportArn);
  const before = run.record().parts;
  const left = exported.filter(({ name }) => !before.some((part) => part.name === name));
  for (const [n, { name, lines }] of left.entries()) {
    const { parts } = run.record();
    // One at least: the time may be too short for a large file.
    if (n > 0 && !run.hasTime()) return false;
    const stored = await run.whileRenewed(() => storeFile(from, to, `${folderOf(run.id)}${name}`));
    await run.save({ parts: [...parts, { name, kind: 'items', lines, ...stored }] });
  }
  return true;
}

async function storeFile(from: Files, to: Files, key: string): Promise<Pick<Part, 'bytes' | 'sha256'>> {
  const opened = await from.get(key);
  if (!opened) throw new Error(`The export has lost its file ${key}.`);
  if (!isOnShare()) return { bytes: opened.length, sha256: await sha256Of(opened.stream) };
  const { length, sha256 } = await to.put(key, opened.stream, { contentType: 'application/gzip' });
  return { bytes: length, sha256 };
}
