import * as z from 'zod';
import {
  CsvBroken,
  columnNames,
  decodeCsv,
  hasValuesBeyond,
  MAX_VALUES,
  readCsv,
} from '../../../../../shared/lines/csv.ts';
import { refuseField, say } from '../../../items/sentences.ts';
import { refuseManyLines } from './line-limit.ts';

// By the names of the contract, and as a Brazilian office heads its columns.
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  studentName: ['studentname', 'nome', 'estudante', 'aluno', 'name', 'student'],
  studentSocialName: ['studentsocialname', 'nome social', 'social name'],
  studentCpf: ['studentcpf', 'cpf'],
  course: ['course', 'curso'],
  instituteId: ['instituteid'],
  registeringInstituteId: ['registeringinstituteid'],
  academicTranscript: ['academictranscript', 'historico', 'transcript'],
};

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase();

const fieldOf = (heading: string): string | undefined =>
  Object.entries(COLUMNS).find(([, names]) => names.includes(plain(heading)))?.[0];

/** A line of a table that has more values than there are columns. It is no degree, and its batch reports it. */
export const OverfullLine = z.strictObject({ values: z.int(), columns: z.int() });

const cellValue = (field: string, text: string): unknown => {
  if (field === 'academicTranscript') return { type: text };
  return field === 'studentCpf' ? text.replace(/[.\s-]/g, '') : text;
};

/**
 * The lines of a batch of a table in CSV, whose first line names the columns. A line keeps its number: what is no degree
 * is a blank line, which a batch ignores. Refused with InvalidFields where a column is unknown or there twice, a quote is
 * not closed or a line has too many values, and with TooManyLines.
 * @example await csvToLines(bytes, { instituteId }) // '\n{"studentName":"Ana",…}\n'
 */
export async function csvToLines(
  bytes: Uint8Array,
  { instituteId }: { readonly instituteId: string | undefined },
): Promise<string> {
  let fields: readonly string[] | undefined;
  const lines: string[] = [];
  try {
    for await (const { line, values } of readCsv(decodeCsv(bytes))) {
      if (!fields) fields = fieldsOf(values);
      else {
        refuseManyLines({ lines: 0, number: line });
        while (lines.length < line - 1) lines.push('');
        lines.push(JSON.stringify(lineOf(fields, values, instituteId)));
      }
    }
  } catch (error) {
    if (error instanceof CsvBroken)
      throw refuseField('file', say(`table.${error.reason}`, { line: error.line, values: MAX_VALUES }));
    throw error;
  }
  return `${lines.join('\n')}\n`;
}

function fieldsOf(values: readonly string[]): readonly string[] {
  const headings = columnNames(values);
  const fields = headings.map((heading) => {
    const field = fieldOf(heading);
    if (field === undefined)
      throw refuseField('file', say('table.unknown-column', { name: heading.slice(0, 60) }));
    return field;
  });
  const twice = fields.findIndex((field, at) => fields.indexOf(field) !== at);
  if (twice !== -1) {
    const first = headings[fields.indexOf(fields[twice] ?? '')];
    throw refuseField(
      'file',
      say('table.same-columns', { first: first ?? '', second: headings[twice] ?? '' }),
    );
  }
  return fields;
}

const lineOf = (
  fields: readonly string[],
  values: readonly string[],
  instituteId: string | undefined,
): object =>
  hasValuesBeyond(values, fields.length)
    ? ({ values: values.length, columns: fields.length } satisfies z.infer<typeof OverfullLine>)
    : { instituteId, ...degreeOf(fields, values) };

/** An empty cell was not given. */
const degreeOf = (fields: readonly string[], values: readonly string[]): object =>
  Object.fromEntries(
    fields.flatMap((field, at) => {
      const text = (values[at] ?? '').trim();
      return text === '' ? [] : [[field, cellValue(field, text)]];
    }),
  );
