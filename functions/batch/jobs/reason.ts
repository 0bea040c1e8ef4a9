import * as z from 'zod';
import { type BodyReader, formBody, oneOf, optionalJsonBody } from '../../../shared/http/body/reader.ts';
import { mayBeEmpty } from '../../../shared/http/query.ts';
import { errors } from '../errors.ts';

/** Longest reason an operator may give. */
export const MAX_REASON_CHARACTERS = 512;

/** The reason in a body. Null is none, as answers have it. Its length is checked by `requireShort`. */
export const Reason = z
  .string()
  .nullish()
  .describe(`Why, for the record; at most ${MAX_REASON_CHARACTERS} characters.`);

/** The reason in the query, for clients that send no body. */
export const ReasonQuery = z.object({
  reason: mayBeEmpty(
    z.string().optional().describe('The same as in the body, which counts where both have one.'),
  ),
});

/** A body with a reason, as JSON or as a form. It may be absent. @example body: reasonBody(CancelJob) */
export const reasonBody = <S extends z.ZodType>(shape: S): BodyReader<z.output<S>> => ({
  ...oneOf(formBody(shape), optionalJsonBody(shape)),
  optional: true,
});

type Given = { readonly reason?: string | null | undefined };

/** The reason that a caller gave, in the body or in the query. */
export const reasonIn = ({ body, query }: { readonly body: Given; readonly query: Given }) => ({
  reason: body.reason ?? query.reason,
});

/** The reason, or the refusal validation.reason-too-long. */
export function requireShort(reason: string | null | undefined): string | undefined {
  if (reason && reason.length > MAX_REASON_CHARACTERS) {
    throw errors.refuse('validation.reason-too-long', { maxCharacters: MAX_REASON_CHARACTERS });
  }
  return reason ?? undefined;
}
