import { createHash, randomUUID } from 'node:crypto';
import { html } from 'hono/html';
import type { Caller } from '../../../../../shared/access/caller.ts';
import { refusalOf } from '../../../../../shared/console/refusals.ts';
import { Refusal } from '../../../../../shared/errors/errors.ts';
import type { Answer } from '../../../../../shared/http/response/answer.ts';
import { runOnce } from '../../../../../shared/store/kept-answers.ts';
import type { Markup } from '../../../../../shared/ui/page.ts';
import { problemBox } from '../../../../../shared/ui/parts.ts';
import { ROOTS } from '../../../items/domain/files-of.ts';
import type { Item } from '../../../items/domain/item.ts';
import { KINDS, type KindName } from '../../../items/domain/kinds.ts';
import { listInstitutes } from '../../../tenants/domain/institutes.ts';
import { consolePath } from '../../pages/frame.ts';
import { kindWords } from '../../pages/kind-words.ts';
import { leadTo, memberPage } from '../../pages/member-page.ts';
import { refusalText } from '../../pages/refusals.ts';
import type { Form, Visit } from '../../visit.ts';
import { CREATIONS, type CreatedKind } from './creations.ts';
import { type Again, chosenFiles, fileFields, formField, NOTHING_SENT, valueIn } from './form-fields.ts';
import { formWords } from './words/field-words.ts';
import { itemWords } from './words/item-words.ts';

type Shown = Again & { readonly problem?: string; readonly once?: string };

/** The form that creates an item of a kind. */
export async function newPage(
  visit: Visit,
  kind: CreatedKind,
  { problem, once = randomUUID(), ...again }: Shown = NOTHING_SENT,
): Promise<Answer> {
  const { language, caller, organization } = visit;
  const [words, names] = [itemWords(language), kindWords(kind, language)];
  const { fields, takesFiles } = CREATIONS[kind];
  const { path } = KINDS[kind];
  const institutes = await listInstitutes(caller, organization.id);
  const context = { ...again, language, institutes };
  const form = html`<form class="card stack item-form" method="post" enctype="multipart/form-data" action="${consolePath(`new/${path}`)}">
<input type="hidden" name="once" value="${once}">
${problemBox(problem)}
${fields.map((field) => formField(field, context))}
${takesFiles ? ownFiles(kind, visit) : ''}
<div class="actions"><button class="button">${words.save}</button> <a class="button quiet" href="${consolePath(path)}">${words.back}</a></div>
</form>`;
  return memberPage(visit, {
    title: names.create,
    current: kind,
    address: consolePath(`new/${path}`),
    styles: ['credentials-items.css'],
    ...(problem !== undefined && { status: 422 }),
    body: html`<h1>${names.create}</h1>
${institutes.length === 0 ? problemBox(words.noInstitute) : form}`,
  });
}

const ownFiles = (kind: CreatedKind, { language }: Visit): Markup => {
  const words = itemWords(language);
  return html`<details><summary>${words.ownFiles}</summary><div class="stack"><p class="faint">${words.ownFilesHint}</p>
${fileFields(Object.keys(ROOTS[kind]), language)}</div></details>`;
};

/** Creates what a form asks for, once however often it is sent, and leads to it; or shows it again. */
export async function submitNew(visit: Visit, kind: CreatedKind, form: Form): Promise<Answer> {
  const { caller, language, nowMs } = visit;
  const { fields, takesFiles, schema, run } = CREATIONS[kind];
  const again = (wrong: readonly string[], problem: string) => {
    const shown = { sentValue: form.text, wrong, problem, once: form.text('once') };
    return newPage(visit, kind, shown);
  };
  const files = takesFiles ? chosenFiles(Object.keys(ROOTS[kind]), form) : undefined;
  const body = {
    ...Object.fromEntries(fields.map((field) => [field.name, valueIn(field, form)])),
    ...(files && { files }),
  };
  const read = schema.safeParse(body);
  if (!read.success)
    return again(
      read.error.issues.map(({ path: [name] }) => String(name)),
      formWords(language).wrong,
    );
  let id = '';
  const refused = await refusalOf(async () => {
    id = await createOnce(caller, { kind, once: form.text('once'), body }, () =>
      run(caller, read.data as object, nowMs),
    );
  });
  if (refused instanceof Refusal) return again([], refusalText(refused, language));
  return leadTo(`${KINDS[kind].path}/${id}`, 'created');
}

type Sent = {
  readonly kind: KindName;
  /** A value that the form was shown with. Each form has its own. */
  readonly once: string;
  readonly body: object;
};

const hashOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/**
 * Creates the item of a form once, as an Idempotency-Key does for a program: a double click, or a page that is sent again,
 * leads to the item that is there. A form that was changed meanwhile creates another one.
 */
async function createOnce(
  { application }: Caller,
  { kind, once, body }: Sent,
  create: () => Promise<Item>,
): Promise<string> {
  if (once === '') return (await create()).id;
  const request = { id: hashOf(['console', application, kind, once, body]), fingerprint: hashOf(body) };
  const { id } = await runOnce<Pick<Item, 'id'>>(
    'credentials',
    request,
    create,
    ({ value }) => value as Item,
  );
  return id;
}
