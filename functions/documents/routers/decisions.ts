import { routeTo } from '../../../shared/http/router.ts';
import { documents } from '../service.ts';

/** What is decided about a document without a certificate. Each is one short write. */
export const handler = routeTo(documents, {
  'POST /api/documents/{id}/cancellation': () => import('../endpoints/documents/cancel-document.ts'),
  'DELETE /api/documents/{id}': () => import('../endpoints/documents/delete-document.ts'),
  'POST /api/documents/{id}/action-url/revocation': () =>
    import('../endpoints/signing/revoke-action-urls.ts'),
  'POST /api/documents/{id}/approval': () => import('../endpoints/signing/approve-document.ts'),
  'POST /api/documents/{id}/refusal': () => import('../endpoints/signing/refuse-document.ts'),
  'POST /api/documents/keys/{key}/approval': () => import('../endpoints/signing/approve-document-by-key.ts'),
  'POST /api/documents/keys/{key}/refusal': () => import('../endpoints/signing/refuse-document-by-key.ts'),
});
