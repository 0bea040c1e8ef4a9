import { basePathOf } from '../../../../shared/access/return-path.ts';
import { Problem } from '../../../../shared/errors/errors.ts';
import { type Multipart, multipartBody } from '../../../../shared/http/body/multipart.ts';
import { redirect } from '../../../../shared/http/response/answer.ts';
import { validate } from '../../../../shared/http/validate.ts';
import { MAX_FILES, NewVersion } from '../../contract/create-document.ts';
import { UPLOAD_FORM } from '../../contract/uploads.ts';
import { createVersion } from '../../domain/creating/create-version.ts';
import { addFile } from '../../domain/drafts/change-draft.ts';
import { createDraft, DRAFT_KEPT_MS, findDraft } from '../../domain/drafts/draft.ts';
import { mayDo } from '../../domain/members/permissions.ts';
import { keepUpload, receiveFile } from '../../domain/uploads/receive-upload.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import { CONSOLE, memberEndpoint } from '../http/member-visit.ts';
import { draftPath } from '../pages/frame.ts';
import type { Visit } from '../visit.ts';

/**
 * Files as a form: of a draft, where the id `new` makes one, and the new version of a document. Forms without scripts
 * send it, and a script that shows how far each file is.
 */
export const handler = memberEndpoint(
  {
    route: 'POST /drafts/{id}/files',
    aliases: ['POST /drafts/versions/{id}'],
    summary: 'Files of the console',
    body: multipartBody({
      maxFiles: () => MAX_FILES,
      maxFileBytes: () => settings['Uploads:MaxBytes'],
      schema: UPLOAD_FORM,
    }),
    ...CONSOLE,
  },
  async ({ params: { id = '' }, path, body }, visit) => {
    const isVersion = path.includes('/drafts/versions/');
    if (!mayDo(visit.member.role, isVersion ? 'documents.change' : 'documents.send'))
      throw new Problem('forbidden');
    const shown = await (isVersion ? replaceFile : addFiles)(visit, id, body);
    return redirect(`${basePathOf('documents')}/console/${shown}`, { status: 303 });
  },
);

async function addFiles(visit: Visit, id: string, body: Multipart): Promise<string> {
  const { nowMs } = visit;
  const draft = id === 'new' ? undefined : await findDraft(visit, id, nowMs);
  const uploads = await receiveAll(visit, body);
  const added = draft ?? (await createDraft(visit, nowMs));
  for (const uploadId of uploads) await addFile(visit, added.id, uploadId, nowMs);
  return draftPath(added);
}

async function replaceFile(visit: Visit, id: string, body: Multipart): Promise<string> {
  const [first] = await receiveAll(visit, body);
  await createVersion(visit.caller, id, validate(NewVersion, { file: { id: first } }), visit.nowMs);
  return `documents/${id}?done=replaced`;
}

const AS_SENT = { name: null, contentType: null };

/** The uploads of the files of a form. At least one. */
async function receiveAll({ organization, nowMs }: Visit, body: Multipart): Promise<readonly string[]> {
  const uploads: string[] = [];
  for await (const part of body.parts) {
    if (part.kind === 'field') continue;
    const { fileName, contentType, content } = part;
    const request = { organizationId: organization.id, name: fileName, contentType, content };
    const received = await receiveFile({ ...request, collectAtMs: nowMs + DRAFT_KEPT_MS }, nowMs);
    // A browser sends an empty part for a field in which no file was chosen.
    if ('bytes' in received && received.bytes.length === 0) continue;
    uploads.push((await keepUpload(received, AS_SENT, nowMs)).id);
  }
  if (uploads.length === 0) throw errors.refuse('UploadEmpty');
  return uploads;
}
