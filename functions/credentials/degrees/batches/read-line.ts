import { parseJson } from '../../../../shared/http/body/reader.ts';
import { fieldCheckOf } from '../../../../shared/http/input.ts';
import { refusalOf } from '../../../../shared/http/refusal-of.ts';
import { validate } from '../../../../shared/http/validate.ts';
import { credentials } from '../../service.ts';
import { CreateDegree } from '../contract.ts';
import type { CreateDegreeRequest } from '../domain/degrees.ts';

const LINE = 'line';

/** A line by the contract of POST /api/degrees. Refused as that operation refuses its body. */
export function readLine(bytes: Buffer): CreateDegreeRequest {
  try {
    const value = parseJson(bytes, LINE);
    fieldCheckOf(credentials)?.(CreateDegree, value);
    return validate(CreateDegree, value, LINE);
  } catch (error) {
    throw refusalOf(credentials, error);
  }
}
