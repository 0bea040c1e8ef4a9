import * as z from 'zod';
import { reasonOf } from '../../../shared/command-line/reason.ts';

/** Why a declaration is refused, in one line: the property, and its problem. */
export function explain(error: unknown): string {
  if (!(error instanceof z.ZodError)) return reasonOf(error);
  const [issue] = error.issues;
  const where = issue && issue.path.length > 0 ? `${issue.path.join('.')}: ` : '';
  return `${where}${issue?.message ?? 'not understood'}`;
}
