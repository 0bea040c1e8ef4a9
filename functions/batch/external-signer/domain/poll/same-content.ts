import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { contentOf } from '../../../../../shared/signing/cades/existing.ts';
import { type Job, type MeasuredFile, stagedKey } from '../../../jobs/domain/job/job.ts';
import { workFiles } from '../../../storage/domain/stores.ts';

/**
 * Whether a signed file holds the very file that was handed over. A platform lets its users replace the file of a
 * document, and people may then sign another one.
 */
export async function holdsStaged(job: Job, staged: MeasuredFile, signed: string): Promise<boolean> {
  if (job.format === 'Xades') return holdsXml(await stagedBytes(job), await readFile(signed));
  // A PDF, which is never empty, is signed by additions to its end. CAdES has the content inside.
  const content =
    job.format === 'Pades'
      ? createReadStream(signed, { end: staged.length - 1 })
      : contentOf(createReadStream(signed));
  return (await hashOf(content)) === staged.sha256;
}

async function hashOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of content) hash.update(piece);
  return hash.digest('hex');
}

async function stagedBytes(job: Job): Promise<Buffer> {
  const found = await (await workFiles()).get(stagedKey(job));
  return found ? buffer(found.stream) : Buffer.alloc(0);
}

/** Whether the signatures were put into the document at one place, and nothing else was changed. */
function holdsXml(staged: Buffer, signed: Buffer): boolean {
  if (staged.length === 0 || signed.length <= staged.length) return false;
  let before = 0;
  while (before < staged.length && staged[before] === signed[before]) before++;
  const rest = staged.subarray(before);
  return signed.subarray(signed.length - rest.length).equals(rest);
}
