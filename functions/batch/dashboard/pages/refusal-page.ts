import { showRefusal } from '../../../../shared/console/pages/refusal-page.ts';
import type { Refusal } from '../../../../shared/errors/errors.ts';
import type { Answer } from '../../../../shared/http/response/answer.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import { errors } from '../../errors.ts';
import type { Visit } from '../visit.ts';
import { dashboardPage, dashboardPath, ENTRIES, entryOf, type NavigationName } from './frame.ts';
import { operatorPage } from './operator-page.ts';

type RefusedRequest = {
  readonly language: Language;
  readonly address: string;
  /** Without one the request came from nobody who is logged in, and the page has no navigation. */
  readonly visit: Visit | undefined;
};

/** A refusal as a page: what happened, what to do, and the way back to the section where it happened. */
export function refusalPage(request: RefusedRequest, refusal: Refusal): Promise<Answer> {
  const { language, visit, address } = request;
  const section = sectionAt(address);
  const text = errors.text(refusal.code, language) ?? refusal.message;
  const page = {
    ...showRefusal(refusal, { language, text, entry: entryOf(language, section) }),
    current: section,
    // The choice of a language is a page of its own: a form cannot be asked for again.
    address: refusal.status === 404 ? address : dashboardPath(),
  };
  return visit ? operatorPage(visit, page) : dashboardPage({ language, ...page });
}

/** The section by the address of the request. One that is unknown is the overview. */
function sectionAt(address: string): NavigationName {
  const [, name = ''] = /\/dashboard\/([\w-]+)/.exec(address) ?? [];
  return name === 'new-profile' ? 'profiles' : (ENTRIES.find((each) => each === name) ?? 'overview');
}
