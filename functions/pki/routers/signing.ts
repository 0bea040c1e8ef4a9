import { routeTo } from '../../../shared/http/router.ts';
import { unknownRoutePage } from '../../../shared/ui/unknown-route-page.ts';
import { pki } from '../service.ts';

/**
 * Signatures by API: files, signatures and their documents. It has every path below `/api` and `/Api` that no other function
 * has (infra/plugins/fold-paths.ts).
 */
export const handler = routeTo(
  pki,
  {
    'POST /api/plain-uploads': () => import('../files/endpoints/upload-plain.ts'),
    'POST /Api/MultipartUploads': () => import('../files/endpoints/begin-multipart-upload.ts'),
    'POST /Api/MultipartUploads/{token}': () => import('../files/endpoints/complete-multipart-upload.ts'),
    'POST /Api/MultipartUploads/{token}/{partNumber}': () => import('../files/endpoints/upload-part.ts'),
    'POST /api/signature': () => import('../signatures/endpoints/prepare-signature.ts'),
    'POST /api/signature/completion': () => import('../signatures/endpoints/finish-signature.ts'),
    'GET /api/documents/{id}': () => import('../documents/endpoints/get-document.ts'),
    'GET /api/documents/{id}/signers': () => import('../documents/endpoints/get-document-signers.ts'),
    'GET /api/documents/keys/{key}': () => import('../documents/endpoints/get-document-by-key.ts'),
    'POST /api/document-keys': () => import('../documents/endpoints/allocate-document-key.ts'),
    'POST /api/document-keys/batch': () => import('../documents/endpoints/allocate-document-keys.ts'),
    'GET /api/document-keys/unused': () => import('../documents/endpoints/get-unused-document-keys.ts'),
    'GET /api/document-keys/{key}': () => import('../documents/endpoints/get-document-key.ts'),
    'POST /Api/PadesSignatures': () => import('../earlier/endpoints/start-pades-signature.ts'),
    'POST /Api/v2/PadesSignatures': () => import('../earlier/endpoints/start-pades-signature-v2.ts'),
    'POST /Api/CadesSignatures': () => import('../earlier/endpoints/start-cades-signature.ts'),
    'POST /Api/v2/CadesSignatures': () => import('../earlier/endpoints/start-cades-signature-v2.ts'),
    'POST /Api/v3/CadesSignatures': () => import('../earlier/endpoints/start-cades-signature-v3.ts'),
    'POST /Api/XmlSignatures/FullXmlSignature': () =>
      import('../earlier/endpoints/start-full-xml-signature.ts'),
    'POST /Api/XmlSignatures/XmlElementSignature': () =>
      import('../earlier/endpoints/start-xml-element-signature.ts'),
    'POST /Api/PadesSignatures/{token}/SignedBytes': () =>
      import('../earlier/endpoints/submit-pades-signature.ts'),
    'POST /Api/PadesSignatures/{token}/Finalize': () =>
      import('../earlier/endpoints/finalize-pades-signature.ts'),
    'POST /Api/v2/PadesSignatures/{token}/SignedBytes': () =>
      import('../earlier/endpoints/submit-pades-signature-v2.ts'),
    'POST /Api/CadesSignatures/{token}/SignedBytes': () =>
      import('../earlier/endpoints/submit-cades-signature.ts'),
    'POST /Api/CadesSignatures/{token}/Finalize': () =>
      import('../earlier/endpoints/finalize-cades-signature.ts'),
    'POST /Api/v2/CadesSignatures/{token}/SignedBytes': () =>
      import('../earlier/endpoints/submit-cades-signature-v2.ts'),
    'POST /Api/XmlSignatures/{token}/SignedBytes': () =>
      import('../earlier/endpoints/submit-xml-signature.ts'),
    'POST /Api/XmlSignatures/{token}/Finalize': () =>
      import('../earlier/endpoints/finalize-xml-signature.ts'),
    'POST /Api/Pdf/AddMarks': () => import('../pdf/endpoints/add-pdf-marks.ts'),
    'POST /api/pdf/stamp': () => import('../pdf/endpoints/stamp-pdf.ts'),
    'GET /Api/PadesVisualPositioningPresets/Footnote': () =>
      import('../pdf/endpoints/get-footnote-preset.ts'),
    'GET /Api/PadesVisualPositioningPresets/FootnoteBottomUp': () =>
      import('../pdf/endpoints/get-footnote-bottom-up-preset.ts'),
    'GET /Api/PadesVisualPositioningPresets/NewPage': () => import('../pdf/endpoints/get-new-page-preset.ts'),
    'PUT /api/signature-inspection': () => import('../inspection/endpoints/inspect-signature.ts'),
    'POST /Api/PadesSignatures/Open': () => import('../inspection/endpoints/open-pades-signature.ts'),
    'POST /Api/CadesSignatures/Open': () => import('../inspection/endpoints/open-cades-signature.ts'),
    'POST /Api/CadesSignatures/RequiredHashes': () =>
      import('../inspection/endpoints/get-required-hashes.ts'),
    'POST /Api/XmlSignatures/Open': () => import('../inspection/endpoints/open-xml-signature.ts'),
    'POST /Api/v2/XmlSignatures/Open': () => import('../inspection/endpoints/open-xml-signature-v2.ts'),
  },
  pki.refuseUnknownRoute(unknownRoutePage()),
);
