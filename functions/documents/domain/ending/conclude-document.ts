import { FileGone, streamFile } from '../../../../shared/files/stored-file.ts';
import { resultsOf } from '../../../../shared/pki/findings/validation-results.ts';
import { verifyCades } from '../../../../shared/signing/cades/verify.ts';
import type { Judge } from '../../../../shared/signing/cms/judge.ts';
import type { SignatureFormat } from '../../../../shared/signing/format-of.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { settings } from '../../settings.ts';
import { changeDocument } from '../document/change-document.ts';
import { type Document, documentItems } from '../document/document.ts';
import { documentStates } from '../document/document-states.ts';
import { readNewest } from '../document/newest-file.ts';

/**
 * Concludes a document whose flow is complete: the signatures of the file are compared with those recorded, and the
 * organization is notified. A flow of approvals alone has nothing to compare. The task may be delivered twice; `also`
 * deletes its record with the conclusion.
 */
export const concludeDocument = (documentId: string, nowMs: number, also: readonly Write[] = []) =>
  retryOnConflict(async (): Promise<'concluded' | 'not-due'> => {
    const document = await documentItems.get(documentId);
    if (!document || !documentStates.accepts(document.state, 'concluded')) return 'not-due';
    await assertSignaturesIntact(document, nowMs);
    await changeDocument(document, {
      event: 'concluded',
      notifications: [
        {
          type: 'DocumentConcluded',
          extra: {},
          delaySeconds: settings.DocumentConcludedWebhookDelayInSeconds,
        },
      ],
      also,
      nowMs,
    });
    return 'concluded';
  });

/** One signature of the file, as the report of any format gives it. */
type FoundSignature = {
  readonly certificate: { readonly sha256: string } | undefined;
  readonly isIntact: boolean;
};

// Certificates were judged when they signed, and the flow records them. No other is trusted here; nothing is fetched.
const judgeOf =
  (recorded: readonly string[]): Judge =>
  async ({ sha256 }) => ({
    status: recorded.includes(sha256) ? 'ACTIVE' : 'UNTRUSTED',
    results: resultsOf([]),
  });

type VerificationContext = { readonly judge: Judge; readonly atMs: number };

const READERS: Readonly<
  Record<SignatureFormat, (document: Document, context: VerificationContext) => Promise<FoundSignature[]>>
> = {
  async PAdES(document, context) {
    const { verifyPdf } = await import('../../../../shared/signing/pades/verify/verify-pdf.ts');
    const { signatures } = await verifyPdf(await readNewest(document), context);
    return signatures.map(({ certificate, intact, unmodified }) => ({
      certificate,
      isIntact: intact === true && unmodified,
    }));
  },
  async XAdES(document, context) {
    const { verifyXades } = await import('../../../../shared/signing/xades/verify/verify.ts');
    const { signatures } = await verifyXades(await readNewest(document), context);
    // XML signature wrapping: the platform signs whole documents. An intact signature by the same certificate over a
    // part, or around unsigned content, is not the recorded one.
    return signatures.map(({ certificate, intact, covers, results: { errors } }) => ({
      certificate,
      isIntact:
        intact === true &&
        covers.some(({ kind }) => kind === 'document') &&
        errors.every(({ type }) => type !== 'XmlDSigCoreValidationFailed'),
    }));
  },
  async CAdES({ signed, original }, context) {
    if (!signed) throw new FileGone('of the signed document');
    const content = streamFile('documents', original.key);
    const { signers } = await verifyCades(streamFile('documents', signed.key), { ...context, content });
    return signers.map(({ certificate, intact }) => ({ certificate, isIntact: intact === true }));
  },
};

/** Throws unless the file has an intact signature for every one that the flow records. */
async function assertSignaturesIntact(document: Document, nowMs: number): Promise<void> {
  const recorded = document.flow.flatMap(({ completions }) =>
    completions.flatMap(({ certificate }) => certificate?.sha256 ?? []),
  );
  if (recorded.length === 0) return;
  const context = { judge: judgeOf(recorded), atMs: nowMs };
  const found = await READERS[document.format](document, context);
  const intact = found.flatMap(({ certificate, isIntact }) =>
    isIntact && certificate ? [certificate.sha256] : [],
  );
  for (const sha256 of recorded) {
    const at = intact.indexOf(sha256);
    if (at < 0)
      throw new Error(
        `The signed file of the document ${document.id} has no intact signature by the certificate ${sha256}, which the flow records.`,
      );
    intact.splice(at, 1);
  }
}
