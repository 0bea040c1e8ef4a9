import { refusalOf } from '../../../../../shared/console/refusals.ts';
import { Problem } from '../../../../../shared/errors/errors.ts';
import type { Answer } from '../../../../../shared/http/response/answer.ts';
import { validate } from '../../../../../shared/http/validate.ts';
import { handOverAgain } from '../../../flows/domain/hand-over-again.ts';
import { ROOTS } from '../../../items/domain/files-of.ts';
import { KIND_PATHS, KINDS, type KindName, kindAtPath } from '../../../items/domain/kinds.ts';
import { CreateRestamp } from '../../../restamps/contract.ts';
import { kindOf } from '../../../restamps/domain/chain.ts';
import { createRestamp } from '../../../restamps/domain/create-restamp.ts';
import { resend } from '../../../webhooks/domain/resend.ts';
import { leadTo } from '../../pages/member-page.ts';
import type { Form, Section, Visit } from '../../visit.ts';
import { findChange } from './changes.ts';
import type { CreatedKind } from './creations.ts';
import { chosenFiles } from './form-fields.ts';
import type { SentChange } from './item-actions.ts';
import { findItem, itemPage } from './item-page.ts';
import { listPage } from './list-page.ts';
import { newPage, submitNew } from './new-page.ts';

type ItemForm = {
  readonly work: () => Promise<unknown>;
  readonly done: string;
  /** The change that its form asks for, with what was typed. */
  readonly sent?: SentChange;
};

/** A form of one item: it leads back to the item, or shows it with the refusal. */
async function doOne(
  visit: Visit,
  kind: KindName,
  id: string,
  { work, done, sent }: ItemForm,
): Promise<Answer> {
  const refused = await refusalOf(work);
  return refused ? itemPage(visit, kind, id, { refused, sent }) : leadTo(`${KINDS[kind].path}/${id}`, done);
}

const TEXTS = ['reason', 'cancellationReason', 'registrarInstituteId', 'description'] as const;

/** What was typed. A field that was left empty was not given. */
function bodyOf(kind: KindName, form: Form): object {
  const texts = TEXTS.map((name) => [name, form.text(name).trim()]).filter(([, text]) => text !== '');
  const files = chosenFiles(Object.keys(ROOTS[kind]), form);
  return { ...Object.fromEntries(texts), ...(files && { files }) };
}

function submitChange(visit: Visit, kind: KindName, { id, event }: Target, form: Form): Promise<Answer> {
  const found = findChange(kind, event);
  if (!found) throw new Problem('noRoute', { method: 'POST', path: visit.address });
  const change = found.read(bodyOf(kind, form));
  const sent = { event, sentValue: form.text };
  if ('wrong' in change) return itemPage(visit, kind, id, { sent: { ...sent, wrong: change.wrong } });
  const work = () => change.run(visit.caller, id, visit.nowMs);
  return doOne(visit, kind, id, { work, done: 'changed', sent: { ...sent, wrong: [] } });
}

type Target = { readonly id: string; readonly event: string };

const sectionOf = (path: string): Section => {
  const kind = kindAtPath(path);
  return {
    pages: {
      [path]: { operation: 'items.read', show: (visit) => listPage(visit, kind) },
      [`${path}/{id}`]: { operation: 'items.read', show: (visit, { id = '' }) => itemPage(visit, kind, id) },
    },
    forms: {
      [`${path}/{id}/resend`]: {
        operation: 'items.change',
        submit: (visit, { id = '' }) =>
          doOne(visit, kind, id, {
            work: async () => resend(await findItem(visit, kind, id)),
            done: 'resent',
          }),
      },
      [`${path}/{id}/events/{event}`]: {
        operation: 'items.change',
        submit: (visit, { id = '', event = '' }, form) => submitChange(visit, kind, { id, event }, form),
      },
    },
  };
};

/** Stamps a signed file again, from the page of its item. */
const restampForm: Section['forms'] = {
  'restamps/request': {
    operation: 'items.create',
    async submit(visit, _params, form) {
      const [documentType, documentId, identifier] = ['documentType', 'documentId', 'identifier'].map(
        form.text,
      );
      const request = validate(CreateRestamp, { documentType, documentId, identifier });
      let id = '';
      const refused = await refusalOf(async () => {
        ({ id } = await createRestamp(visit.caller, request, visit.nowMs));
      });
      return refused
        ? itemPage(visit, kindOf(request.documentType), request.documentId, { refused })
        : leadTo(`restamps/${id}`, 'created');
    },
  },
};

/** A list cannot be canceled and created anew, so its file can be handed over again; see flows/item-routes.ts. */
const handOverForm: Section['forms'] = {
  [`${KINDS.cancellationList.path}/{id}/hand-over`]: {
    operation: 'items.change',
    submit: (visit, { id = '' }) =>
      doOne(visit, 'cancellationList', id, {
        work: async () => handOverAgain(await findItem(visit, 'cancellationList', id), visit.nowMs),
        done: 'handed-over',
      }),
  },
};

const ofKinds = KIND_PATHS.map(sectionOf);

/** The lists of all kinds of items, the page of each, and what is done with it. */
export const items: Section = {
  pages: Object.assign({}, ...ofKinds.map(({ pages }) => pages)),
  forms: Object.assign({ ...handOverForm, ...restampForm }, ...ofKinds.map(({ forms }) => forms)),
};

/** The forms that create items. */
export const creation: Section = {
  pages: {
    'new/{items}': {
      operation: 'items.create',
      show: (visit, { items: path = '' }) => newPage(visit, requireKind(visit, path)),
    },
  },
  forms: {
    'new/{items}': {
      operation: 'items.create',
      submit: (visit, { items: path = '' }, form) => submitNew(visit, requireKind(visit, path), form),
    },
  },
};

function requireKind({ address }: Visit, path: string): CreatedKind {
  const kind = KIND_PATHS.includes(path) ? kindAtPath(path) : 'restamp';
  if (kind === 'restamp') throw new Problem('noRoute', { path: address });
  return kind;
}
