import { html } from 'hono/html';
import type { Refusal } from '../../errors/errors.ts';
import type { Answer } from '../../http/response/answer.ts';
import type { MembersOrganization } from '../../members/sessions.ts';
import type { Language } from '../../ui/languages.ts';
import { translations } from '../../ui/translations.ts';
import type { RefusalText } from '../refusals.ts';
import type { Visit } from '../visit.ts';
import type { Frame } from './frame.ts';
import type { MemberPages } from './member-page.ts';

const words = translations({
  refused: { en: 'That was not done', 'pt-BR': 'Isso não foi feito' },
  notFound: { en: 'Nothing is at this address', 'pt-BR': 'Não há nada neste endereço' },
  notAllowed: { en: 'Your role does not allow this', 'pt-BR': 'Sua função não permite isso' },
  code: { en: 'Code', 'pt-BR': 'Código' },
  back: { en: 'Back to:', 'pt-BR': 'Voltar para:' },
});

type RefusedRequest<OwnVisit> = {
  readonly language: Language;
  readonly address: string;
  /** Without one the request came from nobody who is logged in, and the page has no navigation. */
  readonly visit: OwnVisit | undefined;
};

type ShownRefusal = {
  readonly language: Language;
  /** What it says to this visitor. */
  readonly text: string;
  /** The section where it happened. */
  readonly entry: { readonly href: string; readonly text: string };
  /** Whether it is the visitor's role that is refused. */
  readonly isOfRole?: boolean;
};

/** What a page shows of a refusal: what happened, what to do, and the way back to the section where it happened. */
export function showRefusal({ code, status }: Refusal, shown: ShownRefusal) {
  const { language, text, entry, isOfRole = false } = shown;
  const own = words(language);
  const title = status === 404 ? own.notFound : isOfRole ? own.notAllowed : own.refused;
  return {
    title,
    status,
    body: html`<div class="card notice">
<h1>${title}</h1>
<p>${text}</p>
<p class="faint">${own.code}: <code>${code}</code></p>
<a class="button quiet" href="${entry.href}">${own.back} ${entry.text}</a>
</div>`,
  };
}

/** The pages of refusals of a console. */
export const refusalPages =
  <
    Role extends string,
    Operation extends string,
    Organization extends MembersOrganization,
    Name extends string,
  >(
    { entryAt, entryOf, consolePath, consolePage }: Frame<Role, Operation, Organization, Name>,
    { memberPage }: Pick<MemberPages<Role, Organization, Name>, 'memberPage'>,
    refusalText: RefusalText,
  ) =>
  (request: RefusedRequest<Visit<Role, Organization>>, refusal: Refusal): Promise<Answer> => {
    const { language, visit, address } = request;
    const section = entryAt(address);
    const page = {
      ...showRefusal(refusal, {
        language,
        text: refusalText(refusal, language),
        entry: entryOf(language, section),
        isOfRole: refusal.status === 403 && visit !== undefined,
      }),
      current: section,
      // The choice of a language is a page of its own: a form cannot be asked for again.
      address: refusal.status === 404 ? address : consolePath(),
    };
    return visit ? memberPage(visit, page) : consolePage({ language, ...page });
  };
