import { routeTo } from '../../../shared/http/router.ts';
import { pki } from '../service.ts';

/** What else a signature session is asked: by its application to wait, and by a person who brings files. */
export const handler = routeTo(pki, {
  'GET /api/signature-sessions/{sessionId}/when-completed': () =>
    import('../signature-sessions/endpoints/await-signature-session-progress.ts'),
  'POST /api/signature-sessions/{sessionId}/uploads': () =>
    import('../signature-sessions/endpoints/own-files/begin-own-upload.ts'),
  'POST /api/signature-sessions/{sessionId}/uploads/{token}/{partNumber}': () =>
    import('../signature-sessions/endpoints/own-files/upload-own-part.ts'),
  'POST /api/signature-sessions/{sessionId}/files': () =>
    import('../signature-sessions/endpoints/own-files/add-own-file.ts'),
  'POST /api/signature-sessions/{sessionId}/files/{documentId}/removal': () =>
    import('../signature-sessions/endpoints/own-files/remove-own-file.ts'),
});
