import { Refusal } from '../../../../shared/errors/errors.ts';
import { actionDetails } from '../../domain/signing/action-details.ts';
import type { DeadLink } from './dead-link.ts';
import type { Details } from './page.ts';

const DEAD_LINKS: Readonly<Record<string, DeadLink>> = {
  DocumentInvalidKey: 'unknown',
  InvalidTicket: 'expired',
};

/** What a link opens, or why it opens nothing: a person is told that by a page, and not by an error. */
export async function visited(key: string, ticket: string, nowMs: number): Promise<Details | DeadLink> {
  try {
    return await actionDetails(key, ticket, nowMs);
  } catch (error) {
    const why = error instanceof Refusal ? DEAD_LINKS[error.code] : undefined;
    if (why) return why;
    throw error;
  }
}
