import type * as z from 'zod';
import { type ErrorTable, Problem, Refusal, type Situation } from '../errors/errors.ts';
import type { ServiceName } from '../settings/names.ts';
import { MANUAL, type Settings } from '../settings/settings.ts';
import { isStoreUnavailable } from '../store/availability.ts';
import type { Authenticator } from './authentication.ts';
import { OutOfTime } from './deadline.ts';
import type { AnswerShape, Declaration } from './declaration.ts';
import { type Endpoint, makeEndpoint, type Run } from './endpoint.ts';
import type { ErrorStyle } from './styles/style.ts';

export type RateLimit = {
  readonly limit: number;
  readonly windowSeconds: number;
  /** Counted in the process, and over all instances in blocks: exact but for a block of each, and nearly free. */
  readonly inBlocks?: boolean;
  /** For a service whose contract sends no Retry-After. */
  readonly hidesRetryAfter?: boolean;
};
export type AdmissionLimits = {
  readonly limit: number;
  readonly queueLimit: number;
  readonly waitMs: number;
};
/** What one application may do. The rate holds over all instances, but for a block of each; the rest in each process. */
export type ApplicationLimits = {
  readonly callsPerMinute: number;
  readonly concurrency: number;
  /** How many more of its calls may wait. */
  readonly queueLimit: number;
  readonly waitMs: number;
};

/** What a service is: its name, how callers authenticate, how errors look. Its folder's `service.ts` says it. */
export type ServiceOptions<Code extends string, Policy extends string> = {
  readonly name: ServiceName;
  readonly title: string;
  readonly description: string;
  readonly settings: Settings;
  readonly authenticate: Authenticator;
  readonly errors: ErrorTable<Code>;
  readonly style: ErrorStyle;
  /** Which code the framework's own refusals carry here. */
  readonly situations: Readonly<Record<Situation, NoInfer<Code>>>;
  /** The code that refuses a body field or query value that the contract does not know. None: those are ignored. */
  readonly unknownOptions?: NoInfer<Code>;
  /** Rate-limit policies by name; an endpoint names the one it is under. */
  readonly rates?: Readonly<Record<Policy, () => RateLimit>>;
  /** Bounds the calls that run at once on everything that needs a credential. */
  readonly admission?: () => AdmissionLimits;
  /** Bounds each application on everything that needs a credential, so that none starves the others. */
  readonly applicationLimits?: () => ApplicationLimits;
  /** What JSON may be called in answers; the first is the default, others by Accept. */
  readonly jsonTypes?: readonly string[];
};

export type Service<Code extends string = string, Policy extends string = string> = ServiceOptions<
  Code,
  Policy
> & {
  /** One path segment, the folder's name. */
  readonly basePath: string;
  /** The one way to make an endpoint. */
  endpoint<
    const Params extends z.ZodObject | undefined = undefined,
    const Query extends z.ZodObject | undefined = undefined,
    Body = undefined,
    const Answers extends Readonly<Record<number, AnswerShape>> = Readonly<Record<number, AnswerShape>>,
  >(
    declaration: Declaration<Code, Policy, Params, Query, Body, Answers>,
    run: Run<Params, Query, Body, Answers>,
  ): Endpoint;
  /** Answers every path and method that no endpoint does, in the service's own style. */
  refuseUnknownRoute(): Endpoint;
};

/**
 * Declares a service. Wrong settings stop it here, before it takes a request.
 * @example export const session = service({ name: 'session', authenticate: apiKey('session'), errors, style: sessionStyle, ... });
 */
export function service<Code extends string, Policy extends string = never>(
  options: ServiceOptions<Code, Policy>,
): Service<Code, Policy> {
  options.settings[MANUAL].check();
  const self: Service<Code, Policy> = {
    ...options,
    basePath: `/${options.name}`,
    endpoint: (declaration, run) => makeEndpoint(self, declaration, run),
    refuseUnknownRoute: () =>
      makeEndpoint(
        self,
        {
          route: 'ANY /{proxy+}',
          summary: 'Unknown routes',
          answers: {},
          access: 'public',
          undocumented: true,
        },
        async ({ method, path }) => {
          throw new Problem('noRoute', { method, path });
        },
      ),
  };
  return self;
}

/** Any failure as a refusal of this service: its own as they are, the framework's by their situation. */
export function refusalOf(service: Service, error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const problem = problemOf(error);
  const status = STATUS[problem.situation];
  const code = service.situations[problem.situation];
  const allowed = service.errors.statuses(code);
  return service.errors.refuse(code, problem.details, {
    ...problem.extra,
    ...(allowed.includes(status) && { status }),
  });
}

// A store that is slow or away passes by itself, and so does a function whose time it took.
const RETRY_AFTER_SECONDS = 5;

function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (!(error instanceof OutOfTime) && !isStoreUnavailable(error)) return new Problem('unexpected');
  return new Problem('unavailable', undefined, { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } });
}

// What HTTP calls each situation; a code that lists several statuses is answered with this one.
const STATUS: Readonly<Record<Situation, number>> = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  noRoute: 404,
  tooLarge: 413,
  tooSlow: 408,
  unsupportedMedia: 415,
  rateLimited: 429,
  busy: 429,
  unavailable: 503,
  unexpected: 500,
};
