import { parseJson } from '../../../../shared/http/body/reader.ts';
import { fieldCheckOf } from '../../../../shared/http/input.ts';
import { refusalOf } from '../../../../shared/http/refusal-of.ts';
import { validate } from '../../../../shared/http/validate.ts';
import { refuseField, say } from '../../items/sentences.ts';
import { credentials } from '../../service.ts';
import { CreateDegree } from '../contract.ts';
import type { CreateDegreeRequest } from '../domain/degrees.ts';
import { OverfullLine } from './domain/csv-to-lines.ts';

const LINE = 'line';

/** A line by the contract of POST /api/degrees. Refused as that operation refuses its body. */
export function readLine(bytes: Buffer): CreateDegreeRequest {
  try {
    const value = parseJson(bytes, LINE);
    refuseOverfull(value);
    fieldCheckOf(credentials)?.(CreateDegree, value);
    return validate(CreateDegree, value, LINE);
  } catch (error) {
    throw refusalOf(credentials, error);
  }
}

function refuseOverfull(value: unknown): void {
  const { data } = OverfullLine.safeParse(value);
  if (data) throw refuseField(LINE, say('line.values', data));
}
