import { join } from 'node:path';
import { Refused } from './api.ts';
import { removeIfSame } from './directory.ts';
import { download } from './download.ts';
import type { Place } from './place.ts';
import type { Entry } from './state.ts';
import { fail, type Work } from './work.ts';

/** Fetches the signed file of a completed job, and then removes the original. It may be killed anywhere and run again. */
export async function settle(entry: Entry, jobId: string, work: Work, { api }: Place): Promise<void> {
  const { options, report, state } = work;
  try {
    const { inputSha256, errorCode } = await api.job(jobId);
    if (inputSha256 !== entry.sha256)
      fail(report, entry, 'another program put a file of its name into the folder, and that one was signed.');
    else {
      const { output } = options;
      const signed = await download(api, { jobId, output, transfer: report.transfer });
      await release(entry, errorCode, work);
      // A person may end the command when it has said this: all is done, and recorded.
      await state.save();
      report.say(`${entry.name}: signed, ${join(output, signed)}`);
    }
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    fail(report, entry, `${error.code}: ${error.message}`);
  }
  await state.save();
}

/** Removes the original, unless it is to stay, was changed, or is in doubt (job.input-diverged). */
async function release(entry: Entry, errorCode: string | null, work: Work): Promise<void> {
  const { options, report, state } = work;
  const { name, sha256 } = entry;
  if (errorCode !== null) report.complain(`${name}: stays, because of ${errorCode}.`);
  if (options.keep || errorCode !== null) {
    entry.state = 'signed';
    return;
  }
  const outcome = await removeIfSame(options.dir, name, sha256);
  if (outcome === 'changed') report.complain(`${name}: was changed after its upload, and stays.`);
  state.files.delete(name);
}
