import type * as z from 'zod';
import type { Caller } from '../../../../shared/access/caller.ts';
import { keepingAnswer } from '../../../../shared/store/kept-answers.ts';
import type { CreatedStarted, CreateStarted } from '../../contract/create-started.ts';
import { requireHomeOrganization } from '../places/organization.ts';
import { planStart, type StartResult } from '../signing/start-signature.ts';
import { receiveUpload } from '../uploads/receive-upload.ts';
import { createPlanned, renderCreated } from './create-documents.ts';
import { documentOf, type NewDocument } from './creating-document.ts';
import { planCreation } from './plan-creation.ts';

// An upload, a creation and a start in one call:
//
//   upload recorded + collect later  |-- file --|-- document with its event + started signature --| answer
//        item                      item and file     all
//
// The last write has both or none, so that a document of this call always has its token. After a refusal or a kill
// before it, the upload is collected, as any that no document took.

// Whoever starts here completes in a moment. Only somebody who has not by then is invited.
const MAIL_DELAY_SECONDS = 120;

/** Uploads a file, creates its document and starts the signature of a certificate. */
export async function createStarted(
  caller: Caller,
  { file, signature, ...creation }: CreateStarted,
  nowMs: number,
): Promise<z.input<typeof CreatedStarted>> {
  const { bytes, displayName, name, contentType } = file;
  const content = Buffer.from(bytes, 'base64');
  const upload = await receiveUpload(
    {
      organizationId: await requireHomeOrganization(caller),
      name: name ?? undefined,
      contentType: contentType ?? 'application/octet-stream',
      content,
    },
    nowMs,
  );
  const request = { ...creation, files: [{ id: upload.id, displayName, name, contentType }] };
  let result: StartResult | undefined;
  const documents = await createPlanned(async () => {
    const plan = await planCreation(caller, request, nowMs, { uploaded: [upload] });
    const [document] = plan.documents.map((one) => documentOf(plan, one));
    if (!document) throw new Error('A file was planned without a document.');
    const start = await planStart(
      document,
      { ...signature, flowActionId: null },
      nowMs,
      plan.isFilled ? undefined : content,
    );
    result = start.result;
    if (!result.success) return undefined;
    const kept = await keepingAnswer(renderStarted(request, plan.documents, result));
    const writes = [...plan.writes, ...start.writes, ...kept];
    return { ...plan, writes, mailDelaySeconds: MAIL_DELAY_SECONDS };
  });
  if (!result) throw new Error('A creation was not planned.');
  return renderStarted(request, documents, result);
}

const renderStarted = (
  request: Parameters<typeof renderCreated>[0],
  documents: readonly NewDocument[],
  signature: StartResult,
): z.input<typeof CreatedStarted> => ({
  document: renderCreated(request, documents)[0] ?? null,
  signature,
});
