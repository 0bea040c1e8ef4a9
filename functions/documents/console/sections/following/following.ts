import { forEachConcurrently } from '../../../../../shared/async/for-each-concurrently.ts';
import { Refusal } from '../../../../../shared/errors/errors.ts';
import type { Answer } from '../../../../../shared/http/response/answer.ts';
import { validate } from '../../../../../shared/http/validate.ts';
import { Reason } from '../../../contract/documents.ts';
import { FlowEditRequest } from '../../../contract/flows/flow-edit.ts';
import { CreateFolder } from '../../../contract/folders.ts';
import { moveDocument } from '../../../domain/document/move-document.ts';
import { cancelDocument } from '../../../domain/ending/end-document.ts';
import { editRunningFlow } from '../../../domain/flows/edit-running-flow.ts';
import { readDocument } from '../../../domain/links/read-document.ts';
import { remindFlowAction } from '../../../domain/mail/remind.ts';
import { createFolder } from '../../../domain/places/create-folder.ts';
import { deleteDocument } from '../../../domain/removal/delete-document.ts';
import { createActionUrl } from '../../../domain/signing/action-url.ts';
import { leadTo } from '../../pages/member-page.ts';
import { refusalOf } from '../../pages/refusals.ts';
import type { Form, Section, Visit } from '../../visit.ts';
import { documentPage } from './document-page.ts';
import { listPage } from './list-page.ts';
import { signaturesPage } from './signatures-page.ts';
import { listWords } from './words.ts';

// A page of the list has so many.
const MAX_SELECTED = 100;
const AT_ONCE = 4;

/** Reminds everybody whose turn it is in a document. */
async function remindAll({ caller, nowMs }: Visit, documentId: string): Promise<void> {
  const { flowActions } = await readDocument(caller, documentId, nowMs);
  for (const { id: flowActionId, status } of flowActions)
    if (status === 'Pending') await remindFlowAction(caller, { documentId, flowActionId }, Date.now);
}

/** What is done with each document of a selection. */
function workOf(visit: Visit, form: Form): ((id: string) => Promise<unknown>) | undefined {
  const { caller, nowMs } = visit;
  switch (form.text('do')) {
    case 'remind':
      return (id) => remindAll(visit, id);
    case 'move': {
      const destination = { folderId: form.text('to') || null, newFolderName: null };
      return (id) => moveDocument(caller, id, destination, nowMs);
    }
    case 'cancel': {
      const { reason } = validate(Reason, { reason: form.text('reason') });
      return (id) => cancelDocument(caller, id, reason, nowMs);
    }
    default:
      return undefined;
  }
}

async function submitSelection(visit: Visit, form: Form): Promise<Answer> {
  const ids = [...new Set(form.all('id'))].slice(0, MAX_SELECTED);
  const work = workOf(visit, form);
  if (ids.length === 0 || !work) return listPage(visit, listWords(visit.language).nothingSelected);
  // One that has ended meanwhile is left as it is, and the others are done.
  await forEachConcurrently(AT_ONCE, ids, (id) =>
    work(id).then(
      () => undefined,
      (error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
      },
    ),
  );
  return leadTo('', 'done');
}

/** A form of one document: it leads to the page that says so, or shows the document with the refusal. */
async function doOne(
  visit: Visit,
  id: string,
  work: () => Promise<unknown>,
  done: string,
  to = `documents/${id}`,
): Promise<Answer> {
  const refused = await refusalOf(work);
  return refused ? documentPage(visit, id, { refused }) : leadTo(to, done);
}

/** Another address of somebody who has not acted, who is then invited there. */
function correctAddress({ caller, nowMs }: Visit, id: string, form: Form): Promise<unknown> {
  const [userId, emailAddress] = [form.text('userId'), form.text('emailAddress')];
  const edited = {
    flowActionId: form.text('flowActionId'),
    ...(userId === ''
      ? { participantEmailAddress: emailAddress }
      : { signRuleUsers: [{ userId, emailAddress }] }),
  };
  return editRunningFlow(caller, id, validate(FlowEditRequest, { editedFlowActions: [edited] }), nowMs);
}

async function showLink(visit: Visit, id: string, form: Form): Promise<Answer> {
  const selector = {
    flowActionId: form.text('flowActionId') || null,
    emailAddress: form.text('emailAddress') || null,
    identifier: form.text('identifier') || null,
  };
  let url = '';
  const refused = await refusalOf(async () => {
    ({ url } = await createActionUrl(visit.caller, id, selector, visit.nowMs));
  });
  const who = selector.emailAddress ?? selector.identifier ?? '';
  return documentPage(visit, id, refused ? { refused } : { link: { url, who } });
}

/** Lists of documents, and the page of each. */
export const following: Section = {
  pages: {
    '': { operation: 'documents.read', show: (visit) => listPage(visit) },
    'documents/{id}': { operation: 'documents.read', show: (visit, { id = '' }) => documentPage(visit, id) },
    'documents/{id}/signatures': {
      operation: 'documents.read',
      show: (visit, { id = '' }) => signaturesPage(visit, id),
    },
  },
  forms: {
    'documents/selection': {
      operation: 'documents.change',
      submit: (visit, _, form) => submitSelection(visit, form),
    },
    'documents/folders': {
      operation: 'folders.change',
      submit: async (visit, _, form) => {
        const request = validate(CreateFolder, {
          name: form.text('folderName'),
          parentId: form.text('parentId'),
        });
        await createFolder(visit.caller, request, visit.nowMs);
        return leadTo('', 'folder');
      },
    },
    'documents/{id}/remind': {
      operation: 'documents.change',
      submit: (visit, { id = '' }, form) => {
        const request = { documentId: id, flowActionId: form.text('flowActionId') };
        return doOne(visit, id, () => remindFlowAction(visit.caller, request, Date.now), 'reminded');
      },
    },
    'documents/{id}/correct': {
      operation: 'documents.change',
      submit: (visit, { id = '' }, form) =>
        doOne(visit, id, () => correctAddress(visit, id, form), 'corrected'),
    },
    'documents/{id}/link': {
      operation: 'documents.change',
      submit: (visit, { id = '' }, form) => showLink(visit, id, form),
    },
    'documents/{id}/move': {
      operation: 'documents.change',
      submit: (visit, { id = '' }, form) => {
        const destination = { folderId: form.text('to') || null, newFolderName: null };
        return doOne(visit, id, () => moveDocument(visit.caller, id, destination, visit.nowMs), 'moved');
      },
    },
    'documents/{id}/cancel': {
      operation: 'documents.change',
      submit: (visit, { id = '' }, form) =>
        doOne(
          visit,
          id,
          async () => {
            const { reason } = validate(Reason, { reason: form.text('reason') });
            await cancelDocument(visit.caller, id, reason, visit.nowMs);
          },
          'canceled',
        ),
    },
    'documents/{id}/delete': {
      operation: 'documents.delete',
      submit: (visit, { id = '' }) => doOne(visit, id, () => deleteDocument(visit.caller, id), 'deleted', ''),
    },
  },
};
