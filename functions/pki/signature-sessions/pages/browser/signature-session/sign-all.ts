import { RequestRefused } from '../../../../../../shared/ui/browser/api.ts';
import { toBase64 } from '../../../../../../shared/ui/browser/bytes.ts';
import type { Identity } from '../../../../../../shared/ui/browser/open-pkcs12.ts';
import {
  CertificateRefused,
  type ValidationItem,
} from '../../../../../../shared/ui/browser/signing/problems.ts';
import { requireDocumentBytes } from '../../../../../../shared/ui/browser/signing/to-be-signed.ts';
import { sign } from '../../../../../../shared/ui/browser/signing-key.ts';
import type { Document, SessionApi } from './session.ts';

type Started = {
  readonly success: boolean;
  readonly state: string | null;
  readonly toSignHash: { readonly algorithm: string; readonly value: string } | null;
  readonly toSign: { readonly data: string } | null;
  readonly validationResults: { readonly errors: readonly ValidationItem[] };
};

export type Step = 'preparing' | 'signing' | 'delivering';
type OnStep = (document: Document, step: Step) => void;

/** The session has a document that the person has not seen. */
export class DocumentsChanged extends Error {
  override readonly name = 'DocumentsChanged';
}

/**
 * Signs every document that is not signed yet, and none that was not `shown`: an application may add one at any time
 * before the first signature. The key stays here: certificate and signatures are sent.
 */
export async function signAll(
  session: SessionApi,
  identity: Identity,
  shown: readonly Document[],
  onStep: OnStep,
): Promise<void> {
  const { documents } = await session.read();
  const seen = new Set(shown.map(({ documentId }) => documentId));
  if (!documents.every(({ documentId }) => seen.has(documentId)))
    throw new DocumentsChanged('A document was added.');
  for (const document of documents.filter(({ state }) => state === 'Pending'))
    await signedOnce(() => signDocument(session, identity, document, (step) => onStep(document, step)));
}

// A start that grew stale, because it took too long, is made again once.
async function signedOnce(signing: () => Promise<void>): Promise<void> {
  try {
    await signing();
  } catch (error) {
    if (!(error instanceof RequestRefused) || error.code !== 'InvalidToken') throw error;
    await signing();
  }
}

async function signDocument(
  session: SessionApi,
  { key, certificate }: Identity,
  document: Document,
  onStep: (step: Step) => void,
): Promise<void> {
  const path = `documents/${document.documentId}/signature`;
  onStep('preparing');
  const started = await session.post<Started>(path, { certificate: toBase64(certificate.der) });
  if (!started.success) throw new CertificateRefused(started.validationResults.errors);
  onStep('signing');
  const asked = {
    toSignData: started.toSign?.data ?? null,
    toSignHash: started.toSignHash?.value ?? null,
    digestAlgorithm: started.toSignHash?.algorithm ?? '',
  };
  const bytes = await requireDocumentBytes(asked, {
    certificate,
    readDocument: () => session.content(document),
  });
  const signature = toBase64(await sign(key, bytes));
  onStep('delivering');
  await session.post(`${path}/completion`, { state: started.state, signature });
}
