import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../../shared/access/caller.ts';
import { Refusal } from '../../../../shared/errors/errors.ts';
import { files } from '../../../../shared/files/files.ts';
import { FileGone } from '../../../../shared/files/stored-file.ts';
import { count } from '../../../../shared/metrics/count.ts';
import { type Custody, FORMATS } from '../../../../shared/metrics/table.ts';
import type { Certificate } from '../../../../shared/pki/certificate/certificate.ts';
import { icpBrasilIdentity } from '../../../../shared/pki/icp-brasil/icp-brasil.ts';
import { SignatureMismatch } from '../../../../shared/signing/errors.ts';
import { ContentsTooSmall } from '../../../../shared/signing/pades/contents-placeholder.ts';
import { PreparationMismatch } from '../../../../shared/signing/two-step/format.ts';
import * as twoStep from '../../../../shared/signing/two-step/two-step.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { errors } from '../../errors.ts';
import { storing } from '../billing/usage.ts';
import { documentIdOf, requireKeyOf } from '../document/action-link.ts';
import { changeDocument } from '../document/change-document.ts';
import { type Document, documentItems, type LocatedDocument, requireVisible } from '../document/document.ts';
import { type Assignment, type Completion, openAssignment, requiredSignatures } from '../flow/flow.ts';
import { taskMessage } from '../tasks.ts';
import { actChange, requireOpen } from './acting.ts';
import { documentInput } from './signature-input.ts';
import { judgeSigner, type RenderedResults, renderResults } from './signer-certificate.ts';
import {
  endingStarted,
  invalidToken,
  type OpenedSignature,
  readWithStarted,
  requireValid,
  type StartedSignature,
  signedFileKey,
} from './started-signature.ts';
import { timestampWithConfiguredAuthorities } from './timestamps.ts';

export type CompleteRequest = {
  readonly token: string;
  readonly signature: string;
  /** Where the key is; with the caller where it is left out. */
  readonly custody?: Custody;
};
export type CompleteResult = { readonly success: boolean; readonly validationResults: RenderedResults };

/** Completes a signature for an application. */
export const completeSignature = (
  caller: Caller,
  documentId: string,
  request: CompleteRequest,
  nowMs: number,
) =>
  complete(
    async () => {
      const [document, started] = await readWithStarted(documentId, request.token);
      return { ...(await requireVisible(caller, documentId, document)), started };
    },
    request,
    nowMs,
  );

/** Completes a signature for the holder of a document's key. Only the one who started the signature has its token. */
export const completeSignatureByKey = (key: string, request: CompleteRequest, nowMs: number) =>
  complete(
    async () => {
      const documentId = documentIdOf(key);
      if (documentId === undefined) throw errors.refuse('DocumentInvalidKey');
      const [document, started] = await readWithStarted(documentId, request.token);
      return { ...(await requireKeyOf(key, document)), started };
    },
    request,
    nowMs,
  );

type Find = () => Promise<LocatedDocument & { readonly started: Stored<StartedSignature> | undefined }>;
type Open = LocatedDocument & {
  readonly started: OpenedSignature;
  readonly match: Assignment;
};

// Two signatures over one file, each started before the other was completed:
//
//   one    |--start (revision 1)---------- complete: file 2, document names it --|
//   other     |--start (revision 1)----------------- complete: revision is 2, start again --|
//
// The file is written before the document names it, under a key of its own. A function that is killed in between
// leaves the document unchanged, the token valid for another try, and a file that is removed with the token.
async function complete(
  find: Find,
  { signature: value, custody = 'caller' }: CompleteRequest,
  nowMs: number,
): Promise<CompleteResult> {
  const open = await stillOpen(find, nowMs);
  const certificate = twoStep.signerOf(open.started.record);
  const signature = Buffer.from(value, 'base64');
  if (!(await twoStep.isSignatureOf(open.started.record, signature))) throw errors.refuse('InvalidSignature');
  const { status, results } = await judgeSigner(certificate, nowMs);
  const validationResults = renderResults(results);
  if (status !== 'ACTIVE') return { success: false, validationResults };

  const file = await writeSigned(open, certificate, signature);
  let attempts = 0; // Only a lost race asks for a second read.
  try {
    await retryOnConflict(async () =>
      commitSigned(attempts++ === 0 ? open : await stillOpen(find, nowMs), certificate, file, nowMs),
    );
  } catch (error) {
    if (!(await isNamed(open.document, file))) {
      // A refusal proves that the document does not name the file. After other failures the token's task cleans up.
      if (error instanceof Refusal) await files('documents').remove(file.key).catch(ignored);
      throw error instanceof RaceLost ? invalidToken() : error;
    }
  }
  const Format = FORMATS[open.started.record.format];
  count('Signatures', { Service: 'documents', Format, Custody: custody });
  return { success: true, validationResults };
}

