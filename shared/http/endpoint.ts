import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import type * as z from 'zod';
import type { Caller } from '../access/caller.ts';
import type { ErrorTable, Situation } from '../errors/errors.ts';
import type { ServiceName } from '../settings/names.ts';
import type { Settings } from '../settings/settings.ts';
import type { Authenticator } from './authentication/authenticator.ts';
import type { HostEvent } from './call.ts';
import type { Access, AnswerShape, Declaration, Input, Output } from './declaration.ts';
import type { ErrorStyle } from './styles/style.ts';

/** A function's handler, with its declaration for the contract document and the tests. */
export type Endpoint = ((event: HostEvent, context: Context) => Promise<APIGatewayProxyResult>) & {
  readonly declaration: Declaration;
  readonly service: Service;
};

/** The function of an endpoint: validated input in, a declared answer out. */
export type Run<
  Params extends z.ZodObject | undefined,
  Query extends z.ZodObject | undefined,
  Body,
  Answers extends Readonly<Record<number, AnswerShape>>,
> = (input: Input<Params, Query, Body>) => Promise<Output<Answers>>;

export type RateLimit = {
  readonly limit: number;
  readonly windowSeconds: number;
  /** Counted in blocks that each process takes from the store: exact up to one block per process, and nearly free. */
  readonly inBlocks?: boolean;
  /** Counted before the key is looked at: calls that are refused for their key count too. */
  readonly beforeKey?: boolean;
  /** For a contract without Retry-After. */
  readonly hidesRetryAfter?: boolean;
};
export type AdmissionLimits = {
  readonly limit: number;
  readonly queueLimit: number;
  readonly waitMs: number;
};
/** The limits of one application. The rate holds over all instances, up to one block each; the rest per process. */
export type ApplicationLimits = {
  readonly callsPerMinute: number;
  readonly concurrency: number;
  /** How many of its calls may wait beside the running ones. */
  readonly queueLimit: number;
  readonly waitMs: number;
};

/** A service: its name, how callers authenticate, how errors look. Declared in `service.ts` of its folder. */
export type ServiceOptions<Code extends string, Policy extends string, Ability extends string = string> = {
  readonly name: ServiceName;
  readonly title: string;
  readonly description: string;
  /** Subjects of the contract document with their descriptions. @example tags: { sessions: 'Open and end sessions.' } */
  readonly tags?: Readonly<Record<string, string>>;
  /** Error statuses that every operation with a key lists, whether it has a code for them or not. */
  readonly listedStatuses?: readonly number[];
  readonly settings: Settings;
  readonly authenticate: Authenticator;
  /**
   * Whether a caller may do what an operation says that it does, where callers have roles. It is checked before anything
   * is looked up.
   */
  may?(caller: Caller, ability: Ability): boolean;
  readonly errors: ErrorTable<Code>;
  readonly style: ErrorStyle;
  /** The error codes of the framework's own refusals. */
  readonly situations: Readonly<Record<Situation, NoInfer<Code>>>;
  /** The code for a body field or query value outside the contract. Without it they are ignored. */
  readonly unknownOptions?: NoInfer<Code>;
  /**
   * The code for a query that the declared shape does not accept. With it an unknown name, a repeated value and an empty
   * one are refused as well, so that no filter is dropped or widened. Without it the code is that of an invalid request.
   */
  readonly invalidQuery?: NoInfer<Code>;
  /** Rate-limit policies by name; an endpoint names its policy. */
  readonly rates?: Readonly<Record<Policy, () => RateLimit>>;
  /** Limits the concurrent calls of all operations that need a credential. */
  readonly admission?: () => AdmissionLimits;
  /** Limits each application on operations that need a credential, so that none starves the others. */
  readonly applicationLimits?: () => ApplicationLimits;
  /** The code for a body that the gateway refuses before any function sees it: only a file is as large. */
  readonly tooLargeForGateway?: NoInfer<Code>;
  /** The contract has the service begin a correlation id with each call. Others take that of their caller. */
  readonly mintsCorrelationId?: boolean;
  /** Media types of JSON answers; the first is the default, others by Accept. */
  readonly jsonTypes?: readonly string[];
};

/**
 * An operation that takes a key does not compile without what it does, in a service whose callers have roles. One with a
 * permission alone is closed to all of them.
 */
type SaysWhatItDoes<Ability extends string> = [Ability] extends [never]
  ? unknown
  : string extends Ability
    ? unknown
    : { readonly can: Ability } | { readonly access: Access } | { readonly permission: string };

export type Service<
  Code extends string = string,
  Policy extends string = string,
  Ability extends string = string,
> = ServiceOptions<Code, Policy, Ability> & {
  /** One path segment: the name of the folder. */
  readonly basePath: string;
  /** The one way to make an endpoint. */
  endpoint<
    const Params extends z.ZodObject | undefined = undefined,
    const Query extends z.ZodObject | undefined = undefined,
    Body = undefined,
    const Answers extends Readonly<Record<number, AnswerShape>> = Readonly<Record<number, AnswerShape>>,
  >(
    declaration: Declaration<Code, Policy, Params, Query, Body, Answers, Ability> & SaysWhatItDoes<Ability>,
    run: Run<Params, Query, Body, Answers>,
  ): Endpoint;
  /** Answers unknown paths and methods in the error style of the service, and browsers with a page. */
  refuseUnknownRoute(refusalPage?: Declaration['refusalPage']): Endpoint;
};
