import type * as z from 'zod';
import type { Said } from '../errors/said.ts';

// A contract's own rules are said in its own words, which are their code. Zod's have a name and a limit.
const OF_ZOD = /^(?:Too (?:big|small)|Invalid|Unrecognized)\b/;

/** The rule that a field broke, as it is stored: pages say it in the language of the reader (shared/ui/field-rules.ts). */
export function ruleOf(issue: z.core.$ZodIssue): Said {
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
