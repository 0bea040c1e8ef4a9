import { files } from '../../../../shared/files/files.ts';
import { transition } from '../../../../shared/store/state-machine.ts';
import { removeArrivals } from './presigned-upload.ts';
import { fileOf, uploads } from './upload.ts';
import { uploadStates } from './upload-states.ts';

// A document takes an upload at the moment of its collection:
//
//   collector  |--expired: Collecting--------- file -- item --|
//   document       |--taken: refused, as if it were gone
//
// Whoever comes second is refused by the state, so no document is left without its file. A collector that comes
// second fails with RaceLost: its message is delivered again, and finds the upload taken.

/** Removes an upload that no document took. Doing it twice does no harm: the file goes before what names it. */
export async function collectUpload(id: string): Promise<'collected' | 'taken' | 'gone'> {
  const upload = await uploads.get(id);
  if (upload?.state === 'Taken') {
    await removeArrivals(id, fileOf(upload));
    return 'taken';
  }
  const collecting =
    upload && uploadStates.allows(upload.state, 'expired')
      ? await transition(uploads, uploadStates, upload, 'expired')
      : upload;
  await removeArrivals(id);
  if (!collecting) return 'gone';
  await files('documents').remove(fileOf(collecting));
  await uploads.delete(collecting);
  return 'collected';
}
