import { waitUntilStable } from '../../shared/files/stable.ts';
import { isSameLook, lookAt, measure } from './directory.ts';
import { newestOf } from './jobs.ts';
import type { Place } from './place.ts';
import type { Entry } from './state.ts';
import { isInFolder, upload } from './upload.ts';
import { fail, type Work } from './work.ts';

/** When a file is tried again. The service deletes an input shortly after its job is Completed, and frees its name. */
const CHANGING = { why: 'is still being written', againMs: 10_000, onceMs: 0 };
const BLOCKED = { why: 'waits: another file of its name is in the folder', againMs: 2_000, onceMs: 30_000 };

/** Uploads a file of the directory, once it is written to its end. */
export async function take(name: string, work: Work, place: Place): Promise<void> {
  const { options, state, clock } = work;
  const stability = await waitUntilStable(() => lookAt(options.dir, name), isSameLook, clock);
  if (stability === 'gone') return;
  if (stability === 'changing') return postpone(work, name, CHANGING);
  const measured = await measure(options.dir, name);
  if (!measured) return;
  const known = state.files.get(name);
  if (known?.sha256 === measured.sha256) {
    // Touched, not rewritten.
    Object.assign(known, measured);
    return state.save();
  }
  const path = `${place.pathPrefix}${name}`;
  const formerEtag = known?.etag;
  const earlier = [known?.after, known?.job?.createdAt, newestOf(work.jobs.recent(), path)];
  const entry: Entry = {
    ...measured,
    key: `${place.keyPrefix}${name}`,
    path,
    state: 'uploading',
    after: earlier.reduce<string>((latest, time) => (time && time > latest ? time : latest), ''),
    ...(formerEtag !== undefined && { formerEtag }),
  };
  state.files.set(name, entry);
  await state.save();
  await send(entry, work, place);
}

async function send(entry: Entry, work: Work, place: Place): Promise<void> {
  const { options, state, report, jobs, postponed } = work;
  const bar = report.transfer(entry.length);
  const result = await upload({ dir: options.dir, entry, bar }, place).finally(() => bar.end());
  switch (result.kind) {
    case 'found':
      // It may have been in the folder before this directory knew of it, and so may its job.
      entry.after = '';
      jobs.searchAll();
      report.say(`${entry.name}: in the folder already.`);
      markUploaded(entry, result.etag);
      break;
    case 'uploaded':
      report.say(`${entry.name}: uploaded.`);
      markUploaded(entry, result.etag);
      break;
    case 'refused':
      fail(report, entry, `${result.problem}.`);
      break;
    case 'blocked':
      takeBack(entry, work);
      postpone(work, entry.name, BLOCKED);
      break;
    case 'changed':
      takeBack(entry, work);
  }
  if (result.kind !== 'blocked') postponed.delete(entry.name);
  await state.save();
}

function markUploaded(entry: Entry, etag: string): void {
  entry.etag = etag;
  // A job may have been found already.
  if (entry.state === 'uploading') entry.state = 'waiting';
}

/** Forgets an upload that did not happen. A former version of the file may still be in the folder. */
function takeBack(entry: Entry, { state }: Work): void {
  const { name, formerEtag: etag } = entry;
  if (etag === undefined) state.files.delete(name);
  // Its look is nobody's, so that it is taken again.
  else Object.assign(entry, { state: 'failed', etag, sha256: '', mtimeMs: -1, problem: 'not uploaded.' });
}

function postpone(
  { report, postponed, clock }: Work,
  name: string,
  { why, againMs, onceMs }: typeof CHANGING,
): void {
  const known = postponed.get(name);
  const isSame = known?.why === why;
  if (!isSame) report.complain(`${name}: ${why}.`);
  const nowMs = clock.now();
  postponed.set(name, {
    why,
    untilMs: nowMs + againMs,
    endsAtMs: isSame ? known.endsAtMs : nowMs + onceMs,
  });
}

/** Finds out whether an upload happened of which no answer came, or which a former command began. */
export async function resume(entry: Entry, work: Work, place: Place): Promise<void> {
  // In this order: a job exists before its file leaves the folder.
  const found = await isInFolder(entry, place);
  await work.jobs.read(place);
  if (found?.kind === 'found') markUploaded(entry, found.etag);
  else if (entry.state === 'uploading') takeBack(entry, work);
  await work.state.save();
}
