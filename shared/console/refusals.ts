import { Refusal } from '../errors/errors.ts';
import type { Language } from '../ui/languages.ts';

/** What a refusal says on the pages of a service. */
export type RefusalText = (refusal: Refusal, language: Language) => string;

/**
 * Runs what a form asks for. A refusal of the domain with one of these statuses is returned, for the form to be shown
 * again; any other becomes a page of its own.
 * @example const refused = await refusalOf(() => inviteMember(visit.caller, …)); if (refused) return membersPage(visit, { refused });
 */
export async function refusalOf(work: () => Promise<unknown>): Promise<Refusal | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal && FORM_STATUSES.includes(error.status)) return error;
    throw error;
  }
}

const FORM_STATUSES = [400, 409, 422];
