import { files } from '../../../../shared/files/files.ts';
import { folderOf, signatureSessions } from './session.ts';

/** Removes a session with everything it kept. The files go first: what names them is how they are found. */
export async function forgetSession(sessionId: string): Promise<void> {
  for (;;) {
    const { files: found } = await files('pki').list(folderOf(sessionId));
    if (found.length === 0) break;
    for (const { key } of found) await files('pki').remove(key);
  }
  const session = await signatureSessions.get(sessionId);
  // One that changes at this moment fails here: the message comes again, and finds it as it is then.
  if (session) await signatureSessions.delete(session);
}
