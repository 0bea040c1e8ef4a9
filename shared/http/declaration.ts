import type * as z from 'zod';
import type { Caller } from '../access/caller.ts';
import type { Answer } from './answer.ts';
import type { BodyReader } from './body/reader.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'ANY';
/** The route below the service's base path, with the case it is specified in. */
export type Route = `${Method} /${string}`;

/** What an answer of one status holds: a JSON shape, or something that is not JSON. */
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

type Shape = z.ZodObject | undefined;

/**
 * A credential beside the service's key. In the contract document it is a header parameter and no security scheme:
 * generated clients have one setting for all keys in headers, and would send the key in both.
 */
export type Credential = { readonly header: string; readonly description: string };

/** A key is asked for unless this holds. Where it does, one that is accepted still says who calls. */
export type KeyUnless = { readonly keyUnless: () => boolean };

/** An endpoint as data. Validation, the contract document and the tests are derived from it. */
export type Declaration<
  Code extends string = string,
  Policy extends string = string,
  Params extends Shape = Shape,
  Query extends Shape = Shape,
  Body = unknown,
  Answers extends Readonly<Record<number, AnswerShape>> = Readonly<Record<number, AnswerShape>>,
> = {
  readonly route: Route;
  /** Further routes that answer the same. */
  readonly aliases?: readonly Route[];
  readonly summary: string;
  readonly description?: string;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: BodyReader<Body>;
  readonly answers: Answers;
  /** The codes this operation may answer, beside those every operation may. */
  readonly refuses?: readonly Code[];
  /** `public` needs no credential. By default one is asked for. */
  readonly access?: 'key' | 'public' | KeyUnless;
  /** For the contract document: the sets of credentials any of which is enough, where it is not the key alone. */
  readonly credentials?: readonly (readonly ('key' | Credential)[])[];
  /** What the application must have been granted. */
  readonly permission?: string;
  /** The rate-limit policy, by the service's name for it. */
  readonly rate?: Policy;
  /** Overrides the reader's own ceiling, for bodies that carry documents. */
  readonly maxBodyBytes?: () => number;
  /** The answer may be large and flows where the host lets it. Its event needs `response: { transferMode: STREAM }`. */
  readonly streams?: boolean;
  /** Left out of the contract document: pages and assets that are no part of the interface. */
  readonly undocumented?: boolean;
};

type Parsed<S extends Shape, Raw> = S extends z.ZodObject ? z.output<S> : Readonly<Record<string, Raw>>;

/** What a handler is given: values that hold, and who calls. */
export type Input<Params extends Shape, Query extends Shape, Body> = {
  readonly params: Parsed<Params, string>;
  /** Without a shape, a value that was given several times is a list. */
  readonly query: Parsed<Query, string | string[]>;
  readonly body: Body;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  /** Present on every endpoint that is not public. */
  readonly caller: Caller;
  readonly correlationId: string;
  readonly clientAddress: string;
  /** When the request reached the function: a budget of time begins here, whatever was waited for since. */
  readonly startedAtMs: number;
  /** When the host ends this invocation: work that must finish plans by it. */
  readonly deadlineAtMs: number;
  /** Aborted when the caller hangs up, where the host can tell: nobody needs the rest of the work. */
  readonly hangUp: AbortSignal | undefined;
};

// An answer is only read, so that what a domain keeps unchangeable is an answer as it is.
type Read<T> = T extends readonly (infer Item)[]
  ? readonly Read<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: Read<T[Name]> }
    : T;
type Value<S> = S extends z.ZodType ? Read<z.input<S>> : never;

/** A value of any declared JSON answer, or an answer made by hand. */
export type Output<Answers> = Value<Answers[keyof Answers]> | Answer;
