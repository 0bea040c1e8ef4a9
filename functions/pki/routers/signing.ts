import { routeTo } from '../../../shared/http/router.ts';
import { pki } from '../service.ts';

/** Signatures by API: files, signatures and their documents. */
export const handler = routeTo(pki, {
  'POST /api/plain-uploads': () => import('../files/endpoints/upload-plain.ts'),
  'POST /Api/MultipartUploads': () => import('../files/endpoints/begin-multipart-upload.ts'),
  'POST /Api/MultipartUploads/{token}': () => import('../files/endpoints/complete-multipart-upload.ts'),
  'POST /Api/MultipartUploads/{token}/{partNumber}': () => import('../files/endpoints/upload-part.ts'),
  'POST /api/signature': () => import('../signatures/endpoints/prepare-signature.ts'),
  'POST /api/signature/completion': () => import('../signatures/endpoints/finish-signature.ts'),
  'GET /api/documents/{id}': () => import('../documents/endpoints/get-document.ts'),
});