// A write whose answer was lost may have landed; its retry then finds the token used, by itself.
const isNamed = async ({ id }: Document, { key }: SignedFile): Promise<boolean> =>
  (await documentItems.get(id))?.signed?.key === key;

const ignored = (): void => undefined;

/** The started signature, if the document still has the same file and still waits for this action. */
async function stillOpen(find: Find, nowMs: number): Promise<Open> {
  const { document, location, started: found } = await find();
  const started = await requireValid(found, nowMs);
  const isSameFile =
    started.round === document.round && started.revision === (document.signed?.revision ?? 0);
  // The flow was edited meanwhile: a signature that leaves no room in the XML would be the last that fits.
  const lacksRoom =
    document.format === 'XAdES' && !started.othersFollow && requiredSignatures(document.flow) > 1;
  if (!isSameFile || lacksRoom) throw invalidToken();
  requireOpen(document, 'acted', nowMs);
  const match = openAssignment(document.flow, started.actionId, started.personId);
  if (!match) throw invalidToken();
  return { document, location, started, match };
}

type SignedFile = { readonly key: string; readonly size: number };

async function writeSigned(
  { document, started }: Open,
  certificate: Certificate,
  signature: Buffer,
): Promise<SignedFile> {
  const { marks, record } = started;
  const { format, signingTimeMs, isTimestamped } = record;
  const key = signedFileKey(started, randomUUID());
  try {
    const input = documentInput(document, { marks, certificate, signingTimeMs });
    const stamp = isTimestamped ? timestampWithConfiguredAuthorities : undefined;
    const content = await twoStep.completeSignature(record, input, signature, stamp);
    const contentType = format === 'CAdES' ? 'application/pkcs7-signature' : document.original.contentType;
    const { length } = await files('documents').put(key, content, { contentType });
    return { key, size: length };
  } catch (error) {
    if (error instanceof SignatureMismatch) throw errors.refuse('InvalidSignature');
    if (error instanceof PreparationMismatch || error instanceof FileGone) throw invalidToken();
    if (error instanceof ContentsTooSmall)
      throw errors.refuse('DocumentNotSignable', {
        reason: 'timestamp-too-large',
        explanation: error.message,
      });
    throw error;
  }
}

// A download of the replaced file may be under way, or its link just given out.
const REPLACED_FILE_KEPT_MS = 60 * 60_000;

async function commitSigned(
  { document, started, match: { action, person } }: Open,
  certificate: Certificate,
  { key, size }: SignedFile,
  nowMs: number,
): Promise<void> {
  const { signed: replaced, organizationId } = document;
  const { cpf, holder } = icpBrasilIdentity(certificate);
  const completion: Completion = {
    by: { ...person, identifier: person.identifier ?? cpf ?? null },
    atMs: nowMs,
    certificate: {
      subject: certificate.subject.text,
      issuer: certificate.issuer.text,
      sha256: certificate.sha256,
    },
    // Impersonation: many people of a company hold its key, so that its certificate proves nobody's CPF.
    ...(holder === 'person' && { proofHash: started.hash }),
  };
  const removing: Write[] = replaced
    ? [taskMessage({ task: 'removeFiles', keys: [replaced.key] }, { dueAtMs: nowMs + REPLACED_FILE_KEPT_MS })]
    : [];
  await changeDocument(
    document,
    actChange(document, action, completion, {
      patch: { signed: { key, size, revision: started.revision + 1 } },
      also: [...endingStarted(started), storing(organizationId, size - (replaced?.size ?? 0)), ...removing],
    }),
  );
}
