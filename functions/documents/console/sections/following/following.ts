import { forEachConcurrently } from '../../../../../shared/async/for-each-concurrently.ts';
import { Refusal } from '../../../../../shared/errors/errors.ts';
import type { Answer } from '../../../../../shared/http/response/answer.ts';
import { validate } from '../../../../../shared/http/validate.ts';
import { Reason } from '../../../contract/documents.ts';
import { FlowEditRequest } from '../../../contract/flows/flow-edit.ts';
import { CreateFolder } from '../../../contract/folders.ts';
import { sendsMail } from '../../../domain/document/mail-announcement.ts';
import { moveDocument } from '../../../domain/document/move-document.ts';
import { cancelDocument } from '../../../domain/ending/end-document.ts';
import { editRunningFlow } from '../../../domain/flows/edit-running-flow.ts';
import { readDocument } from '../../../domain/links/read-document.ts';
import { remindFlowAction } from '../../../domain/mail/remind.ts';
import { createFolder } from '../../../domain/places/create-folder.ts';
import { deleteDocument } from '../../../domain/removal/delete-document.ts';
import { createActionUrl } from '../../../domain/signing/action-url.ts';
import { errors } from '../../../errors.ts';
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

/** Reminds everybody whose turn it is in a document. Refused where there is nobody who can be. */
async function remindAll({ caller, nowMs }: Visit, documentId: string): Promise<void> {
  const { flowActions } = await readDocument(caller, documentId, nowMs);
  const pending = flowActions.filter(({ status }) => status === 'Pending');
  const refused = await eachRefusal(pending, ({ id: flowActionId }) =>
    remindFlowAction(caller, { documentId, flowActionId }, Date.now),
  );
  if (refused.length === pending.length) throw refused[0] ?? errors.refuse('InvalidDocumentStatus');
}

/** Works on each, and goes on after a refusal. Answers the refusals. */
async function eachRefusal<T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
): Promise<readonly Refusal[]> {
  const refused: Refusal[] = [];
  await forEachConcurrently(AT_ONCE, items, async (item) => {
    try {
      await work(item);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refused.push(error);
    }
  });
  return refused;
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
  const { length: refused } = await eachRefusal(ids, work);
  return leadTo('', refused === 0 ? 'done' : refused < ids.length ? 'partly' : 'none');
}

/** A form of one document: it leads to the page that says what was done, or shows the document with the refusal. */
async function doOne(
  visit: Visit,
  id: string,
  /** Answers the word for what was done. */
  work: () => Promise<string>,
  to = `documents/${id}`,
): Promise<Answer> {
  let done = '';
  const refused = await refusalOf(async () => {
    done = await work();
  });
  return refused ? documentPage(visit, id, { refused }) : leadTo(to, done);
}

/** Another address of somebody who has not acted. Answers when they are invited there. */
async function correctAddress(
  visit: Visit,
  id: string,
  form: Form,
): Promise<'invitedNow' | 'invitedLater' | 'notInvited' | 'unchanged'> {
  const { caller, nowMs, organization } = visit;
  const [userId, emailAddress] = [form.text('userId'), form.text('emailAddress')];
  const flowActionId = form.text('flowActionId');
  const edited = {
    flowActionId,
    ...(userId === ''
      ? { participantEmailAddress: emailAddress }
      : { signRuleUsers: [{ userId, emailAddress }] }),
  };
  const before = await readDocument(caller, id, nowMs);
  await editRunningFlow(caller, id, validate(FlowEditRequest, { editedFlowActions: [edited] }), nowMs);
  const { flowActions, flowEdits, disablePendingActionNotifications } = await readDocument(caller, id, nowMs);
  if (flowEdits.length === before.flowEdits.length) return 'unchanged';
  if (!sendsMail(organization) || disablePendingActionNotifications) return 'notInvited';
  const isTheirTurn = flowActions.some(
    ({ id: action, status }) => action === flowActionId && status === 'Pending',
  );
  return isTheirTurn ? 'invitedNow' : 'invitedLater';
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
        return doOne(visit, id, async () => {
          await remindFlowAction(visit.caller, request, Date.now);
          return 'reminded';
        });
      },
    },
    'documents/{id}/correct': {
      operation: 'documents.change',
      submit: (visit, { id = '' }, form) => doOne(visit, id, () => correctAddress(visit, id, form)),
    },
    'documents/{id}/link': {
      operation: 'documents.change',
      submit: (visit, { id = '' }, form) => showLink(visit, id, form),
    },
    'documents/{id}/move': {
      operation: 'documents.change',
      submit: (visit, { id = '' }, form) => {
        const destination = { folderId: form.text('to') || null, newFolderName: null };
        return doOne(visit, id, async () => {
          await moveDocument(visit.caller, id, destination, visit.nowMs);
          return 'moved';
        });
      },
    },
    'documents/{id}/cancel': {
      operation: 'documents.change',
      submit: (visit, { id = '' }, form) =>
        doOne(visit, id, async () => {
          const { reason } = validate(Reason, { reason: form.text('reason') });
          await cancelDocument(visit.caller, id, reason, visit.nowMs);
          return 'canceled';
        }),
    },
    'documents/{id}/delete': {
      operation: 'documents.delete',
      submit: (visit, { id = '' }) =>
        doOne(
          visit,
          id,
          async () => {
            await deleteDocument(visit.caller, id);
            return 'deleted';
          },
          '',
        ),
    },
  },
};
