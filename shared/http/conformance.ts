import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { Refusal } from '../errors/errors.ts';
import type { Answer } from './answer.ts';
import type { Declaration } from './declaration.ts';

/** Throws where an answer is not what its endpoint declared: a status, a shape, a field too many. */
export function checkAnswer(declaration: Declaration, answer: Answer): void {
  const shape = declaration.answers[answer.status];
  if (!shape) throw new Error(`${declaration.route} declares no answer with status ${answer.status}.`);
  const { body, status } = answer;
  if (!(shape instanceof z.ZodType) || body.kind !== 'json') {
    if (!(shape instanceof z.ZodType) && body.kind !== 'json') return;
    const declared = shape instanceof z.ZodType ? 'JSON' : 'not JSON';
    throw new Error(
      `${declaration.route} declares that status ${status} is ${declared}, and answers otherwise.`,
    );
  }
  const sent = JSON.parse(JSON.stringify(body.value ?? null));
  const read = shape.safeParse(sent);
  if (!read.success)
    throw new Error(`${declaration.route} answers off its contract: ${z.prettifyError(read.error)}`);
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify(read.data ?? null)), sent)) {
    throw new Error(`${declaration.route} answers fields that its contract does not name.`);
  }
}

/** Throws where a refusal uses a code that its endpoint did not declare. */
export function checkRefusal(
  declaration: Declaration,
  refusal: Refusal,
  everywhere: readonly string[],
): void {
  if (declaration.refuses?.includes(refusal.code) || everywhere.includes(refusal.code)) return;
  throw new Error(`${declaration.route} declares no refusal ${refusal.code}.`);
}
