import { expect, test } from 'vitest';
import { documentTitleOf } from '../../../../functions/credentials/flows/domain/document-title.ts';
import { ROOTS } from '../../../../functions/credentials/items/domain/files-of.ts';
import { STUDIES } from '../items/own-items.ts';

const student = { studentName: 'Maria da Silva', studentSocialName: null, course: 'Engenharia Civil' };

test.each([
  ['diploma', student, 'Diploma de Maria da Silva, Engenharia Civil'],
  ['diploma', { ...student, studentSocialName: 'Ana Souza' }, 'Diploma de Ana Souza, Engenharia Civil'],
  ['academic-documentation', student, 'Documentação acadêmica de Maria da Silva, Engenharia Civil'],
  ['transcript', { ...student, type: 'Final' }, 'Histórico escolar de Maria da Silva, Engenharia Civil'],
  [
    'transcript',
    { ...student, type: 'Partial' },
    'Histórico escolar parcial de Maria da Silva, Engenharia Civil',
  ],
  ['curriculum', { code: 'CIV-2026', course: 'Engenharia Civil' }, 'Currículo CIV-2026, Engenharia Civil'],
  [
    'cancellation-list',
    { sequenceNumber: 3, iesName: 'Universidade Alfa' },
    'Lista de diplomas anulados nº 3, Universidade Alfa',
  ],
  [
    'inspection-file',
    { type: 'Issuer', startDate: '2026-01-01', endDate: '2026-03-31' },
    'Arquivo de fiscalização da emissora, 01/01/2026 a 31/03/2026',
  ],
])('the signers of a file read whose it is: %s', (name, data, title) => {
  expect(documentTitleOf({ data }, { name })).toBe(title);
});

test('every file of every kind has a title', () => {
  const names = Object.values(ROOTS).flatMap((files) => Object.keys(files));
  const data = { ...student, ...STUDIES, startDate: '', endDate: '' };
  for (const name of names) expect(documentTitleOf({ data }, { name })).not.toBe(name);
});
