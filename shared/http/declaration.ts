import type * as z from 'zod';
import type { Caller } from '../access/caller.ts';
import type { Refusal, Situation } from '../errors/errors.ts';
import type { BodyReader } from './body/reader.ts';
import type { Call } from './call.ts';
import type { Answer } from './response/answer.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'ANY';
/** The route below the service's base path, with the case it is specified in. */
export type Route = `${Method} /${string}`;

/** The body of one status: a JSON shape, or a kind of body that is not JSON. */
export type AnswerShape = z.ZodType | OtherAnswer;
export type OtherAnswer =
  | { readonly kind: 'file'; readonly mediaTypes: readonly string[] }
  | { readonly kind: 'page' }
  | { readonly kind: 'redirect' }
  | { readonly kind: 'empty' };

/** @example answers: { 200: fileOf('application/pdf') } */
export const fileOf = (...mediaTypes: string[]): OtherAnswer => ({ kind: 'file', mediaTypes });
export const PAGE: OtherAnswer = { kind: 'page' };
export const REDIRECT: OtherAnswer = { kind: 'redirect' };
export const EMPTY: OtherAnswer = { kind: 'empty' };

/** A form that is shown again, with the status of its refusal. @example answers: { 303: REDIRECT, ...FORM_AGAIN } */
export const FORM_AGAIN = {
  400: PAGE,
  403: PAGE,
  404: PAGE,
  409: PAGE,
  410: PAGE,
  422: PAGE,
  429: PAGE,
  500: PAGE,
  503: PAGE,
};

type Shape = z.ZodObject | undefined;

/**
 * A credential beside the service's key. In the contract document it is a header parameter and no security scheme:
 * generated clients have one setting for all keys in headers, and would send the key in both.
 */
export type Credential = { readonly header: string; readonly description: string };

/** The key is optional while this holds. An accepted key still identifies the caller. */
export type KeyUnless = { readonly keyUnless: () => boolean };

/** `public` needs no credential, and looks at none. */
export type FixedAccess = 'key' | 'public';

/**
 * Who may call an endpoint. A function decides at each call, for an operation whose access is a setting.
 * @example access: () => (settings['Metrics:RequireApiKey'] ? 'key' : 'public')
 */
export type Access = FixedAccess | (() => FixedAccess) | KeyUnless;

/** Whether the operation is open to anyone at this moment. */
export const isPublic = (access: Access): boolean =>
  (typeof access === 'function' ? access() : access) === 'public';

/**
 * Whether the operation answers this method. The gateway sends every method of the path of a GET to its function that no
 * other function has, so that HEAD is answered like GET; see infra/plugins/every-method.ts.
 */
export const answersMethod = ({ route, aliases = [] }: Declaration, method: string): boolean =>
  method === 'GET' || [route, ...aliases].some((each) => !each.startsWith('GET '));

/** An endpoint as data. Validation, the contract document and the tests are derived from it. */
export type Declaration<
  Code extends string = string,
  Policy extends string = string,
  Params extends Shape = Shape,
  Query extends Shape = Shape,
  Body = unknown,
  Answers extends Readonly<Record<number, AnswerShape>> = Readonly<Record<number, AnswerShape>>,
  Ability extends string = string,
