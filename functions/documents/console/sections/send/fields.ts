import { randomUUID } from 'node:crypto';
import { LANGUAGES } from '../../../../../shared/ui/languages.ts';
import type { DraftFields } from '../../../domain/drafts/change-draft.ts';
import { DRAFT_ROLES, type DraftPerson } from '../../../domain/drafts/draft.ts';

type Fields = { readonly text: (name: string) => string; readonly all: (name: string) => readonly string[] };

const MAX_STEP = 100;
// More than any field of the contract takes, so that whoever pastes too much is told and not cut.
const MAX_LENGTH = 2_500;

const cleaned = (text: string | undefined): string => (text ?? '').trim().slice(0, MAX_LENGTH);

const wholeNumber = (text: string | undefined, max: number): number =>
  Math.min(max, Math.max(1, Math.trunc(Number(text)) || 1));

/** The fields of the form of a draft. Each person has one value of every field, in the order of the rows. */
export function readFields(form: Fields): DraftFields {
  const column = (name: string): readonly string[] => form.all(name);
  const [names, emails, identifiers] = ['personName', 'personEmail', 'personIdentifier'].map(column);
  const [keys, roles, steps] = ['personKey', 'personRole', 'personStep'].map(column);
  const [groups, required, parts] = ['personGroup', 'personRequired', 'personPart'].map(column);
  const people = (names ?? []).map(
    (name, at): DraftPerson => ({
      key: cleaned(keys?.[at]).slice(0, 40) || randomUUID(),
      ...named(
        { name: cleaned(name), email: cleaned(emails?.[at]), identifier: cleaned(identifiers?.[at]) },
        cleaned(parts?.[at]),
      ),
      role: DRAFT_ROLES.find((role) => role === roles?.[at]) ?? 'sign',
      step: wholeNumber(steps?.[at], MAX_STEP),
      group: cleaned(groups?.[at]).slice(0, 200),
    }),
  );
  const [fileIds, titles] = [column('fileId'), column('fileTitle')];
  return {
    // The empty row at the end is nobody.
    people: people.filter(({ name, email, identifier }) => name + email + identifier !== ''),
    required: Object.fromEntries(
      people
        .flatMap(({ group }, at) =>
          group === '' ? [] : [[group, wholeNumber(required?.[at], people.length)] as const],
        )
        .toReversed(),
    ),
    titles: Object.fromEntries(fileIds.map((id, at) => [id, cleaned(titles[at])])),
    folderId: cleaned(form.text('folderId')),
    message: (form.text('message') ?? '').trim().replaceAll('\r\n', '\n').slice(0, MAX_LENGTH),
    deadline: cleaned(form.text('deadline')).slice(0, 10),
    language: LANGUAGES.find((language) => language === form.text('language')) ?? '',
    ...(form.all('templateName').length > 0 && {
      template: {
        name: cleaned(form.text('templateName')).slice(0, 200),
        documentName: cleaned(form.text('templateDocumentName')).slice(0, 255),
        days: cleaned(form.text('templateDays')).slice(0, 10),
      },
    }),
  };
}

type Named = Pick<DraftPerson, 'name' | 'email' | 'identifier'>;

/** Somebody as typed; of a row that has a role alone, the values that are asked for when the template is used. */
function named(typed: Named, given: string): Named {
  const part = given.replaceAll(/[{}]/g, '').trim().slice(0, 80);
  if (part === '' || typed.name + typed.email + typed.identifier !== '') return typed;
  return { name: `{{${part}}}`, email: `{{${part} e-mail}}`, identifier: `{{${part} CPF}}` };
}
