import { errors } from './errors.ts';

/** Longest reason an operator may give. */
export const MAX_REASON_CHARACTERS = 512;

/** The reason, or the refusal validation.reason-too-long. Null is none: some clients send a field that has no value. */
export function requireShort(reason: string | null | undefined): string | undefined {
  if (reason && reason.length > MAX_REASON_CHARACTERS) {
    throw errors.refuse('validation.reason-too-long', { maxCharacters: MAX_REASON_CHARACTERS });
  }
  return reason ?? undefined;
}
