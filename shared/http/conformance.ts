import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { Refusal } from '../errors/errors.ts';
import type { Declaration } from './declaration.ts';
import type { Answer } from './response/answer.ts';

/** Throws where an answer differs from its declaration: an unknown status, another shape, an extra field. */
export function checkAnswer(declaration: Declaration, answer: Answer): void {
  const shape = declaration.answers[answer.status];
  if (!shape) throw new Error(`${declaration.route} declares no answer with status ${answer.status}.`);
  const { body, status } = answer;
  const isDeclaredJson = shape instanceof z.ZodType;
  if (isDeclaredJson !== (body.kind === 'json'))
    throw new Error(
      `${declaration.route} declares ${isDeclaredJson ? 'JSON' : 'no JSON'} for status ${status} and answers otherwise.`,
    );
  if (!isDeclaredJson || body.kind !== 'json') return;
  const sent = JSON.parse(JSON.stringify(body.value ?? null));
  const read = shape.safeParse(sent);
  if (!read.success)
    throw new Error(`${declaration.route} breaks its contract: ${z.prettifyError(read.error)}`);
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify(read.data ?? null)), sent)) {
    throw new Error(`${declaration.route} answers fields that its contract does not name.`);
  }
}

/** Throws where a refusal has a code that its endpoint does not declare. */
export function checkRefusal(
  declaration: Declaration,
  refusal: Refusal,
  everywhere: readonly string[],
): void {
  if (declaration.refuses?.includes(refusal.code) || everywhere.includes(refusal.code)) return;
  throw new Error(`${declaration.route} declares no refusal ${refusal.code}.`);
}
