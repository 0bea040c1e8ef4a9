import * as z from 'zod';
import { VALIDATION_ITEM_TYPES } from '../../../shared/pki/verdict/validation-results.ts';
import { VALID } from './examples.ts';

export const ValidationItemModel = z.object({
  type: z.enum(VALIDATION_ITEM_TYPES),
  message: z.string(),
  detail: z.string().optional(),
  get innerValidationResults() {
    return z.optional(ValidationResultsModel);
  },
});

export const ValidationResultsModel = z.object({
  isValid: z.boolean(),
  passedChecks: z.array(ValidationItemModel),
  errors: z.array(ValidationItemModel),
  warnings: z.array(ValidationItemModel),
});

z.globalRegistry.add(ValidationItemModel, {
  description: 'One check of a certificate. A check that rests on others has their results inside.',
  examples: [{ type: 'Success', message: 'The certificate is in its validity period.' }],
});
z.globalRegistry.add(ValidationResultsModel, {
  description: 'The checks of a certificate: passed, failed, and those that only warn.',
  examples: [VALID],
});
