import type { Said } from '../../../shared/errors/said.ts';
import { type Sentence, sentenceTable } from '../../../shared/ui/sentences.ts';
import { type ErrorCode, errors } from '../errors.ts';
import { rows } from './rows.ts';

export type { Said, Sentence };

/**
 * A sentence that is recorded. The API answers it in English, and pages show it in the language of the reader.
 * @example say('job.picked-up', { instance: 'main' }) // Picked up by main.
 */
export const { say, textIn, inEnglish, recordedAs } = sentenceTable(rows, errors.text);

/** The sentence of an error, in the error table. */
export const sayError = (code: ErrorCode): Said => ({ code });

/** A sentence about a file, for an event. */
export const ofFile = (file: string, text: Sentence): Said => say('of-file', { file, text });

/** Two sentences, one after the other. */
export const both = (first: Sentence, second: Sentence): Said => say('both', { first, second });
