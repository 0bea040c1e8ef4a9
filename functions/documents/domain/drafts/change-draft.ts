import { formatOfKind } from '../../../../shared/signing/format-of.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { MAX_FILES } from '../../contract/create-document.ts';
import type { SentMarks } from '../../contract/marks-sessions.ts';
import { errors } from '../../errors.ts';
import { marksByAction } from '../marks-sessions/placed-marks.ts';
import { requireReceivedUpload } from '../uploads/take-or-collect.ts';
import {
  type Author,
  type Draft,
  type DraftFile,
  drafts,
  findDraft,
  findSeenDraft,
  type SeenDraft,
} from './draft.ts';
import { actionsOf } from './draft-request.ts';

export type DraftFields = Pick<
  Draft,
  'people' | 'required' | 'folderId' | 'message' | 'deadline' | 'language'
> & {
  /** The titles of files, by their ids. */
  readonly titles: Readonly<Record<string, string>>;
  /** Of a draft that changes a template. */
  readonly template?: { readonly name: string; readonly documentName: string; readonly days: string };
};

// An item of the table holds 400 KB.
const MAX_DRAFT_BYTES = 250_000;

// Two people, or two tabs, on one draft:
//
//   one     |--reads v1----------------saves on v1: v2--|
//   other       |--reads v1------------------------------saves on v1: DraftChanged, shown beside what they typed--|
//
// Whoever comes later is told, and saves over it knowingly or not at all.

/** Changes a draft that was read as this version. */
async function changeSeen(
  author: Author,
  seen: SeenDraft,
  nowMs: number,
  patchOf: (draft: Draft) => Partial<Draft>,
): Promise<Stored<Draft>> {
  const draft = await findSeenDraft(author, seen, nowMs);
  try {
    return await write(author, draft, patchOf(draft), nowMs);
  } catch (error) {
    throw error instanceof RaceLost ? errors.refuse('DraftChanged', { changedBy: draft.updatedBy }) : error;
  }
}

function write(
  { member }: Author,
  draft: Stored<Draft>,
  patch: Partial<Draft>,
  nowMs: number,
): Promise<Stored<Draft>> {
  const after = { ...patch, updatedAtMs: nowMs, updatedBy: member.name };
  if (Buffer.byteLength(JSON.stringify({ ...draft, ...after })) > MAX_DRAFT_BYTES)
    throw errors.refuse('InvalidRequest', { field: 'people', reason: 'are too many to be stored together' });
  return drafts.change(draft, after);
}

/** Saves the fields of a draft. */
export const saveDraft = (author: Author, seen: SeenDraft, fields: DraftFields, nowMs: number) =>
  changeSeen(author, seen, nowMs, (draft) => withFields(draft, fields));

/** The fields of a form in the place of what a draft has. */
export function withFields({ files, template }: Draft, fields: DraftFields): Partial<Draft> {
  const { titles, template: edited, ...rest } = fields;
  return {
    ...rest,
    files: files.map((file) => ({ ...file, title: titles[file.id] || file.title })),
    ...(edited && template?.kind === 'edit' && { template: { ...template, ...edited } }),
  };
}

/** Saves the marks that were placed. */
export const saveMarks = (author: Author, seen: SeenDraft, marks: SentMarks, nowMs: number) =>
  changeSeen(author, seen, nowMs, (draft) => {
    const actions = actionsOf(draft);
    const byAction = marksByAction(
      marks,
      actions.length,
      draft.files.map(({ id }) => id),
    );
    return {
      marks: byAction.flatMap((own, index) =>
        own.map((mark) => ({ ...mark, actionKey: actions[index]?.key ?? '' })),
      ),
    };
  });

/** Changes what does not depend on what somebody saw: files are added and removed one by one. */
const change = (
  author: Author,
  id: string,
  nowMs: number,
  patchOf: (draft: Draft) => Partial<Draft> | undefined,
): Promise<Stored<Draft>> =>
  retryOnConflict(async () => {
    const draft = await findDraft(author, id, nowMs);
    const patch = patchOf(draft);
    return patch ? write(author, draft, patch, nowMs) : draft;
  });

/** Adds an upload to a draft. A file that is there already is not added again. */
export async function addFile(author: Author, id: string, uploadId: string, nowMs: number) {
  const upload = await requireReceivedUpload(uploadId, author.organization.id);
  const { name: given, md5, size, kind = 'other' } = upload;
  const name = given ?? 'document';
  const isPdf = formatOfKind(kind, { contentType: upload.contentType, forceCades: false }) === 'PAdES';
  const contentType = isPdf ? 'application/pdf' : upload.contentType;
  const ownTitle = name.replace(/\.[a-z0-9]{1,5}$/i, '') || name;
  return change(author, id, nowMs, ({ files: before, marks, template, documentName: title = ownTitle }) => {
    const file: DraftFile = { id: uploadId, title, name, contentType, size, md5 };
    const files = template ? before.filter((each) => isTable(each) !== isTable(file)) : before;
    if (files.some((each) => each.id === uploadId || (each.md5 === md5 && each.size === size)))
      return undefined;
    if (files.length >= MAX_FILES)
      throw errors.refuse('InvalidRequest', { field: 'files', reason: `are more than ${MAX_FILES}` });
    return { files: [...files, file], ...(template && { marks: onAnyFile(marks) }) };
  });
}

/** A template has its marks on whatever file it is used for, and the file of its draft is an example. */
export const onAnyFile = (marks: Draft['marks']): Draft['marks'] =>
  marks.map(({ uploadId: _, ...mark }) => mark);

/** Whether a file has the people of a template, and is not the one that they sign. */
export const isTable = ({ name, contentType }: Pick<DraftFile, 'name' | 'contentType'>): boolean =>
  /\.csv$/i.test(name) || /^text\/csv\b/i.test(contentType);

/** Takes a file out of a draft, with its marks. Its upload is collected in time. */
export const removeFile = (author: Author, id: string, fileId: string, nowMs: number) =>
  change(author, id, nowMs, ({ files, marks, template }) => ({
    files: files.filter((file) => file.id !== fileId),
    marks: template ? onAnyFile(marks) : marks.filter(({ uploadId }) => uploadId !== fileId),
  }));

/** Moves a file one place up. */
export const raiseFile = (author: Author, id: string, fileId: string, nowMs: number) =>
  change(author, id, nowMs, ({ files }) => {
    const at = files.findIndex((file) => file.id === fileId);
    const [above, own] = [files[at - 1], files[at]];
    return above && own ? { files: files.with(at - 1, own).with(at, above) } : undefined;
  });

/** Throws a draft away. */
export const deleteDraft = (author: Author, id: string, nowMs: number): Promise<void> =>
  retryOnConflict(async () => {
    await drafts.delete(await findDraft(author, id, nowMs));
  });
