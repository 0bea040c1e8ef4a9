import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../../shared/access/caller.ts';
import { Refusal } from '../../../../shared/errors/errors.ts';
import { files } from '../../../../shared/files/files.ts';
import { type Certificate, parseCertificate } from '../../../../shared/pki/certificate/certificate.ts';
import { icpBrasilIdentity } from '../../../../shared/pki/icp-brasil/icp-brasil.ts';
import { SignatureMismatch } from '../../../../shared/signing/errors.ts';
import { isSignatureOfHash } from '../../../../shared/signing/key-verify.ts';
import { ContentsTooSmall } from '../../../../shared/signing/pades/contents-placeholder.ts';
import { loadFormat, PreparationMismatch } from '../../../../shared/signing/two-step/format.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { errors } from '../../errors.ts';
import { storing } from '../billing/usage.ts';
import { changeDocument } from '../document/change-document.ts';
import { type Document, documentItems, findDocument } from '../document/document.ts';
import { documentByKey } from '../document/document-key.ts';
import { FileGone } from '../document/newest-file.ts';
import { awaited, type Completion, type Matched } from '../flow/flow.ts';
import { doing } from '../tasks.ts';
import { actOf, refuseUnlessOpen } from './acting.ts';
import { type ShownResults, shownResults } from './shown-results.ts';
import {
  findStarted,
  type StartedSignature,
  signedFileKey,
  startAgain,
  startedSignatures,
} from './signature-tokens.ts';
import { judgeSigner } from './signer-certificate.ts';
import { type Subject, signableOf } from './subject.ts';
import { houseStamp } from './timestamping.ts';

export type Value = { readonly token: string; readonly signature: string };
export type Completed = { readonly success: boolean; readonly validationResults: ShownResults };

/** For an application. */
export const completeSignature = (id: string, caller: Caller, value: Value, nowMs: number) =>
  complete(() => findDocument(id, caller), value, nowMs);

/** For whoever has a document's key: the token is enough, since only the one who started has it. */
export const completeSignatureByKey = (key: string, value: Value, nowMs: number) =>
  complete(() => documentByKey(key), value, nowMs);

type Find = () => Promise<Stored<Document>>;
type Open = {
  readonly document: Stored<Document>;
  readonly started: Stored<StartedSignature>;
  readonly match: Matched;
};

// Two signatures over one file, each started before the other was completed:
//
//   one    |--start (revision 1)---------- complete: file 2, document names it --|
//   other     |--start (revision 1)----------------- complete: revision is 2, start again --|
//
// A file is written before the document names it, under a name that nobody else uses. Whoever is killed in between
// leaves the document as it was, the token good for another try, and a file that is removed with the token.
async function complete(find: Find, { token, signature }: Value, nowMs: number): Promise<Completed> {
  const open = await stillOpen(find, token, nowMs);
  const certificate = certificateIn(open.started.certificate);
  await refuseWrongSignature(certificate, open.started, Buffer.from(signature, 'base64'));
  const { status, results } = await judgeSigner(certificate, nowMs);
  const validationResults = shownResults(results);
  if (status !== 'ACTIVE') return { success: false, validationResults };

  const file = await writeSigned(open, certificate, Buffer.from(signature, 'base64'));
  try {
    await retryOnConflict(async () =>
      commitSigned(await stillOpen(find, token, nowMs), certificate, file, nowMs),
    );
  } catch (error) {
    if (!(await isNamed(open.document, file))) {
      // Only what was surely not written is cleaned up; what is in doubt is looked at again when the token is forgotten.
      if (error instanceof Refusal) await files('documents').remove(file.key).catch(ignored);
      throw error instanceof RaceLost ? startAgain() : error;
    }
  }
  return { success: true, validationResults };
}

// A write whose answer was lost may have happened, and whoever tries it again finds its token used: by itself.
const isNamed = async ({ id }: Document, { key }: SignedFile): Promise<boolean> =>
  (await documentItems.get(id))?.signed?.key === key;

const ignored = (): void => undefined;
const certificateIn = (base64: string): Certificate => parseCertificate(Buffer.from(base64, 'base64'));

/** The signature as it was started, if everything that it rests on is still so. */
async function stillOpen(find: Find, token: string, nowMs: number): Promise<Open> {
  const document = await find();
  const started = await findStarted(document, token, nowMs);
  const isSameFile =
    started.round === document.round && started.revision === (document.signed?.revision ?? 0);
  if (!isSameFile) throw startAgain();
  refuseUnlessOpen(document, 'acted', nowMs);
  const match = awaited(document.flow).find(
    ({ action, person }) => action.id === started.actionId && person.id === started.personId,
  );
  if (!match) throw startAgain();
  return { document, started, match };
}

async function refuseWrongSignature(
  { publicKey }: Certificate,
  { toSignHash }: StartedSignature,
  signature: Buffer,
): Promise<void> {
  const isGood = await isSignatureOfHash(publicKey, 'sha256', Buffer.from(toSignHash, 'base64'), signature);
  if (!isGood) throw errors.refuse('InvalidSignature');
}

type SignedFile = { readonly key: string; readonly size: number };

async function writeSigned(
  { document, started }: Open,
  certificate: Certificate,
  signature: Buffer,
): Promise<SignedFile> {
  const { format, chain, signingTimeMs, mark, isTimestamped, toSignHash, prepared } = started;
  const subject: Subject = {
    document,
    certificate,
    chain: chain.map(certificateIn),
    signingTimeMs,
    mark,
    isTimestamped,
  };
  const key = signedFileKey(started, randomUUID());
  try {
    const content = await (await loadFormat(format)).complete(signableOf(subject), {
      state: JSON.parse(prepared),
      hash: Buffer.from(toSignHash, 'base64'),
      signature,
      stamp: isTimestamped ? houseStamp : undefined,
    });
    const contentType = format === 'CAdES' ? 'application/pkcs7-signature' : document.original.contentType;
    const { length } = await files('documents').put(key, content, { contentType });
    return { key, size: length };
  } catch (error) {
    if (error instanceof SignatureMismatch) throw errors.refuse('InvalidSignature');
    if (error instanceof PreparationMismatch || error instanceof FileGone) throw startAgain();
    if (error instanceof ContentsTooSmall)
      throw errors.refuse('DocumentNotSignable', {
        reason: 'timestamp-too-large',
        explanation: error.message,
      });
    throw error;
  }
}

// A download of the file before this one may be under way, or its link just given out.
const REPLACED_FILE_KEPT_MS = 60 * 60_000;

async function commitSigned(
  { document, started, match: { action, person } }: Open,
  certificate: Certificate,
  { key, size }: SignedFile,
  nowMs: number,
): Promise<void> {
  const { signed: replaced, organizationId } = document;
  const { cpf } = icpBrasilIdentity(certificate);
  const completion: Completion = {
    by: { ...person, identifier: person.identifier ?? cpf ?? null },
    atMs: nowMs,
    certificate: {
      subject: certificate.subject.text,
      issuer: certificate.issuer.text,
      sha256: certificate.sha256,
    },
  };
  const removing: Write[] = replaced
    ? [doing({ task: 'removeFiles', keys: [replaced.key] }, { dueAtMs: nowMs + REPLACED_FILE_KEPT_MS })]
    : [];
  await changeDocument(
    document,
    actOf(document, action, completion, {
      patch: { signed: { key, size, revision: started.revision + 1 } },
      also: [
        startedSignatures.deleting(started),
        storing(organizationId, size - (replaced?.size ?? 0)),
        ...removing,
      ],
    }),
  );
}
