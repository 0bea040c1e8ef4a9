import { announcing, hasMailServer } from '../../../../shared/mail/queue.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { settings } from '../../settings.ts';
import { type Assignment, type Flow, openAssignments, partIdOf } from '../flow/flow.ts';
import type { Organization } from '../places/organization.ts';
import type { Document } from './document.ts';
import type { DocumentEvent } from './document-states.ts';

/** How a document ends, by the event that ends it. A refused one may get a new version. */
const ENDINGS = {
  refused: 'Refused',
  canceled: 'Canceled',
  expired: 'Expired',
  concluded: 'Concluded',
} as const satisfies Partial<Record<DocumentEvent, Document['state']>>;

export const ENDING_STATES = Object.values(ENDINGS);
export type Ending = (typeof ENDING_STATES)[number];

const isEnding = (event: DocumentEvent): event is keyof typeof ENDINGS => event in ENDINGS;

/** Whether an organization's people get mail of this deployment. */
export const sendsMail = (organization: Organization | undefined): boolean =>
  hasMailServer(settings) && organization?.mail?.enabled === true;

/** Whether people of this document may be told of this. */
export const mayTell = ({ silence }: Pick<Document, 'silence'>, what: 'Pending' | Ending): boolean =>
  silence === undefined || (silence === 'pending' && what !== 'Pending');

/** What people are to be told of after a change; undefined where nothing has begun or ended for anybody. */
export function newsOf(
  before: Document | undefined,
  after: Document,
  event: DocumentEvent | 'created',
): 'Pending' | Ending | undefined {
  if (event !== 'created' && isEnding(event)) return ENDINGS[event];
  const nameOf = ({ action, person }: Assignment): string => `${action.id} ${partIdOf(person)}`;
  const reachable = (flow: Flow): string[] =>
    openAssignments(flow)
      .filter(({ person }) => person.emailAddress !== null)
      .map(nameOf);
  const told = new Set(reachable(before?.flow ?? []));
  const isNew = reachable(after.flow).some((name) => !told.has(name));
  return isNew ? 'Pending' : undefined;
}

/**
 * The outbox entry of news about a document, for the commit that brings them about; none where no mail is sent. It is one
 * for everybody who is to be told.
 */
export function announcingNews(
  document: Document,
  organization: Organization | undefined,
  news: 'Pending' | Ending | undefined,
  delaySeconds?: number,
): readonly Write[] {
  if (news === undefined || !sendsMail(organization) || !mayTell(document, news)) return [];
  const { id: documentId, round } = document;
  const body = { task: 'announce', documentId, round, news };
  return announcing('documents', settings, body, `${documentId}:${round}:${news}`, delaySeconds);
}
