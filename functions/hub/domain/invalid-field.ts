import type { Refusal } from '../../../shared/errors/errors.ts';
import { errors } from '../errors.ts';

/** What a request says in a field cannot be so. @example throw invalidField('hash', 'is not base64') */
export const invalidField = (field: string, message: string): Refusal =>
  errors.refuse('ValidationFailed', undefined, { fields: [{ field, message }] });
