import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { sha256Of } from '../../../../../shared/files/sha256.ts';
import { contentOf } from '../../../../../shared/signing/cades/existing.ts';
import { type Job, type MeasuredFile, stagedKey } from '../../../jobs/domain/job/job.ts';
import { workFiles } from '../../../storage/domain/stores.ts';

/**
 * Whether a signed file holds the very file that was handed over. A platform lets its users replace the file of a
 * document, and people may then sign another one.
 */
export async function holdsStaged(job: Job, staged: MeasuredFile, signed: string): Promise<boolean> {
  if (job.format === 'Xades') return holdsXml(job, signed);
  // A PDF, which is never empty, is signed by additions to its end. CAdES has the content inside.
  const content =
    job.format === 'Pades'
      ? createReadStream(signed, { end: staged.length - 1 })
      : contentOf(createReadStream(signed));
  return (await sha256Of(content)) === staged.sha256;
}

async function stagedBytes(job: Job): Promise<Buffer> {
  const found = await (await workFiles()).get(stagedKey(job));
  return found ? buffer(found.stream) : Buffer.alloc(0);
}

// Loaded on demand: the parser is WebAssembly, and few jobs are XML.
async function holdsXml(job: Job, signed: string): Promise<boolean> {
  const { addsOnlySignatures } = await import('../../../../../shared/signing/xades/added-signatures.ts');
  return addsOnlySignatures(await stagedBytes(job), await readFile(signed));
}
