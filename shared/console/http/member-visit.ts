import { basePathOf } from '../../access/return-path.ts';
import type { Refusal } from '../../errors/errors.ts';
import { FORM_AGAIN, PAGE, REDIRECT } from '../../http/declaration.ts';
import type { Service } from '../../http/endpoint.ts';
import { pageEndpoint } from '../../http/page-endpoint.ts';
import { isChange } from '../../http/request/cross-origin.ts';
import type { Answer } from '../../http/response/answer.ts';
import type { MembersOrganization, SignedIn } from '../../members/sessions.ts';
import type { Language } from '../../ui/languages.ts';
import type { Visit } from '../visit.ts';
import { pageAddress, toLogin } from './page-address.ts';
import { pageLanguage, rememberLanguage, sessionIn } from './session-cookie.ts';

/** One function answers all pages or forms, so it has the answers and refusals of all. */
export const consoleDeclaration = <Code extends string>({ errors }: Pick<Service<Code>, 'errors'>) => ({
  answers: { 200: PAGE, 303: REDIRECT, ...FORM_AGAIN },
  refuses: Object.keys(errors.rows) as Code[],
});

type ConsoleRules<Role extends string, Organization extends MembersOrganization> = {
  readonly signedInBy: (cookie: string, nowMs: number) => Promise<SignedIn<Role, Organization> | undefined>;
  readonly refusalPage: (
    request: {
      readonly language: Language;
      readonly address: string;
      readonly visit: Visit<Role, Organization> | undefined;
    },
    refusal: Refusal,
  ) => Promise<Answer>;
  /** Of an endpoint of forms: the path of the page that a form is on. Paths are those below `console/`. */
  readonly pageOfForm?: (path: string) => Promise<string>;
};

/**
 * An endpoint of a service's console. The cookie of a member's session is the only credential, and not a key. A browser
 * without a session is led to the log-in and from there back to the page; a script gets the refusal.
 * @example export const memberEndpoint = memberEndpoints(documents, { signedInBy, refusalPage });
 */
export const memberEndpoints = <
  Code extends string,
  Policy extends string,
  Role extends string,
  Organization extends MembersOrganization,
>(
  service: Service<Code, Policy>,
  { signedInBy, refusalPage, pageOfForm }: ConsoleRules<Role, Organization>,
) =>
  pageEndpoint(service, {
    language: pageLanguage,
    visitors: {
      async find(call, nowMs): Promise<Omit<Visit<Role, Organization>, 'language'> | undefined> {
        const cookie = sessionIn(call.cookies) ?? '';
        const signedIn = await signedInBy(cookie, nowMs);
        if (!signedIn) return undefined;
        const request = { cookie, address: pageAddress(service.name, call), query: call.query, nowMs };
        return { ...signedIn, ...request, deadlineAtMs: nowMs + call.remainingMs() };
      },
      async without(call) {
        const address = pageAddress(service.name, call);
        const hasEnded = sessionIn(call.cookies) !== undefined;
        if (!isChange(call.method)) return toLogin(service.name, address, hasEnded);
        // A form that comes after its session has done nothing: it leads back to its page.
        const home = `${basePathOf(service.name)}/console`;
        const path = (address.split('?')[0] ?? '').slice(home.length + 1);
        const page = (await pageOfForm?.(path)) ?? '';
        return toLogin(service.name, page === '' ? home : `${home}/${page}`, hasEnded);
      },
    },
    refusalPage: (refusal, { language, call, visit }) =>
      refusalPage({ language, address: pageAddress(service.name, call), visit }, refusal),
    finish: rememberLanguage(service.name),
  });
