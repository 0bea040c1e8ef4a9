import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../../shared/access/caller.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { keepingAnswer } from '../../../../shared/store/kept-answers.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import type { CreateTemplate, UpdateTemplate } from '../../contract/templates.ts';
import { errors } from '../../errors.ts';
import { authorOf } from '../document/document.ts';
import { requireHomeOrganization } from '../places/organization.ts';
import { patternsOf } from './generation/create-generation.ts';
import { fillWithSamples } from './generation/patterns.ts';
import type { ReadPeople } from './generation/run-generation.ts';
import {
  findTemplate,
  keepingVersion,
  listingTemplate,
  removeTemplate,
  renderDetails,
  type Template,
  templates,
} from './template.ts';

/** Stores a template for the organization of the key. What no values could mend is refused. */
export const storeTemplate = (
  caller: Caller,
  request: CreateTemplate,
  nowMs: number,
  readPeople: ReadPeople,
): Promise<Template> =>
  retryOnConflict(async () => {
    const template: Template = {
      id: randomUUID(),
      organizationId: await requireHomeOrganization(caller),
      ...contentOf(request, readPeople),
      revision: 1,
      createdBy: authorOf(caller),
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    };
    const kept = await keepingAnswer(renderDetails(template));
    await commit([templates.creating(template), ...listingTemplate(undefined, template), ...kept]);
    return template;
  });

// Two people edit one template:
//
//   Ana    |--reads 3------------------- writes on 3: it is 4 now --|
//   Bruno     |--reads 3------- writes on 3: refused, TemplateChanged --|
//
// The version is the one that a person has read, and not the one that this call reads.

/** Replaces a template that nobody else has changed since it was read. What it was, and documents made of it, stay. */
export const replaceTemplate = (
  caller: Caller,
  id: string,
  { version, ...request }: UpdateTemplate,
  nowMs: number,
  readPeople: ReadPeople,
): Promise<Stored<Template>> =>
  retryOnConflict(async () => {
    const before = await findTemplate(caller, id);
    if (before.revision !== version)
      throw errors.refuse('TemplateChanged', { templateId: id, version, currentVersion: before.revision });
    const content = contentOf(request, readPeople);
    const next = { name: content.name, by: authorOf(caller), atMs: nowMs };
    const { versions, writes } = keepingVersion(before, next);
    const changed = { ...content, revision: version + 1, versions, updatedAtMs: nowMs };
    const after = { ...before, ...changed };
    const kept = await keepingAnswer(renderDetails(after));
    return templates.change(before, changed, {
      also: [...listingTemplate(before, after), ...writes, ...kept],
    });
  });

/** Deletes a template, with its earlier versions. */
export const deleteTemplate = (caller: Caller, id: string): Promise<void> =>
  retryOnConflict(async () => removeTemplate(await findTemplate(caller, id)));

// As much as a document takes of it.
const MAX_BYTES = 120_000;

function contentOf(
  { name, ...content }: CreateTemplate,
  readPeople: ReadPeople,
): Pick<Template, 'name' | 'content'> {
  readPeople(fillWithSamples(patternsOf(content, name)));
  const refuse = (reason: string) => errors.refuse('InvalidRequest', { field: 'flowActions', reason });
  const written = JSON.stringify(content);
  if (Buffer.byteLength(written) > MAX_BYTES) throw refuse('are too large together for a document');
  // An upload is of one document, and a template of many.
  if (/"uploadId":"[^"]/.test(written))
    throw refuse('have a mark that names an upload, which a template has none of');
  return { name, content };
}
