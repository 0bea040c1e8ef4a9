import { Refusal } from '../../../../../shared/errors/errors.ts';
import { type Answer, redirect } from '../../../../../shared/http/response/answer.ts';
import type { Stored } from '../../../../../shared/store/collection.ts';
import {
  deleteDraft,
  raiseFile,
  removeFile,
  saveDraft,
  withFields,
} from '../../../domain/drafts/change-draft.ts';
import { type Draft, findDraft, listDrafts } from '../../../domain/drafts/draft.ts';
import { recentPeople } from '../../../domain/drafts/recent-people.ts';
import { sendDraft } from '../../../domain/drafts/send-draft.ts';
import { readFolderTree } from '../../../domain/lists/folder-tree.ts';
import { updateOrganizationMail } from '../../../domain/places/organization-mail.ts';
import { consolePath, draftPath } from '../../pages/frame.ts';
import { leadTo } from '../../pages/member-page.ts';
import { refusalOf } from '../../pages/refusals.ts';
import type { Form, Section, Visit } from '../../visit.ts';
import { draftPage } from './draft-page.ts';
import { readFields } from './fields.ts';
import { draftMarksPage } from './marks-page.ts';
import { reviewPage } from './review-page.ts';
import { startPage } from './start-page.ts';
import { readUploadWays } from './upload-form.ts';

const lead = (path: string): Answer => redirect(consolePath(path), { status: 303 });

/** Shows a draft, with who changed it meanwhile where what this member typed is not saved. */
async function showDraft(visit: Visit, draft: Stored<Draft>, changedBy?: string): Promise<Answer> {
  const [known, folders, ways] = await Promise.all([
    recentPeople(visit.caller),
    readFolderTree(visit.caller),
    readUploadWays(),
  ]);
  const choices = folders.map(({ id, name, depth }) => ({ id, name: `${'\u2003'.repeat(depth)}${name}` }));
  return draftPage(visit, {
    ...{ draft, known, folders: choices, ways },
    ...(changedBy !== undefined && { changedBy, status: 409 }),
  });
}

const showReview = async (visit: Visit, draft: Stored<Draft>, refused?: Refusal): Promise<Answer> => {
  const folders = draft.folderId === '' ? [] : await readFolderTree(visit.caller);
  return reviewPage(visit, draft, folders.find(({ id }) => id === draft.folderId)?.name, refused);
};

/** A page of a draft that is sent. That of a template has pages of its own. */
async function showIfSent(
  visit: Visit,
  id: string,
  show: (draft: Stored<Draft>) => Promise<Answer>,
): Promise<Answer> {
  const draft = await findDraft(visit, id, visit.nowMs);
  return draft.template ? lead(draftPath(draft)) : show(draft);
}

/** What the pressed button asks for beside saving: `remove-file:<id>`. */
const askedFor = (form: Form): readonly [what: string, which: string] => {
  const [what = 'save', which = ''] = form.text('do').split(':');
  return [what, which];
};

async function saveForm(visit: Visit, id: string, form: Form): Promise<Answer> {
  const { nowMs } = visit;
  const [what, which] = askedFor(form);
  const read = readFields(form);
  const people = what === 'remove-person' ? read.people.filter(({ key }) => key !== which) : read.people;
  const fields = { ...read, people };
  try {
    await saveDraft(visit, { id, version: form.text('version') }, fields, nowMs);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'DraftChanged') throw error;
    const current = await findDraft(visit, id, nowMs);
    // With the version of the other: saved next, it takes its place.
    return showDraft(visit, { ...current, ...withFields(current, fields) }, current.updatedBy);
  }
  if (what === 'remove-file') await removeFile(visit, id, which, nowMs);
  if (what === 'raise-file') await raiseFile(visit, id, which, nowMs);
  if (what === 'review' || what === 'marks') return lead(`send/${id}/${what}`);
  return leadTo(`send/${id}`, 'saved');
}

async function sendForm(visit: Visit, id: string, form: Form): Promise<Answer> {
  let sent: readonly string[] = [];
  const refused = await refusalOf(async () => {
    sent = await sendDraft(visit, { id, version: form.text('version') }, visit.nowMs);
  });
  if (refused) return showReview(visit, await findDraft(visit, id, visit.nowMs), refused);
  const [first] = sent;
  return sent.length === 1 && first ? leadTo(`documents/${first}`, 'sent') : leadTo('', 'sent');
}

/** Drafts, and how they are sent. */
export const send: Section = {
  pages: {
    send: {
      operation: 'documents.send',
      show: async (visit) => {
        const [all, ways] = await Promise.all([listDrafts(visit, visit.nowMs), readUploadWays()]);
        return startPage(
          visit,
          all.filter(({ template }) => !template),
          ways,
        );
      },
    },
    'send/{id}': {
      operation: 'documents.send',
      show: (visit, { id = '' }) => showIfSent(visit, id, (draft) => showDraft(visit, draft)),
    },
    'send/{id}/marks': {
      operation: 'documents.send',
      show: (visit, { id = '' }) => showIfSent(visit, id, (draft) => draftMarksPage(visit, draft)),
    },
    'send/{id}/review': {
      operation: 'documents.send',
      show: (visit, { id = '' }) => showIfSent(visit, id, (draft) => showReview(visit, draft)),
    },
  },
  forms: {
    'send/{id}/save': {
      operation: 'documents.send',
      submit: (visit, { id = '' }, form) => saveForm(visit, id, form),
    },
    'send/{id}/send': {
      operation: 'documents.send',
      submit: (visit, { id = '' }, form) => sendForm(visit, id, form),
    },
    'send/{id}/mail': {
      operation: 'organization.change',
      submit: async ({ caller, organization }, { id = '' }) => {
        const requiresCode = organization.mail?.requiresCode ?? false;
        await updateOrganizationMail(caller, organization.id, { enabled: true, requiresCode });
        return leadTo(`send/${id}/review`, 'mail');
      },
    },
    'send/{id}/delete': {
      operation: 'documents.send',
      submit: async (visit, { id = '' }) => {
        await deleteDraft(visit, id, visit.nowMs);
        return leadTo('send', 'deleted');
      },
    },
  },
};