> = {
  readonly route: Route;
  /** Further routes of the same operation. */
  readonly aliases?: readonly Route[];
  readonly summary: string;
  /** One to three sentences for the contract document, where every operation has them. */
  readonly description?: string;
  /** The subject, one of the service's `tags`. The default is the folder of the endpoint. */
  readonly tag?: string;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: BodyReader<Body>;
  readonly answers: Answers;
  /** The error codes of this operation, beside those of every operation. */
  readonly refuses?: readonly Code[];
  /** Codes of this operation for the framework's own refusals, in place of the service's. */
  readonly situations?: Readonly<Partial<Record<Situation, Code>>>;
  /** The default is `key`. */
  readonly access?: Access;
  /** For the contract document, where not the key alone is accepted: alternative sets of credentials. */
  readonly credentials?: readonly (readonly ('key' | Credential)[])[];
  /** The challenge of a 401 (RFC 9110, 11.6.1), where the credential is no key. @example challenge: 'Bearer' */
  readonly challenge?: string;
  /** The permission that the application needs. */
  readonly permission?: string;
  /** What a caller's role must allow, where callers have roles: a row of the service's table of permissions. */
  readonly can?: Ability;
  /** The rate-limit policy, by the service's name for it. */
  readonly rate?: Policy;
  /** Overrides the limit of the body reader, for bodies that carry documents. */
  readonly maxBodyBytes?: () => number;
  /**
   * The answer may be large, or come after more than the 29 s that API Gateway waits for a whole one: it is streamed
   * where the host can. Its event needs `response: { transferMode: STREAM }`.
   */
  readonly streams?: boolean;
  /**
   * Called once for every request, with the answer that goes out: also for one that was refused before its function. The
   * answer waits for it while there is time, and goes out whether it succeeds or not.
   * @example onAnswer: (answer) => countAnswer(answer instanceof Refusal ? answer.code : 'accepted')
   */
  readonly onAnswer?: (answer: Answer | Refusal) => Promise<void>;
  /**
   * For an operation that is a page: what a browser is shown in place of a refusal, the framework's own included. Status
   * and headers of the refusal stay. Callers that do not accept HTML get the refusal in the service's style.
   */
  readonly refusalPage?: (refusal: Refusal, call: Call) => Promise<Answer>;
  /** Lets visitors of a page in, before anything of the input is read, or answers them. See page-endpoint.ts. */
  readonly enter?: (call: Call) => Promise<Answer | undefined>;
  /** A page of those who are logged in: `enter` lets nobody else past. */
  readonly needsSession?: boolean;
  /** Takes an Idempotency-Key: its function runs what it creates with `once`, and commits `keepingAnswer` with it. */
  readonly once?: boolean;
  /**
   * Takes fields and query values outside the contract in a service that refuses them elsewhere. For operations that
   * nothing can be asked of, such as probes, and for events of other systems, which gain fields over time.
   */
  readonly ignoresUnknownOptions?: boolean;
  /** Takes the correlation id of its caller in a service that begins one with each call: for calls of our own services. */
  readonly takesCorrelationId?: boolean;
  /** Absent from the contract document: pages and assets are not part of the interface. */
  readonly undocumented?: boolean;
};

/** What is known of a request that may have been refused before its input was read. */
export type RefusedRequest = Pick<Call, 'query' | 'headers' | 'cookies'>;

/** Carries out a request once. `compared` is what it asks for, files as their bytes: a key is for one request. */
export type Once = <T>(compared: unknown, run: () => Promise<T>) => Promise<T | Answer>;

type Parsed<S extends Shape, Raw> = S extends z.ZodObject ? z.output<S> : Readonly<Record<string, Raw>>;

/** The input of a handler: validated values and the caller. */
export type Input<Params extends Shape, Query extends Shape, Body> = {
  readonly params: Parsed<Params, string>;
  /** Without a shape, a repeated value is a list. */
  readonly query: Parsed<Query, string | string[]>;
  readonly body: Body;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  /** Present on every endpoint that is not public. */
  readonly caller: Caller;
  /** The visitor of a page, for the page factory. */
  readonly entered: unknown;
  readonly once: Once;
  readonly correlationId: string;
  readonly clientAddress: string;
  /** When the request reached the function. Time budgets start here, waits included. */
  readonly startedAtMs: number;
  /** When the host ends this invocation. */
  readonly deadlineAtMs: number;
  /** Aborted when the caller hangs up, where the host can tell. */
  readonly hangUp: AbortSignal | undefined;
};

// Answers are only read, so a domain may return its readonly values.
type Read<T> = T extends readonly (infer Item)[]
  ? readonly Read<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: Read<T[Name]> }
    : T;
type Value<S> = S extends z.ZodType ? Read<z.input<S>> : never;

/** A value of any declared JSON answer, or an answer made by hand. */
export type Output<Answers> = Value<Answers[keyof Answers]> | Answer;
