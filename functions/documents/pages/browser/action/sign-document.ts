import { type Api, RequestRefused } from '../../../../../shared/ui/browser/api.ts';
import { toBase64 } from '../../../../../shared/ui/browser/bytes.ts';
import type { Identity } from '../../../../../shared/ui/browser/open-pkcs12.ts';
import {
  CertificateRefused,
  type ValidationItem,
} from '../../../../../shared/ui/browser/signing/problems.ts';
import {
  requireDocumentBytes,
  type SigningContext,
  type ToBeSigned,
} from '../../../../../shared/ui/browser/signing/to-be-signed.ts';
import { sign } from '../../../../../shared/ui/browser/signing-key.ts';

/** The response to the start of a signature. Token, hash and bytes are present when it succeeded. */
type Started = ToBeSigned & {
  readonly success: boolean;
  readonly token: string | null;
  readonly validationResults: { readonly errors: readonly ValidationItem[] };
};

export type Step = 'preparing' | 'signing' | 'delivering';

type Signing = {
  readonly api: Api;
  readonly ticket: string;
  readonly actionId: string;
  readonly identity: Identity;
  readonly readDocument: SigningContext['readDocument'];
  readonly onStep: (step: Step) => void;
};

/**
 * Signs with a key that stays in the browser: only the certificate and the signature are sent. A stale start, because
 * it took too long or somebody else signed meanwhile, is repeated once. Returns the token of the signature.
 */
export async function signDocument(signing: Signing): Promise<string> {
  try {
    return await startAndComplete(signing);
  } catch (error) {
    if (!(error instanceof RequestRefused) || error.code !== 'InvalidSignatureToken') throw error;
    return startAndComplete(signing);
  }
}

async function startAndComplete(signing: Signing): Promise<string> {
  const { api, ticket, actionId, readDocument, onStep } = signing;
  const { key, certificate } = signing.identity;
  onStep('preparing');
  const offered = { ticket, certificate: toBase64(certificate.der), flowActionId: actionId };
  const started = await api<Started>('signature/certificate', offered);
  if (!started.success) throw new CertificateRefused(started.validationResults.errors);
  onStep('signing');
  const signature = await sign(key, await requireDocumentBytes(started, { certificate, readDocument }));
  onStep('delivering');
  await api('signature', { ticket, token: started.token, signature: toBase64(signature) });
  return started.token ?? '';
}
