import { html } from 'hono/html';
import { type Details, Refusal } from '../errors/errors.ts';
import type { Said } from '../errors/said.ts';
import type { Language } from '../ui/languages.ts';
import type { Markup } from '../ui/page.ts';
import { givenText } from '../ui/parts.ts';
import type { sentenceTable } from '../ui/sentences.ts';

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

const FORM_STATUSES = [400, 409, 422, 429];

/** A refusal, as it was thrown or as a line recorded it. */
export type Refused = Pick<Refusal, 'code' | 'message'> & {
  readonly details?: Details | null | undefined;
  readonly said?: Said | undefined;
};

/** Why something was refused, and the language that it is said in. */
export type Reason = { readonly text: string; readonly language: Language };

/**
 * The reason of a refusal in the language of the reader; in English where no table has it, as of what other services
 * answered. A refusal without a reason says what its code says.
 * @example const reason = reasonsBy(sentences, refusalText); reason(refused, 'pt-BR') // { text: 'não é um CPF', language }
 */
export const reasonsBy =
  (
    { isKnown, textIn }: Pick<ReturnType<typeof sentenceTable>, 'isKnown' | 'textIn'>,
    refusalText: RefusalText,
  ) =>
  ({ code, message, details, said }: Refused, language: Language): Reason => {
    if (said && isKnown(said)) return { text: textIn(language, said), language };
    const reason = details?.reason;
    if (typeof reason === 'string') return { text: reason, language: 'en' };
    return { text: refusalText(new Refusal(code, 422, message), language), language };
  };

/** A reason as a page shows it. */
export const reasonMarkup = ({ text, language }: Reason): Markup =>
  html`<span lang="${language}">${givenText(text)}</span>`;
