import * as z from 'zod';
import { errors } from './errors.ts';

/** Longest reason an operator may give. */
export const MAX_REASON_CHARACTERS = 512;

/** The reason in a body. Null is none, as answers have it. Its length is checked by `requireShort`. */
export const Reason = z
  .string()
  .nullish()
  .describe(`Why, for the record; at most ${MAX_REASON_CHARACTERS} characters.`);

/** The reason, or the refusal validation.reason-too-long. */
export function requireShort(reason: string | null | undefined): string | undefined {
  if (reason && reason.length > MAX_REASON_CHARACTERS) {
    throw errors.refuse('validation.reason-too-long', { maxCharacters: MAX_REASON_CHARACTERS });
  }
  return reason ?? undefined;
}
