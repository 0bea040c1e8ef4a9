import type * as z from 'zod';
import { type FieldProblem, Problem } from './errors.ts';

/**
 * The value as its shape says, or the `invalid` problem naming each field. Messages never repeat the value.
 * @example const fields = validate(UploadFields, form.fields);
 */
export function validate<S extends z.ZodType>(shape: S, value: unknown, within = ''): z.output<S> {
  const result = shape.safeParse(value);
  if (result.success) return result.data;
  throw invalid(result.error.issues.map((issue) => fieldProblem(issue, within)));
}

/** The problem of a request that does not hold. @example throw invalid([{ field: 'cpf', message: 'is not a CPF' }]) */
export const invalid = (fields: readonly FieldProblem[]): Problem =>
  new Problem('invalid', fields[0] && { field: fields[0].field, reason: fields[0].message }, { fields });

function fieldProblem(issue: z.core.$ZodIssue, within: string): FieldProblem {
  const path = issue.path.map(String).join('.');
  const field = path || (issue.code === 'unrecognized_keys' ? issue.keys.join(', ') : '') || within || 'body';
  return { field, message: missing(issue) ? 'is required' : issue.message };
}

const missing = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
