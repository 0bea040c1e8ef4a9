import type { Caller } from '../../../../shared/access/caller.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { containsText, entryContainsText } from '../../../../shared/store/lists/contains-text.ts';
import { type Entry, numberedList } from '../../../../shared/store/lists/numbered-list.ts';
import type { CreateTemplate } from '../../contract/templates.ts';
import { errors } from '../../errors.ts';
import { isoDate } from '../calendar.ts';
import type { Author } from '../document/document.ts';
import { shownAuthor } from '../document/notifications.ts';
import { columnsIn } from '../generation/patterns.ts';
import { listPage, type PageRequest } from '../lists/list-page.ts';
import {
  findOrganization,
  homeOrganizationOf,
  isActiveOrganization,
  isInScope,
  recentOrganization,
} from '../places/organization.ts';

/**
 * A flow with roles. It is kept as it was sent: a stored flow has people, who are checked when it is stored, and a role is
 * nobody before the template is used.
 */
export type Template = {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly content: Omit<CreateTemplate, 'name'>;
  /** For callers, who name it in a change. */
  readonly revision: number;
  readonly createdBy: Author;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
};

export const templates = collection<Template, string>({
  service: 'documents',
  name: 'template',
  id: ({ id }) => id,
  key: (id) => ({ pk: `TEMPLATE#${id}`, sk: 'TEMPLATE' }),
});

/** The templates of an organization, by creation time. */
export const templateList = (organizationId: string) =>
  numberedList({ service: 'documents', name: `templates/organization/${organizationId}` });

const entryOf = ({ id, createdAtMs, name }: Template): Entry => ({ id, atMs: createdAtMs, facts: [name] });

/** The writes that keep the list right when a template is stored (no before), changed or deleted (no after). */
export const listingTemplate = (before: Template | undefined, after: Template | undefined) =>
  templateList(before?.organizationId ?? after?.organizationId ?? '').changing(
    before && entryOf(before),
    after && entryOf(after),
  );

/** Finds a template. One outside the key's scope, or of a deleted organization, does not exist. */
export async function findTemplate(
  caller: Pick<Caller, 'registered'>,
  id: string,
): Promise<Stored<Template>> {
  const found = await templates.get(id);
  const isVisible = found && isInScope(caller, found.organizationId);
  if (isVisible && isActiveOrganization(await recentOrganization(found.organizationId))) return found;
  throw errors.refuse('TemplateNotFound', { resourceName: 'DocumentTemplate', resourceId: id });
}

/** A template as lists show it. */
export const renderTemplate = (template: Template) => ({
  id: template.id,
  name: template.name,
  version: template.revision,
  values: columnsIn(template.content),
  creationDate: isoDate(template.createdAtMs),
  updateDate: isoDate(template.updatedAtMs),
  createdBy: shownAuthor(template.createdBy),
});

/** A template with its flow. */
export const renderDetails = (template: Template) => ({
  ...renderTemplate(template),
  ...template.content,
  observers: template.content.observers ?? [],
  notifiedEmails: template.content.notifiedEmails ?? [],
  tags: template.content.tags ?? [],
});

type ListRequest = PageRequest & {
  readonly organizationId?: string | undefined;
  readonly q?: string | undefined;
};

/** Lists the templates of an organization. */
export async function listTemplates(caller: Caller, request: ListRequest) {
  const { q } = request;
  const { id } = await findOrganization(caller, request.organizationId ?? homeOrganizationOf(caller));
  const filter = q !== undefined && {
    matches: ({ name }: Template) => containsText(q, [name]),
    entryMatches: (entry: Parameters<typeof entryContainsText>[1]) => entryContainsText(q, entry),
  };
  const page = await listPage({ list: templateList(id), read: templates.getMany, ...filter }, request);
  return { ...page, items: page.items.map(renderTemplate) };
}
