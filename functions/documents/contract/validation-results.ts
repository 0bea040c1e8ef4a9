import * as z from 'zod';
import { VALIDATION_ITEM_TYPES } from '../../../shared/pki/findings/validation-results.ts';

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
