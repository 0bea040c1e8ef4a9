import type * as z from 'zod';
import type { FieldProblem } from '../errors/errors.ts';
import type { Call } from './call.ts';
import type { Service } from './endpoint.ts';
import { fieldProblemsOf, MAX_FIELD_PROBLEMS, validate } from './validate.ts';

type Query = Call['query'];

const emptyAllowed = new WeakSet<object>();

/**
 * A parameter that a strict query takes without a value too. Its endpoint judges what an empty one means.
 * @example query: z.object({ culture: mayBeEmpty(z.string().optional()) }) // ?culture= is the text ''
 */
export function mayBeEmpty<S extends z.ZodType>(shape: S): S {
  emptyAllowed.add(shape);
  return shape;
}

/**
 * The query of a call by the shape of its endpoint. Strict for a service with a code for it, `invalidQuery`: an unknown
 * name, a value given twice where the shape takes one, and an empty value are refused, and named.
 */
export function readQuery(service: Service, shape: z.ZodObject, { query }: Pick<Call, 'query'>): unknown {
  const { invalidQuery, errors } = service;
  if (invalidQuery === undefined) return validate(shape, { ...query });
  const strict = [...unknownNames(shape, query), ...emptyValues(shape, query)];
  const named = new Set(strict.map(({ field }) => field));
  const { data, error } = shape.safeParse({ ...query });
  const fields = [
    ...strict,
    ...(error ? fieldProblemsOf(error) : [])
      .filter(({ field }) => !named.has(field))
      .map((problem) => (isRepeated(error, query, problem) ? { ...problem, message: ONCE } : problem)),
  ];
  const [first] = fields;
  if (!first) return data;
  throw errors.refuse(invalidQuery, { field: first.field, reason: first.message }, { fields });
}

const ONCE = 'may be given only once';

// Callers choose the names. One as long as a URL tells no more than its beginning.
const MAX_NAME_CHARACTERS = 64;

// Object.hasOwn: every object inherits `constructor`, which does not make it a parameter.
const unknownNames = ({ shape }: z.ZodObject, query: Query): FieldProblem[] =>
  Object.keys(query)
    .filter((name) => !Object.hasOwn(shape, name))
    .slice(0, MAX_FIELD_PROBLEMS)
    .map((name) => ({
      field: name.slice(0, MAX_NAME_CHARACTERS),
      message: `is not a parameter of this operation: ${Object.keys(shape).join(', ') || 'it has none'}`,
    }));

const emptyValues = ({ shape }: z.ZodObject, query: Query): FieldProblem[] =>
  Object.entries(query)
    .filter(([name, value]) => [value].flat().includes('') && !isEmptyAllowed(shape, name))
    .slice(0, MAX_FIELD_PROBLEMS)
    .map(([name]) => ({ field: name.slice(0, MAX_NAME_CHARACTERS), message: 'is empty' }));

const isEmptyAllowed = (shape: z.ZodObject['shape'], name: string): boolean => {
  const parameter = Object.hasOwn(shape, name) ? shape[name] : undefined;
  return parameter !== undefined && emptyAllowed.has(parameter);
};

const OTHER_TYPE: ReadonlySet<string> = new Set(['invalid_type', 'invalid_value']);

/** Whether a shape for one value was given several. */
const isRepeated = (error: z.ZodError | undefined, query: Query, { field }: FieldProblem): boolean =>
  Array.isArray(query[field]) &&
  (error?.issues.some(({ path, code }) => path.join('.') === field && OTHER_TYPE.has(code)) ?? false);
