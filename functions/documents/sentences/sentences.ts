import type { Details } from '../../../shared/errors/errors.ts';
import { type Sentence, sentenceTable } from '../../../shared/ui/sentences.ts';
import { type ErrorCode, errors } from '../errors.ts';
import { rows } from './rows.ts';

/** Reasons that are recorded: the API answers them in English, and pages show them in the language of the reader. */
export const sentences = sentenceTable(rows);
export const { say } = sentences;

/** A refusal with its reason, in English for the API. @example throw refuseBecause('DataFileNotUsable', say('table.empty')) */
export const refuseBecause = (code: ErrorCode, reason: Sentence, details: Details = {}) => {
  const { message, said } = sentences.recordedAs(reason);
  return errors.refuse(code, { ...details, reason: message }, { said });
};
