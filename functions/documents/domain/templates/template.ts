import type { Caller } from '../../../../shared/access/caller.ts';
import type { CreateTemplate } from '../../contract/templates.ts';
import { errors } from '../../errors.ts';
import { columnsIn } from '../generation/patterns.ts';
import { type NamedRecord, namedRecords, renderRecord } from '../lists/named-records.ts';

/**
 * A flow with roles. It is kept as it was sent: a stored flow has people, who are checked when it is stored, and a role is
 * nobody before the template is used.
 */
export type Template = NamedRecord & {
  readonly content: Omit<CreateTemplate, 'name'>;
  /** For callers, who name it in a change. */
  readonly revision: number;
};

const records = namedRecords<Template>({
  name: 'template',
  prefix: 'TEMPLATE',
  plural: 'templates',
  notFound: (id) => errors.refuse('TemplateNotFound', { resourceName: 'DocumentTemplate', resourceId: id }),
});

export const {
  items: templates,
  listOf: templateList,
  listing: listingTemplate,
  find: findTemplate,
  deleteSome: deleteSomeTemplates,
} = records;

/** A template as lists show it. */
export const renderTemplate = (template: Template) => ({
  ...renderRecord(template),
  version: template.revision,
  values: columnsIn(template.content),
});

/** A template with its flow. */
export const renderDetails = (template: Template) => ({
  ...renderTemplate(template),
  ...template.content,
  observers: template.content.observers ?? [],
  notifiedEmails: template.content.notifiedEmails ?? [],
  tags: template.content.tags ?? [],
  // Templates older than this option have none written.
  language: template.content.language ?? null,
});

/** Lists the templates of an organization. */
export async function listTemplates(caller: Caller, request: Parameters<typeof records.page>[1]) {
  const page = await records.page(caller, request);
  return { ...page, items: page.items.map(renderTemplate) };
}
