import { fieldCheckOf } from '../../../shared/http/input.ts';
import { refusalOf } from '../../../shared/http/refusal-of.ts';
import { validate } from '../../../shared/http/validate.ts';
import { GeneratedDocument, type PeopleOfLine } from '../contract/generation.ts';
import { documents } from '../service.ts';

/** What a line of a generation asks for, by the contract. Refused as POST /api/documents refuses its body. */
export function readPeople(value: unknown): PeopleOfLine {
  try {
    fieldCheckOf(documents)?.(GeneratedDocument, value);
    return validate(GeneratedDocument, value);
  } catch (error) {
    throw refusalOf(documents, error);
  }
}
