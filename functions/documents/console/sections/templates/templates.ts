import { Problem, Refusal } from '../../../../../shared/errors/errors.ts';
import { type Answer, redirect } from '../../../../../shared/http/response/answer.ts';
import type { Stored } from '../../../../../shared/store/collection.ts';
import { deleteDraft, removeFile, saveDraft, withFields } from '../../../domain/drafts/change-draft.ts';
import { type Draft, findDraft } from '../../../domain/drafts/draft.ts';
import { recentPeople } from '../../../domain/drafts/recent-people.ts';
import { readFolderTree } from '../../../domain/lists/folder-tree.ts';
import { mayDo } from '../../../domain/members/permissions.ts';
import {
  draftEarlierVersion,
  draftNewTemplate,
  draftTemplateChange,
  storeDraftedTemplate,
  templateProblemsOf,
} from '../../../domain/templates/edit-template.ts';
import {
  cancelGeneration,
  resumeGeneration,
} from '../../../domain/templates/generation/cancel-generation.ts';
import { deleteTemplate } from '../../../domain/templates/store-template.ts';
import { findTemplate, renderDetails } from '../../../domain/templates/template.ts';
import {
  draftByTemplate,
  draftTable,
  previewTable,
  startTable,
} from '../../../domain/templates/use-in-draft.ts';
import { readPeople } from '../../../http/read-people.ts';
import { consolePath, draftPath } from '../../pages/frame.ts';
import { leadTo } from '../../pages/member-page.ts';
import { refusalOf } from '../../pages/refusals.ts';
import type { Form, Section, Visit } from '../../visit.ts';
import { readFields } from '../send/fields.ts';
import { draftMarksPage } from '../send/marks-page.ts';
import { readUploadWays } from '../send/upload-form.ts';
import { type EditNews, editPage } from './edit-page.ts';
import { generationPage } from './generation-page.ts';
import { templatesPage } from './list-page.ts';
import { tablePage } from './table-page.ts';
import { templatePage } from './template-page.ts';
import { versionPage, versionsPage } from './versions-page.ts';

const lead = (path: string): Answer => redirect(consolePath(path), { status: 303 });

const optionsOf = ({ deadlineAtMs }: Visit) => ({
  readPeople,
  now: Date.now,
  deadlineAtMs,
  hangUp: undefined,
});

/** The page of a draft of a template: one that changes it, or one that uses it for many. */
async function showDraft(visit: Visit, draft: Stored<Draft>, news: EditNews = {}): Promise<Answer> {
  const { template } = draft;
  if (!template) return lead(draftPath(draft));
  const ways = await readUploadWays();
  if (template.kind === 'edit')
    return editPage(visit, draft, template, { ...news, known: await recentPeople(visit.caller), ways });
  const folders = (await readFolderTree(visit.caller)).map(({ id, name, depth }) => ({
    id,
    name: `${'\u2003'.repeat(depth)}${name}`,
  }));
  let seen: Awaited<ReturnType<typeof previewTable>> = { names: [], preview: undefined };
  const refused = await refusalOf(async () => {
    seen = await previewTable(visit, draft, optionsOf(visit));
  });
  return tablePage(visit, draft, { ...seen, ways, folders, refused: news.refused ?? refused });
}

async function saveEdit(visit: Visit, id: string, form: Form): Promise<Answer> {
  const { nowMs } = visit;
  const [what = 'save', which = ''] = form.text('do').split(':');
  const read = readFields(form);
  const people = what === 'remove-person' ? read.people.filter(({ key }) => key !== which) : read.people;
  const fields = { ...read, people };
  const isStored = what === 'store' || what === 'replace';
  let saved: Stored<Draft>;
  try {
    saved = await saveDraft(visit, { id, version: form.text('version') }, fields, nowMs);
  } catch (error) {
    const code = error instanceof Refusal ? error.code : undefined;
    // Pressed twice: the template is stored, and its draft is gone.
    if (code === 'DraftNotFound' && isStored) return leadToStored(visit, { id, version: '' });
    if (!(error instanceof Refusal) || code !== 'DraftChanged') throw error;
    const current = await findDraft(visit, id, nowMs);
    return showDraft(visit, { ...current, ...withFields(current, fields) }, { refused: error });
  }
  if (what === 'remove-file') await removeFile(visit, id, which, nowMs);
  if (isStored) return storeEdit(visit, saved, Number(which) || undefined);
  return what === 'marks' ? lead(`${draftPath(saved)}/marks`) : leadTo(draftPath(saved), 'saved');
}

/** Stores the template of a draft that was just saved. Whoever comes later than somebody else is told. */
async function storeEdit(visit: Visit, draft: Stored<Draft>, replaces?: number): Promise<Answer> {
  const { nowMs, member, caller } = visit;
  if (!mayDo(member.role, 'templates.change')) throw new Problem('forbidden');
  const problems = templateProblemsOf(draft, nowMs);
  if (problems.length > 0) return showDraft(visit, draft, { problems });
  const seen = { id: draft.id, version: draft.version, ...(replaces !== undefined && { replaces }) };
  let answer: Answer | undefined;
  const refused = await refusalOf(async () => {
    answer = await leadToStored(visit, seen);
  });
  if (answer || !refused) return answer ?? lead('templates');
  if (refused.code !== 'TemplateChanged') return showDraft(visit, draft, { refused });
  const { revision } = await findTemplate(caller, draft.template?.id ?? '');
  return showDraft(visit, draft, { newest: revision });
}

