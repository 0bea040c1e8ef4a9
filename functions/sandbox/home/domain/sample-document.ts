import { type Deadline, deadlineIn } from '../../../../shared/async/deadline.ts';
import { platformClient } from '../../../../shared/platform/client.ts';
import { commonSettings } from '../../../../shared/settings/common.ts';
import { SANDBOX_KEY, sandboxSigner } from '../../sandbox-data.ts';

const SIGNER = '52998224725';
const TIMEOUT_MS = 20_000;
// Below the text, where the stamp of the signature is shown.
const MARK = { page: 1, x: 72, y: 500, width: 240, height: 64 };

const platform = platformClient({
  get address() {
    return `${commonSettings['Http:PublicUrl']}/documents`;
  },
  apiKey: SANDBOX_KEY,
  requestTimeoutMs: TIMEOUT_MS,
});

/** Creates a document for one person of the sandbox at the document platform. Returns where they sign it. */
export async function createSampleDocument(now: () => number): Promise<string> {
  const deadline: Deadline = deadlineIn(TIMEOUT_MS, now);
  const content = { bytes: samplePdf(), fileName: 'contrato.pdf', contentType: 'application/pdf' };
  const upload = await platform.uploadFile(content, deadline);
  const documentId = await platform.createDocument(
    {
      ...{ upload, title: 'Contrato de teste', contentType: content.contentType },
      signers: [{ ...sandboxSigner(SIGNER, 1), mark: MARK }],
      tag: { label: 'sandbox', value: 'sample' },
      disableNotifications: true,
    },
    deadline,
  );
  return platform.actionUrl(documentId, { cpf: SIGNER }, deadline);
}

// In both languages, and in WinAnsi: the page around it has one of them.
const LINES = [
  'Este contrato n\xe3o vale nada: \xe9 um documento de teste.',
  'This contract is worth nothing: it is a document to try things on.',
  '',
  `Certificado / certificate: ${SIGNER}.p12`,
  'Senha / password: 1234',
];

/** A PDF of one page, which says with what it is signed. */
function samplePdf(): Buffer {
  const shown = LINES.map((line) => `(${line}) Tj T*`).join(' ');
  const text = `BT /F1 24 Tf 72 740 Td (Contrato de teste / Sample contract) Tj ET BT /F1 13 Tf 20 TL 72 700 Td ${shown} ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
  let pdf = '%PDF-1.7\n';
  const offsets = objects.map((object, at) => {
    const offset = pdf.length;
    pdf += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${pdf.length}\n%%EOF\n`;
  return Buffer.from(pdf + table + trailer, 'latin1');
}
