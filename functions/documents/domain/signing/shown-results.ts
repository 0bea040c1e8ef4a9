import {
  isValid,
  type ValidationItem,
  type ValidationResults,
} from '../../../../shared/pki/findings/validation-results.ts';

type ShownItem = Omit<ValidationItem, 'innerValidationResults'> & {
  readonly innerValidationResults?: ShownResults;
};

export type ShownResults = {
  readonly isValid: boolean;
  readonly passedChecks: ShownItem[];
  readonly errors: ShownItem[];
  readonly warnings: ShownItem[];
};

/** Validation results as this platform's clients read them: with what they come to, at every depth. */
export const shownResults = (results: ValidationResults): ShownResults => ({
  isValid: isValid(results),
  passedChecks: results.passedChecks.map(shownItem),
  errors: results.errors.map(shownItem),
  warnings: results.warnings.map(shownItem),
});

const shownItem = ({ innerValidationResults, ...item }: ValidationItem): ShownItem => ({
  ...item,
  ...(innerValidationResults && { innerValidationResults: shownResults(innerValidationResults) }),
});
