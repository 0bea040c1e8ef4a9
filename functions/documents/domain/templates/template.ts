import type { Caller } from '../../../../shared/access/caller.ts';
import { collection } from '../../../../shared/store/collection.ts';
import type { CreateTemplate } from '../../contract/templates.ts';
import { errors } from '../../errors.ts';
import { isoDate } from '../calendar.ts';
import type { Author } from '../document/document.ts';
import { shownAuthor } from '../document/notifications.ts';
import { type NamedRecord, namedRecords, renderRecord } from '../lists/named-records.ts';
import { columnsIn } from './generation/patterns.ts';

/** Who made a version of a template, and when. */
type VersionEntry = {
  readonly revision: number;
  readonly name: string;
  readonly by: Author;
  readonly atMs: number;
};

/**
 * A flow with roles. It is kept as it was sent: a stored flow has people, who are checked when it is stored, and a role is
 * nobody before the template is used.
 */
export type Template = NamedRecord & {
  readonly content: Omit<CreateTemplate, 'name'>;
  /** For callers, who name it in a change. */
  readonly revision: number;
  /** The versions that can be read, oldest first, the present one last. Left out of one that was never changed. */
  readonly versions?: readonly VersionEntry[];
};

/** What a template was before its next version. */
type EarlierVersion = Pick<Template, 'name' | 'content' | 'revision'> & { readonly templateId: string };

const earlierVersions = collection<EarlierVersion, Pick<EarlierVersion, 'templateId' | 'revision'>>({
  service: 'documents',
  name: 'version of a template',
  id: ({ templateId, revision }) => ({ templateId, revision }),
  key: ({ templateId, revision }) => ({ pk: `TEMPLATE_VERSION#${templateId}#${revision}`, sk: 'VERSION' }),
});

const removingVersions = (templateId: string, entries: readonly VersionEntry[]) =>
  entries.map(({ revision }) => earlierVersions.removing({ templateId, revision }));

/** The versions of a template that can be read, oldest first. */
export const versionsOf = ({ versions, ...template }: Template): readonly VersionEntry[] => {
  const { revision, name, createdBy, updatedAtMs: atMs } = template;
  return versions ?? [{ revision, name, by: createdBy, atMs }];
};

const notFound = (resourceId: string) =>
  errors.refuse('TemplateNotFound', { resourceName: 'DocumentTemplate', resourceId });

const records = namedRecords<Template>({
  name: 'template',
  prefix: 'TEMPLATE',
  plural: 'templates',
  notFound,
  removingAlong: (template) => removingVersions(template.id, versionsOf(template).slice(0, -1)),
});

export const {
  items: templates,
  listOf: templateList,
  listing: listingTemplate,
  find: findTemplate,
  remove: removeTemplate,
  deleteSome: deleteSomeTemplates,
} = records;

// A template is deleted with them in one commit, of 100 items at most.
const MAX_EARLIER = 50;

type NextVersion = Pick<Template, 'name'> & { readonly by: Author; readonly atMs: number };

/** Keeps what a template is beside its next version: the versions that it has then, and the writes. */
export function keepingVersion(template: Template, next: NextVersion) {
  const { id: templateId, revision, name, content } = template;
  const known = versionsOf(template);
  return {
    versions: [...known.slice(-MAX_EARLIER), { ...next, revision: revision + 1 }],
    writes: [
      earlierVersions.putting({ templateId, revision, name, content }),
      ...removingVersions(templateId, known.slice(0, -MAX_EARLIER)),
    ],
  };
}

/** A template as it was in one of its versions; left out, as it is. A version that is not kept does not exist. */
export async function findVersion(
  caller: Pick<Caller, 'registered'>,
  id: string,
  revision?: number,
): Promise<Template> {
  const template = await findTemplate(caller, id);
  if (revision === undefined || revision === template.revision) return template;
  const versions = versionsOf(template);
  const entry = versions.find((each) => each.revision === revision);
  const found = entry && (await earlierVersions.get({ templateId: id, revision }));
  if (!found) throw notFound(id);
  const { name, content } = found;
  return { ...template, versions, revision, name, content, updatedAtMs: entry.atMs };
}

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
  language: template.content.language ?? null,
  versions: versionsOf(template)
    .map(({ revision: version, name, by, atMs }) => ({
      ...{ version, name, date: isoDate(atMs) },
      by: shownAuthor(by),
    }))
    .toReversed(),
});

/** Lists the templates of an organization. */
export async function listTemplates(caller: Caller, request: Parameters<typeof records.page>[1]) {
  const page = await records.page(caller, request);
  return { ...page, items: page.items.map(renderTemplate) };
}
