import { errors } from './errors.ts';

/** Longest reason an operator may give. */
export const MAX_REASON_CHARACTERS = 512;

/** The reason, or the refusal validation.reason-too-long. */
export function requireShort(reason: string | undefined): string | undefined {
  if (reason && reason.length > MAX_REASON_CHARACTERS) {
    throw errors.refuse('validation.reason-too-long', { maxCharacters: MAX_REASON_CHARACTERS });
  }
  return reason;
}
