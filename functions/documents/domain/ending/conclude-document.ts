import { files } from '../../../../shared/files/files.ts';
import { FileGone, readFile, streamFile } from '../../../../shared/files/stored-file.ts';
import { resultsOf } from '../../../../shared/pki/findings/validation-results.ts';
import { verifyCades } from '../../../../shared/signing/cades/verify.ts';
import type { Judge } from '../../../../shared/signing/cms/judge.ts';
import type { SignatureFormat } from '../../../../shared/signing/format-of.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { settings } from '../../settings.ts';
import { storing } from '../billing/usage.ts';
import { changeDocument } from '../document/change-document.ts';
import { type Document, documentItems } from '../document/document.ts';
import { documentStates } from '../document/document-states.ts';
import { isElectronic } from '../document/evidence.ts';
import { readNewest } from '../document/newest-file.ts';
import { type SealedFile, sealDocument } from '../electronic/seal-document.ts';
import type { FlowAction } from '../flow/flow.ts';
import { signatureOptionsOf } from '../flow/xml-options.ts';
import { taskMessage } from '../tasks.ts';

// Two conclusions at once, or one after a kill, each write a sealed file. The document names one of them:
//
//   one    |--seals: file A--|--concluded, signed is A--|
//   other     |--seals: file B------|--refused; reads: Concluded, removes B
//
// The file of one that was killed before its commit stays until the document is deleted.

/**
 * Concludes a document whose flow is complete: the signatures of the file are compared with those recorded, a file that
 * was signed electronically is sealed, and the organization is notified. A flow of approvals alone has nothing to compare.
 * The task may be delivered twice; `also` deletes its record with the conclusion.
 */
export async function concludeDocument(
  documentId: string,
  nowMs: number,
  also: readonly Write[] = [],
): Promise<'concluded' | 'not-due'> {
  let sealed: SealedFile | undefined;
  const outcome = await retryOnConflict(async () => {
    const document = await documentItems.get(documentId);
    if (!document || !documentStates.accepts(document.state, 'concluded')) {
      if (sealed && document?.signed?.key !== sealed.key) await files('documents').remove(sealed.key);
      return 'not-due';
    }
    await assertSignaturesIntact(document, nowMs);
    if (isElectronic(document)) sealed ??= await sealDocument(document, nowMs);
    await changeDocument(document, {
      event: 'concluded',
      ...(sealed && { patch: sealedPatch(document, sealed) }),
      notifications: [
        {
          type: 'DocumentConcluded',
          extra: {},
          delaySeconds: settings.DocumentConcludedWebhookDelayInSeconds,
        },
      ],
      also: [...also, ...(sealed ? replacing(document, sealed, nowMs) : [])],
      nowMs,
    });
    return 'concluded';
  });
  return outcome;
}

const sealedPatch = ({ signed }: Document, sealed: SealedFile): Pick<Document, 'signed'> => ({
  signed: { ...sealed, revision: (signed?.revision ?? 0) + 1 },
});

// A download of the replaced file may be under way, or its link just given out.
const REPLACED_FILE_KEPT_MS = 60 * 60_000;

/** The writes that count the sealed file, and remove the one that it replaces. */
const replacing = ({ signed, organizationId }: Document, { size }: SealedFile, nowMs: number): Write[] => [
  storing(organizationId, size - (signed?.size ?? 0)),
  ...(signed
    ? [taskMessage({ task: 'removeFiles', keys: [signed.key] }, { dueAtMs: nowMs + REPLACED_FILE_KEPT_MS })]
    : []),
];

/** One signature of the file, as the report of any format gives it. */
type FoundSignature = {
  readonly certificate: { readonly sha256: string } | undefined;
  /** Whether it is intact, and over what the action asks for. */
  readonly isIntactFor: (action: FlowAction) => boolean;
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
      isIntactFor: () => intact === true && unmodified,
    }));
  },
  async XAdES(document, context) {
    const { verifyXades } = await import('../../../../shared/signing/xades/verify/verify.ts');
    const bytes = await readNewest(document);
    const { signatures } = await verifyXades(bytes, context);
    const paths = await signedElements(document, bytes);
    // XML signature wrapping: an intact signature by the same certificate over another part, or around unsigned content,
    // is not the recorded one.
    return signatures.map(({ certificate, intact, covers, results: { errors } }) => ({
      certificate,
      isIntactFor: ({ id, xml }) =>
        intact === true &&
        covers.some(({ kind, path }) =>
          xml?.element ? kind === 'element' && path === paths.get(id) : kind === 'document',
        ) &&
        errors.every(({ type }) => type !== 'XmlDSigCoreValidationFailed'),
    }));
  },
  async CAdES({ signed, original }, context) {
    if (!signed) throw new FileGone('of the signed document');
    const content = streamFile('documents', original.key);
    const { signers } = await verifyCades(streamFile('documents', signed.key), { ...context, content });
    return signers.map(({ certificate, intact }) => ({ certificate, isIntactFor: () => intact === true }));
  },
};

/** The elements that actions sign, by their paths in the signed file. A path by position means the original. */
async function signedElements(document: Document, signed: Buffer): Promise<ReadonlyMap<string, string>> {
  const actions = document.flow.filter(({ xml }) => xml?.element);
  if (actions.length === 0) return new Map();
  const { identifiersAt, pathsOfIdentified } = await import(
    '../../../../shared/signing/xades/named-elements.ts'
  );
  const original = await readFile('documents', document.original);
  const places = actions.flatMap(
    (action) => signatureOptionsOf(action, document.xmlNamespaces)?.xades?.element ?? [],
  );
  const paths = pathsOfIdentified(signed, identifiersAt(original, places));
  return new Map(actions.map(({ id }, index) => [id, paths[index] ?? '']));
}

/** Throws unless the file has an intact signature for every one that the flow records. */
async function assertSignaturesIntact(document: Document, nowMs: number): Promise<void> {
  const recorded = document.flow.flatMap((action) =>
    action.completions.flatMap(({ certificate }) =>
      certificate ? [{ action, sha256: certificate.sha256 }] : [],
    ),
  );
  if (recorded.length === 0) return;
  const context = { judge: judgeOf(recorded.map(({ sha256 }) => sha256)), atMs: nowMs };
  const found = await READERS[document.format](document, context);
  for (const { action, sha256 } of recorded) {
    const at = found.findIndex(
      ({ certificate, isIntactFor }) => certificate?.sha256 === sha256 && isIntactFor(action),
    );
    if (at < 0)
      throw new Error(
        `The signed file of the document ${document.id} has no intact signature by the certificate ${sha256}, which the flow records.`,
      );
    found.splice(at, 1);
  }
}
