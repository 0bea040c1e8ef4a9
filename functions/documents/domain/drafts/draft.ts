import { randomUUID } from 'node:crypto';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { readPartition } from '../../../../shared/store/partition.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import { errors } from '../../errors.ts';
import type { Mark } from '../flow/flow.ts';
import type { SignedIn } from '../members/sessions.ts';

/** `electronic` signs without a certificate too. */
export const DRAFT_ROLES = ['sign', 'electronic', 'approve', 'observe'] as const;
export type DraftRole = (typeof DRAFT_ROLES)[number];

/** Somebody of a draft, as typed: nothing is judged before it is sent. */
export type DraftPerson = {
  /** Within the draft. */
  readonly key: string;
  readonly name: string;
  /** CPF or CNPJ. */
  readonly identifier: string;
  readonly email: string;
  readonly role: DraftRole;
  readonly step: number;
  /** Those of one step and role with the same one are a rule: some of them are enough. Empty: alone. */
  readonly group: string;
};

export type DraftFile = {
  /** Of the upload. */
  readonly id: string;
  /** What the document is called. */
  readonly title: string;
  readonly name: string;
  readonly contentType: string;
  readonly size: number;
  /** Of the content: the same file dropped twice is one. */
  readonly md5: string;
};

/** A mark of one action of the draft, by the action's key. */
export type DraftMark = Mark & { readonly actionKey: string };

/**
 * What the pages of a draft do not show: it goes with the person, and with the action of the person. All people of a group
 * have what their action has, so that it stays when the first of them is removed.
 */
type KeptParts = {
  readonly user?: Readonly<Record<string, unknown>>;
  readonly action?: Readonly<Record<string, unknown>>;
};

/** What a draft makes of a template: a change of it, or a document for each line of a table. */
type TemplateUse =
  | {
      readonly kind: 'edit';
      /** None: a new one. */
      readonly id: string | null;
      /** The version that was read. */
      readonly revision: number;
      readonly name: string;
      readonly documentName: string;
      /** A number of days, as typed. */
      readonly days: string;
    }
  | { readonly kind: 'table'; readonly id: string; readonly name: string };

/** Documents that somebody is about to send, or a template that somebody is about to change or to use. */
export type Draft = {
  readonly id: string;
  readonly organizationId: string;
  readonly files: readonly DraftFile[];
  readonly people: readonly DraftPerson[];
  /** How many of a group are enough, by its name. One where it is not said. */
  readonly required: Readonly<Record<string, number>>;
  readonly marks: readonly DraftMark[];
  readonly folderId: string;
  readonly message: string;
  /** A day, or empty. */
  readonly deadline: string;
  /** Empty, or left out: that of the organization. */
  readonly language?: Language | '';
  /** What the documents are called; left out, as their files. */
  readonly documentName?: string;
  /** Of a draft that was made by a template: by the keys of people. */
  readonly kept?: Readonly<Record<string, KeptParts>>;
  readonly notifiedEmails?: readonly string[];
  readonly tags?: readonly unknown[];
  readonly template?: TemplateUse;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly updatedBy: string;
  readonly expiresAtMs: number;
};

/** A month: whoever waits for an answer before sending has time. Its files are kept at least as long. */
export const DRAFT_KEPT_MS = 30 * 86_400_000;

// All of a member's are read for one list. Nobody keeps more in hand.
const MAX_DRAFTS = 50;

// The id holds whose draft it is, which is where it is stored: no second item says where.
const memberOf = (id: string): string => id.split('.', 1)[0] ?? '';
const partitionOf = (organizationId: string, memberId: string): string =>
  `DRAFTS#${organizationId}#${memberId}`;

type DraftKey = Pick<Draft, 'organizationId' | 'id'>;

export const drafts = collection<Draft, DraftKey>({
  service: 'documents',
  name: 'draft',
  id: ({ organizationId, id }) => ({ organizationId, id }),
  key: ({ organizationId, id }) => ({
    pk: partitionOf(organizationId, memberOf(id)),
    sk: `DRAFT#${id}`,
  }),
  indexed: ({ expiresAtMs }) => ({ ttl: Math.ceil(expiresAtMs / 1000) }),
});

/** Who works on drafts. */
export type Author = Pick<SignedIn, 'member' | 'organization' | 'caller'>;

/** The drafts of a member, newest first. */
export async function listDrafts(
  { organization, member }: Author,
  nowMs: number,
): Promise<readonly Stored<Draft>[]> {
  const rows = await readPartition('documents', partitionOf(organization.id, member.id));
  return rows
    .map(drafts.read)
    .filter(({ expiresAtMs }) => expiresAtMs > nowMs)
    .toSorted((one, other) => other.updatedAtMs - one.updatedAtMs);
}

/** What a new draft may have from the beginning. */
export type DraftContent = Partial<
  Omit<Draft, 'id' | 'organizationId' | 'files' | 'createdAtMs' | 'updatedAtMs' | 'updatedBy' | 'expiresAtMs'>
>;

/** Begins a draft. */
export async function createDraft(
  author: Author,
  nowMs: number,
  content: DraftContent = {},
): Promise<Stored<Draft>> {
  const { organization, member } = author;
  if ((await listDrafts(author, nowMs)).length >= MAX_DRAFTS)
    throw errors.refuse('MaxDraftsLimitReached', { limit: MAX_DRAFTS });
  return drafts.create({
    id: `${member.id}.${randomUUID()}`,
    organizationId: organization.id,
    files: [],
    people: [],
    required: {},
    marks: [],
    ...{ folderId: '', message: '', deadline: '' },
    ...content,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    updatedBy: member.name,
    expiresAtMs: nowMs + DRAFT_KEPT_MS,
  });
}

/** A draft of the organization: its owner may show it to another member. One of another does not exist. */
export async function findDraft(
  { organization }: Pick<Author, 'organization'>,
  id: string,
  nowMs: number,
): Promise<Stored<Draft>> {
  const found = await drafts.get({ organizationId: organization.id, id });
  if (found && found.expiresAtMs > nowMs) return found;
  throw errors.refuse('DraftNotFound', { resourceName: 'Draft', resourceId: id });
}

/** A draft as somebody saw it. */
export type SeenDraft = { readonly id: string; readonly version: string };

/** The same. What somebody else has changed since is not acted on unseen. */
export async function findSeenDraft(
  author: Pick<Author, 'organization'>,
  { id, version }: SeenDraft,
  nowMs: number,
): Promise<Stored<Draft>> {
  const draft = await findDraft(author, id, nowMs);
  if (draft.version !== version) throw errors.refuse('DraftChanged', { changedBy: draft.updatedBy });
  return draft;
}
