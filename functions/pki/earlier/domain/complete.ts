import type { Caller } from '../../../../shared/access/caller.ts';
import { ifThrown } from '../../../../shared/errors/expected.ts';
import { files } from '../../../../shared/files/files.ts';
import { readFile } from '../../../../shared/files/stored-file.ts';
import { certificateModel } from '../../../../shared/pki/model/certificate-model.ts';
import { signerOf } from '../../../../shared/signing/two-step/two-step.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import { transition } from '../../../../shared/store/state-machine.ts';
import type { DocumentFile } from '../../documents/domain/document.ts';
import { removingLater } from '../../domain/tasks.ts';
import { errors } from '../../errors.ts';
import { MAX_INLINE_BYTES } from '../../files/domain/answer-file.ts';
import { creatingBlob, KEPT_MS, REMOVED_AFTER_MS } from '../../files/domain/blob.ts';
import { linkTo } from '../../files/domain/file-model.ts';
import {
  countSignature,
  makeSigned,
  minSignedBytes,
  refuseWrongValue,
} from '../../signatures/domain/make-signed.ts';
import {
  findStarted,
  type SigningContent,
  signatureFolder,
  startedSignatures,
  startedStates,
} from '../../signatures/domain/started.ts';
import type { EarlierKind } from './start.ts';

type Token = { readonly kind: EarlierKind; readonly token: string };

/** A signed file, and what the start was told to answer with it. */
export type EarlierResult = {
  readonly file: DocumentFile;
  readonly callbackArgument: string | null;
  readonly certificate: ReturnType<typeof certificateModel>;
};

const resultOf = (file: DocumentFile, { record, callbackArgument }: SigningContent): EarlierResult => ({
  ...{ file, callbackArgument },
  certificate: certificateModel(signerOf(record)),
});

// A caller that had no answer to its signature finalizes, and is given the file that was made:
//
//   Started |--SignedBytes: file, Completed--|--Finalize: the same file--|--Finalize: the same file--|

type Submission = {
  readonly signature: string | null | undefined;
  /** Whether the file is answered inside the answer, and has to fit. */
  readonly isInline: boolean;
};

/** The second step: makes the signed file. A token does it once. */
export async function submitSignature(
  caller: Caller,
  { kind, token }: Token,
  { signature, isInline }: Submission,
  nowMs: number,
): Promise<EarlierResult> {
  const open = await findStarted(caller, { kind, state: token }, nowMs);
  const { started, content } = open;
  if (!startedStates.accepts(started.state, 'completed')) throw alreadySet();
  if (!signature) throw errors.refuse('ClientSignatureNotSet');
  if (isInline) refuseTooLargeInside(minSignedBytes(content));
  const value = Buffer.from(signature, 'base64');
  await refuseWrongValue(content, value);
  const signed = await makeSigned(open, value);
  if (isInline && signed.size > MAX_INLINE_BYTES) {
    await files('pki').remove(signed.key);
    refuseTooLargeInside(signed.size);
  }
  const keeping = removingLater(signatureFolder(started.id), nowMs + KEPT_MS + REMOVED_AFTER_MS);
  const change = { signed };
  const done = await transition(startedSignatures, startedStates, started, 'completed', change, {
    also: [keeping],
  }).catch(ifThrown(RaceLost));
  if (done) {
    countSignature(content);
    return resultOf(signed, content);
  }
  await files('pki').remove(signed.key);
  throw alreadySet();
}

const alreadySet = () =>
  errors.refuse('ClientSignatureAlreadySet', { reason: 'Finalize answers the signed file.' });

/** The signed file of a token whose signature was submitted, as often as it is asked for. */
export async function finalizeSignature(
  caller: Caller,
  { kind, token }: Token,
  nowMs: number,
): Promise<EarlierResult> {
  const { started, content } = await findStarted(caller, { kind, state: token }, nowMs);
  if (!started.signed) throw errors.refuse('ClientSignatureNotSet');
  return resultOf(started.signed, content);
}

/** The signed file as base64. */
export async function contentOf({ key, size }: DocumentFile): Promise<string> {
  refuseTooLargeInside(size);
  return (await readFile('pki', { key, size })).toString('base64');
}

/** Refuses a file that does not fit in an answer whose shape has no place for a link. */
export function refuseTooLargeInside(actualBytes: number): void {
  if (actualBytes <= MAX_INLINE_BYTES) return;
  const reason =
    'The signed file does not fit in this answer. Use /Api/v2, which answers a link to a PDF or CMS, or POST /api/signature.';
  throw errors.refuse(
    'InvalidRequest',
    { reason, limitBytes: MAX_INLINE_BYTES, actualBytes },
    { status: 413 },
  );
}

/** The signed file in the form of these operations: inside the answer, or as a blob with a link. */
export async function signatureFileOf(
  caller: Caller,
  { key, size, name, contentType }: DocumentFile,
  { forceBlobResult }: { readonly forceBlobResult?: boolean | null | undefined },
  nowMs: number,
) {
  const mimeType = contentType;
  if (!forceBlobResult && size <= MAX_INLINE_BYTES)
    return {
      mimeType,
      content: await contentOf({ key, size, name, contentType }),
      blobToken: null,
      url: null,
    };
  const blob = creatingBlob(caller, { name, contentType, file: { key, size, md5: '' } }, nowMs);
  await commit([blob.write]);
  return { mimeType, content: null, blobToken: blob.token, url: await linkTo(key, name ?? 'signed') };
}
