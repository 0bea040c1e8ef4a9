import { CreateTemplate } from '../../contract/templates.ts';
import { errors } from '../../errors.ts';
import {
  type Author,
  createDraft,
  type Draft,
  findSeenDraft,
  listDrafts,
  type SeenDraft,
} from '../drafts/draft.ts';
import { type DraftProblem, problemsOf } from '../drafts/draft-request.ts';
import { finishDraft } from '../drafts/finish-draft.ts';
import { fillWithSamples } from './generation/patterns.ts';
import type { ReadPeople } from './generation/run-generation.ts';
import { replaceTemplate, storeTemplate } from './store-template.ts';
import { findTemplate, findVersion, renderDetails, type Template } from './template.ts';
import { contentOf, draftPartsOf } from './template-draft.ts';

/** Begins a draft of a new template. */
export const draftNewTemplate = (author: Author, nowMs: number) =>
  createDraft(author, nowMs, {
    template: { kind: 'edit', id: null, revision: 0, name: '', documentName: '', days: '' },
  });

/** A draft that changes a template: the one that this member has begun with this version, or a new one. */
export async function draftTemplateChange(author: Author, id: string, nowMs: number) {
  const { revision, name, content } = await findTemplate(author.caller, id);
  const begun = (await listDrafts(author, nowMs)).find(
    ({ template }) => template?.kind === 'edit' && template.id === id && template.revision === revision,
  );
  return begun ?? createDraft(author, nowMs, draftOf({ id, revision, name, content }));
}

/** A draft that makes an earlier version of a template the newest. */
export async function draftEarlierVersion(author: Author, id: string, version: number, nowMs: number) {
  const [{ revision }, { name, content }] = await Promise.all([
    findTemplate(author.caller, id),
    findVersion(author.caller, id, version),
  ]);
  return createDraft(author, nowMs, draftOf({ id, revision, name, content }));
}

function draftOf({ id, revision, name, content }: Pick<Template, 'id' | 'revision' | 'name' | 'content'>) {
  const { documentName, expiresAfterDays } = content;
  const days = expiresAfterDays === null ? '' : String(expiresAfterDays);
  return {
    ...draftPartsOf(content),
    template: { kind: 'edit', id, revision, name, documentName: documentName ?? '', days },
  } as const;
}

export type TemplateProblem =
  | DraftProblem
  | { readonly code: 'noTemplateName' | 'wrongTemplateName' | 'wrongDocumentName' | 'wrongDays' };

const EXAMPLE_FILE = {
  ...{ id: '00000000-0000-4000-8000-000000000000', title: 'example', name: 'example.pdf' },
  ...{ contentType: 'application/pdf', size: 1, md5: '' },
};

/** What keeps a template from being stored, whoever gets its roles. */
export function templateProblemsOf(draft: Draft, nowMs: number): TemplateProblem[] {
  const { template } = draft;
  if (template?.kind !== 'edit') return [];
  const sample = fillWithSamples({ ...draft, deadline: '', files: [EXAMPLE_FILE] }) as Draft;
  const { name, documentName, expiresAfterDays } = CreateTemplate.shape;
  const days = template.days === '' ? null : Number(template.days);
  const wrongName = template.name === '' ? 'noTemplateName' : 'wrongTemplateName';
  return [
    ...(name.safeParse(template.name).success ? [] : [{ code: wrongName } as const]),
    ...(documentName.safeParse(template.documentName).success
      ? []
      : [{ code: 'wrongDocumentName' } as const]),
    ...(expiresAfterDays.safeParse(days).success ? [] : [{ code: 'wrongDays' } as const]),
    ...problemsOf(sample, nowMs),
  ];
}

type StoreRequest = SeenDraft & {
  /** The version that is replaced; left out, the one that the draft was made of. */
  readonly replaces?: number;
};

/** Stores the template of a draft, and answers it. A change of a version that is not the newest is refused. */
export const storeDraftedTemplate = (
  author: Author,
  { replaces, ...seen }: StoreRequest,
  nowMs: number,
  readPeople: ReadPeople,
): Promise<Pick<ReturnType<typeof renderDetails>, 'id' | 'version'>> =>
  finishDraft(author, seen.id, async () => {
    const draft = await findSeenDraft(author, seen, nowMs);
    const { template } = draft;
    if (template?.kind !== 'edit' || templateProblemsOf(draft, nowMs).length > 0)
      throw errors.refuse('DraftNotReady');
    const content = CreateTemplate.parse(contentOf(draft));
    const { id, revision } = template;
    const version = replaces ?? revision;
    return async () =>
      renderDetails(
        id === null
          ? await storeTemplate(author.caller, content, nowMs, readPeople)
          : await replaceTemplate(author.caller, id, { ...content, version }, nowMs, readPeople),
      );
  });
