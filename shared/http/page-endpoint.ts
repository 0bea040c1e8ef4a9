import type * as z from 'zod';
import { Problem, type Refusal } from '../errors/errors.ts';
import type { Call } from './call.ts';
import type { AnswerShape, Declaration, Input, Output, RefusedRequest } from './declaration.ts';
import type { Endpoint, Service } from './endpoint.ts';
import { accepts } from './request/accepts.ts';
import { isChange, isCrossOrigin } from './request/cross-origin.ts';
import { type Answer, isAnswer } from './response/answer.ts';

type Shape = z.ZodObject | undefined;

/** What every page knows of its visitor. */
type Visit<Visitor, Language> = Visitor & { readonly language: Language };

/** Set by `enter`, and read where the page or a refusal is drawn. */
type Entered<Visitor, Language> = { readonly call: Call; readonly visit: Visit<Visitor, Language> };

type Sessions<Visitor, Language> = {
  /** The visitor whose session the browser has. */
  readonly find: (call: Call, nowMs: number) => Promise<Visitor | undefined>;
  /** What a browser without a session is answered. A program is refused as unauthorized. */
  readonly without: (call: Call, language: Language) => Promise<Answer>;
  /** The challenge of the 401 (RFC 9110, 11.6.1). */
  readonly challenge?: string;
};

type PageRules<Visitor, Language> = {
  readonly language: (request: RefusedRequest) => Language;
  /** Who may come. A page without a session says so. */
  readonly visitors: Sessions<Visitor, Language> | 'anybody';
  /** What a browser is shown in place of a refusal, the framework's own included. */
  readonly refusalPage?: (
    refusal: Refusal,
    page: {
      readonly language: Language;
      readonly call: Call;
      readonly visit: Visit<Visitor, Language> | undefined;
    },
  ) => Promise<Answer>;
  /** For every answer but a refusal: adds cookies. There is no visit where `without` answered. */
  readonly finish?: (answer: Answer, call: Call, visit: Visit<Visitor, Language> | undefined) => Answer;
  /** Changes that pages of other sites may have a browser send: none where it is left out. */
  readonly fromOtherSites?: () => 'json' | 'any';
};

// CORS: a browser sends JSON for a page of another site only where the service allows that site.
const isJson = ({ body }: Call): boolean => /[/+]json$/.test(body.mediaType);

/**
 * The one way to make a page, or the answer to a form: session, language, CSRF and refusals are its rules. The session is
 * known before anything of the input is read.
 * @example export const portalEndpoint = pageEndpoint(batch, { language: pageLanguage, visitors: { find, without }, refusalPage });
 *          export const handler = portalEndpoint({ route: 'GET /approvals', … }, async (input, { language, address }) => page);
 */
export const pageEndpoint = <
  Code extends string,
  Policy extends string,
  Language extends string,
  Visitor extends object = object,
>(
  service: Service<Code, Policy>,
  rules: PageRules<Visitor, Language>,
) => {
  const { visitors, language, refusalPage, finish = (answer) => answer, fromOtherSites } = rules;

  async function enter(call: Call): Promise<Answer | undefined> {
    // CSRF: browsers add their cookies to what other sites make them send. Checked before the session is read, so that
    // such a request does not renew it either.
    const taken = fromOtherSites?.();
    const isTaken = taken === 'any' || (taken === 'json' && isJson(call));
    if (!isTaken && isChange(call.method) && isCrossOrigin(call.headers)) throw new Problem('forbidden');
    const visitor = visitors === 'anybody' ? ({} as Visitor) : await visitors.find(call, Date.now());
    if (visitor) {
      const entered: Entered<Visitor, Language> = { call, visit: { ...visitor, language: language(call) } };
      call.entered = entered;
      return undefined;
    }
    if (visitors === 'anybody' || !accepts(call.headers.accept, 'text/html'))
      throw new Problem('unauthorized');
    return finish(await visitors.without(call, language(call)), call, undefined);
  }

  return <
    const Params extends Shape = undefined,
    const Query extends Shape = undefined,
    Body = undefined,
    const Answers extends Readonly<Record<number, AnswerShape>> = Readonly<Record<number, AnswerShape>>,
  >(
    declaration: Omit<
      Declaration<Code, Policy, Params, Query, Body, Answers>,
      'access' | 'challenge' | 'enter' | 'needsSession' | 'refusalPage'
    >,
    run: (input: Input<Params, Query, Body>, visit: Visit<Visitor, Language>) => Promise<Output<Answers>>,
  ): Endpoint =>
    service.endpoint<Params, Query, Body, Answers>(
      {
        undocumented: true,
        ...declaration,
        access: 'public',
        enter,
        needsSession: visitors !== 'anybody',
        ...(visitors !== 'anybody' && visitors.challenge && { challenge: visitors.challenge }),
        ...(refusalPage && {
          refusalPage: (refusal, call) => {
            const { visit } = (call.entered ?? {}) as Partial<Entered<Visitor, Language>>;
            return refusalPage(refusal, { language: language(call), call, visit });
          },
        }),
      },
      async (input) => {
        const { call, visit } = input.entered as Entered<Visitor, Language>;
        const answer = await run(input, visit);
        return isAnswer(answer) ? finish(answer, call, visit) : answer;
      },
    );
};