async function leadToStored(visit: Visit, seen: Parameters<typeof storeDraftedTemplate>[1]): Promise<Answer> {
  const { id } = await storeDraftedTemplate(visit, seen, visit.nowMs, readPeople);
  return leadTo(`templates/${id}`, 'stored');
}

async function useTemplate(visit: Visit, id: string, form: Form): Promise<Answer> {
  const { values } = renderDetails(await findTemplate(visit.caller, id));
  const given = Object.fromEntries(
    values.map((name) => [name, form.text(`value:${name}`).trim().slice(0, 2_000)]),
  );
  let path = '';
  const refused = await refusalOf(async () => {
    path = draftPath(await draftByTemplate(visit, id, given, visit.nowMs));
  });
  return refused ? templatePage(visit, id, { refused, form }) : lead(path);
}

async function startForm(visit: Visit, id: string, form: Form): Promise<Answer> {
  const request = { id, version: form.text('version'), folderId: form.text('folderId') };
  let started = '';
  const refused = await refusalOf(async () => {
    started = (await startTable(visit, request, visit.nowMs, optionsOf(visit))).id;
  });
  if (!refused) return leadTo(`templates/generations/${started}`, 'started');
  return showDraft(visit, await findDraft(visit, id, visit.nowMs), { refused });
}

async function changeGeneration(
  visit: Visit,
  id: string,
  change: typeof cancelGeneration,
  done: string,
): Promise<Answer> {
  const refused = await refusalOf(() => change(visit.caller, id, visit.nowMs));
  return refused ? generationPage(visit, id, refused) : leadTo(`templates/generations/${id}`, done);
}

/** Templates: made, changed, and used for one document or for a table of people. */
export const templates: Section = {
  pages: {
    templates: { operation: 'templates.read', show: templatesPage },
    'templates/{id}': { operation: 'templates.read', show: (visit, { id = '' }) => templatePage(visit, id) },
    'templates/versions/{id}': {
      operation: 'templates.read',
      show: (visit, { id = '' }) => versionsPage(visit, id),
    },
    'templates/versions/{id}/{version}': {
      operation: 'templates.read',
      show: (visit, { id = '', version = '' }) => versionPage(visit, id, version),
    },
    'templates/drafts/{id}': {
      operation: 'templates.change',
      show: async (visit, { id = '' }) => showDraft(visit, await findDraft(visit, id, visit.nowMs)),
    },
    'templates/drafts/{id}/marks': {
      operation: 'templates.change',
      show: async (visit, { id = '' }) => draftMarksPage(visit, await findDraft(visit, id, visit.nowMs)),
    },
    'templates/generations/{id}': {
      operation: 'documents.read',
      show: (visit, { id = '' }) => generationPage(visit, id),
    },
  },
  forms: {
    'templates/new': {
      operation: 'templates.change',
      submit: async (visit) => lead(draftPath(await draftNewTemplate(visit, visit.nowMs))),
    },
    'templates/{id}/edit': {
      operation: 'templates.change',
      submit: async (visit, { id = '' }) =>
        lead(draftPath(await draftTemplateChange(visit, id, visit.nowMs))),
    },
    'templates/versions/{id}/{version}/use': {
      operation: 'templates.change',
      submit: async (visit, { id = '', version = '' }) =>
        lead(draftPath(await draftEarlierVersion(visit, id, Number(version), visit.nowMs))),
    },
    'templates/{id}/delete': {
      operation: 'templates.change',
      submit: async ({ caller }, { id = '' }) => {
        await deleteTemplate(caller, id);
        return leadTo('templates', 'deleted');
      },
    },
    'templates/{id}/use': {
      operation: 'documents.send',
      submit: (visit, { id = '' }, form) => useTemplate(visit, id, form),
    },
    'templates/{id}/table': {
      operation: 'documents.send',
      submit: async (visit, { id = '' }) => lead(draftPath(await draftTable(visit, id, visit.nowMs))),
    },
    'templates/drafts/{id}/save': {
      operation: 'templates.change',
      submit: (visit, { id = '' }, form) => saveEdit(visit, id, form),
    },
    'templates/drafts/{id}/start': {
      operation: 'documents.send',
      submit: (visit, { id = '' }, form) => startForm(visit, id, form),
    },
    'templates/drafts/{id}/delete': {
      operation: 'templates.change',
      submit: async (visit, { id = '' }) => {
        await deleteDraft(visit, id, visit.nowMs);
        return leadTo('templates', 'thrown');
      },
    },
    'templates/generations/{id}/stop': {
      operation: 'documents.send',
      submit: (visit, { id = '' }) => changeGeneration(visit, id, cancelGeneration, 'stopped'),
    },
    'templates/generations/{id}/resume': {
      operation: 'documents.send',
      submit: (visit, { id = '' }) => changeGeneration(visit, id, resumeGeneration, 'resumed'),
    },
  },
};
