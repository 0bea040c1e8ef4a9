import * as z from 'zod';
import { Problem } from '../../../../shared/errors/errors.ts';
import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { SentMarks } from '../../contract/marks-sessions.ts';
import { PresignedUpload, PresignUpload } from '../../contract/uploads.ts';
import { addFile, saveDraft, saveMarks } from '../../domain/drafts/change-draft.ts';
import { createDraft, DRAFT_KEPT_MS, findDraft } from '../../domain/drafts/draft.ts';
import { mayDo } from '../../domain/members/permissions.ts';
import { presignUpload } from '../../domain/uploads/presigned-upload.ts';
import { CONSOLE, memberEndpoint } from '../http/member-visit.ts';
import { readFields } from '../sections/send/fields.ts';
import type { Visit } from '../visit.ts';

const Fields = z.record(z.string(), z.array(z.string()));

/** One change. What depends on what somebody saw names the version that they saw. */
const DraftChange = z.object({
  version: z.string().max(100).optional(),
  fields: Fields.optional(),
  marks: SentMarks.optional(),
  /** Asks for a link to put a file. */
  link: PresignUpload.optional(),
  /** The upload of a file that was put. */
  uploadId: z.uuid().optional(),
});

const ChangedDraft = z.object({
  id: z.string(),
  version: z.string(),
  link: PresignedUpload.nullable(),
});

/** What scripts of the pages of a draft do. The id `new` makes a draft. */
export const handler = memberEndpoint(
  {
    route: 'POST /drafts/{id}/changes',
    summary: 'A change of a draft by a script of its page',
    body: jsonBody(DraftChange),
    answers: { 200: ChangedDraft },
    refuses: CONSOLE.refuses,
  },
  async ({ params: { id = '' }, body }, visit) => {
    if (!mayDo(visit.member.role, 'documents.send')) throw new Problem('forbidden');
    return change(visit, id, body);
  },
);

async function change(visit: Visit, id: string, request: z.output<typeof DraftChange>) {
  const { nowMs, organization } = visit;
  const { version = '', fields, marks, link: file, uploadId } = request;
  if (id === 'new') return changed(await createDraft(visit, nowMs));
  const seen = { id, version };
  if (fields) {
    const all = (name: string): readonly string[] => fields[name] ?? [];
    const form = { all, text: (name: string): string => all(name).at(-1) ?? '' };
    return changed(await saveDraft(visit, seen, readFields(form), nowMs));
  }
  if (marks) return changed(await saveMarks(visit, seen, marks, nowMs));
  if (uploadId) return changed(await addFile(visit, id, uploadId, nowMs));
  const draft = await findDraft(visit, id, nowMs);
  if (!file) return changed(draft);
  const announced = { ...file, organizationId: organization.id, collectAtMs: nowMs + DRAFT_KEPT_MS };
  return changed(draft, await presignUpload(announced, nowMs));
}

const changed = (
  { id, version }: { readonly id: string; readonly version: string },
  link: z.input<typeof PresignedUpload> | null = null,
) => ({ id, version, link });
