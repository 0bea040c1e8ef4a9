import * as z from 'zod';
import { type FieldProblem, Problem } from '../errors/errors.ts';
import type { Said } from '../errors/said.ts';

/**
 * Parses a value, or throws the `invalid` problem that names each field. Messages never repeat the value.
 * @example const fields = validate(UploadFields, form.fields);
 */
export function validate<S extends z.ZodType>(shape: S, value: unknown, within = ''): z.output<S> {
  const result = shape.safeParse(value);
  if (result.success) return result.data;
  throw invalid(fieldProblemsOf(result.error, within));
}

/** A caller mends these first. A list of a thousand bad values must not be answered with a thousand sentences. */
export const MAX_FIELD_PROBLEMS = 20;

/** The first fields that do not hold. @example fieldProblemsOf(shape.safeParse(value).error) */
export const fieldProblemsOf = (error: z.ZodError, within = ''): FieldProblem[] =>
  error.issues.slice(0, MAX_FIELD_PROBLEMS).map((issue) => fieldProblem(issue, within));

/**
 * The id in a path. A word in its place makes the path an unknown route.
 * @example DocumentParams = z.object({ id: pathId() }) // /api/documents/batch is an unknown route
 */
export const pathId = (shape: z.ZodString | z.ZodGUID = z.string().min(1).max(64)) =>
  shape.refine((value) => !PATH_WORD.test(value), { params: { situation: NO_ROUTE } });

const NO_ROUTE = 'noRoute';
// Ids are UUIDs, and every UUID has a digit.
const PATH_WORD = /^[a-z]+(?:-[a-z]+)*$/i;

/** Parses the parameters of a path. A word that is none of an enumeration makes the path an unknown route as well. */
export function validatePath<S extends z.ZodType>(
  shape: S,
  { params, method, path }: { params: object; method: string; path: string },
): z.output<S> {
  const result = shape.safeParse({ ...params });
  const isNoRoute = result.error?.issues.some(
    (issue) =>
      issue.code === 'invalid_value' || (issue.code === 'custom' && issue.params?.situation === NO_ROUTE),
  );
  if (isNoRoute) throw new Problem(NO_ROUTE, { method, path });
  return result.success ? result.data : validate(shape, { ...params });
}

/** The problem of an invalid request. @example throw invalid([{ field: 'cpf', message: 'is not a CPF' }]) */
export const invalid = (fields: readonly FieldProblem[]): Problem =>
  new Problem('invalid', fields[0] && { field: fields[0].field, reason: fields[0].message }, { fields });

function fieldProblem(given: z.core.$ZodIssue, within: string): FieldProblem {
  const issue = mostSpecificIssue(given);
  const path = issue.path.map(String).join('.');
  const field = path || (issue.code === 'unrecognized_keys' ? issue.keys.join(', ') : '') || within || 'body';
  const message = isMissing(issue) ? REQUIRED : issue.message;
  return { field, message, rule: isMissing(issue) ? { code: REQUIRED } : ruleOf(issue) };
}

const REQUIRED = 'is required';

// In a union, the issue of the matching branch is the useful one: "is not a CPF", not "neither a CPF nor null". A union
// with a sentence of its own has it said.
function mostSpecificIssue(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union' || issue.message !== UNPREPARED) return issue;
  const fits = issue.errors.find((branch) => branch.every(({ code }) => !OTHER_SHAPE.has(code)));
  const [inner] = fits ?? [];
  return inner
    ? mostSpecificIssue({ ...inner, path: [...issue.path, ...inner.path] } as z.core.$ZodIssue)
    : issue;
}

/** The message of zod where a union has none. */
const UNPREPARED = 'Invalid input';

const OTHER_SHAPE: ReadonlySet<string> = new Set(['invalid_type', 'invalid_value']);

const isMissing = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'invalid_type' && issue.message.endsWith('received undefined');

// A contract's own rules are said in its own words, which are their code. Zod's have a name and a limit.
const OF_ZOD = /^(?:Too (?:big|small)|Invalid|Unrecognized)\b/;

/** The rule that a field broke, as it is stored: pages say it in the language of the reader (shared/ui/field-rules.ts). */
function ruleOf(issue: z.core.$ZodIssue): Said {
  if (!OF_ZOD.test(issue.message)) return { code: issue.message };
  switch (issue.code) {
    case 'too_big':
      return { code: `too-big.${kindOf(issue.origin)}`, values: { limit: String(issue.maximum) } };
    case 'too_small':
      return { code: `too-small.${kindOf(issue.origin)}`, values: { limit: String(issue.minimum) } };
    case 'invalid_value':
      return { code: 'other-value', values: { values: issue.values.map(String).join(', ') } };
    case 'invalid_format':
      return { code: issue.format === 'email' ? 'no-email' : 'other-format' };
    case 'unrecognized_keys':
      return { code: 'unknown' };
    default:
      return { code: 'other-kind' };
  }
}

const kindOf = (origin: string): 'text' | 'list' | 'number' =>
  origin === 'string' ? 'text' : origin === 'array' || origin === 'set' ? 'list' : 'number';
