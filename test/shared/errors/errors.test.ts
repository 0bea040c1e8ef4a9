import { expect, test } from 'vitest';
import { portuguese } from '../../../functions/batch/config/errors-in-portuguese.ts';
import { errors as batchErrors } from '../../../functions/batch/errors.ts';
import { errorTable } from '../../../shared/errors/errors.ts';

const errors = errorTable(
  { Gone: [410, 'It is gone.'], Busy: [429, 'Too many.'] },
  { 'pt-BR': { Gone: 'Não está mais aqui.', Busy: 'Demais.' } },
);

test('a page shows a code in the language of its visitor, and the API answers in English', () => {
  expect(errors.text('Gone', 'pt-BR')).toBe('Não está mais aqui.');
  expect(errors.text('Gone', 'en')).toBe('It is gone.');
  expect(errors.refuse('Gone').message).toBe('It is gone.');
});

test('a table without another language says the same everywhere', () => {
  expect(errorTable({ Gone: [410, 'It is gone.'] }).text('Gone', 'pt-BR')).toBe('It is gone.');
});

test.each(['__proto__', 'toString', 'constructor', 'Call 0800 and pay', ''])(
  'an unknown code such as %j has no words in any language',
  (code) => {
    expect([errors.text(code), errors.text(code, 'pt-BR')]).toEqual([undefined, undefined]);
  },
);

test('a language that lacks a code does not compile', () => {
  // @ts-expect-error Busy is missing
  errorTable({ Gone: [410, 'It is gone.'], Busy: [429, 'Too many.'] }, { 'pt-BR': { Gone: 'Foi.' } });
});

test('batch has a Portuguese sentence for each of its codes, and for no other', () => {
  expect(Object.keys(portuguese).toSorted()).toEqual(Object.keys(batchErrors.rows).toSorted());
});
