import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { csvToLines } from '../../../../../functions/credentials/degrees/batches/domain/csv-to-lines.ts';
import { readLine } from '../../../../../functions/credentials/degrees/batches/read-line.ts';
import { Refusal } from '../../../../../shared/errors/errors.ts';
import { runs } from '../../../../faults/fuzz.ts';

const instituteId = 'i1';
const linesOf = async (csv: string | Buffer) =>
  (await csvToLines(Buffer.from(csv as string), { instituteId }))
    .split('\n')
    .slice(0, -1)
    .map((line) => (line === '' ? null : JSON.parse(line)));

test('a degree keeps the number of the line on which it begins; blank lines and the heading are none', async () => {
  const csv =
    '\ufeffNome;CPF;Curso;Nome Social;Histórico\r\n\r\nAna;529.982.247-25;"Direito; noite";;Final\r\n"Bia\r\nB";1;x\r\nCaio;;y;Cá\r\n';
  expect(await linesOf(csv)).toEqual([
    null,
    null,
    {
      ...{ instituteId, studentName: 'Ana', studentCpf: '52998224725', course: 'Direito; noite' },
      academicTranscript: { type: 'Final' },
    },
    { instituteId, studentName: 'Bia\r\nB', studentCpf: '1', course: 'x' },
    null,
    { instituteId, studentName: 'Caio', course: 'y', studentSocialName: 'Cá' },
  ]);
});

test('a table as Windows writes it is read, and a column of the contract names another institute', async () => {
  const bytes = Buffer.from('studentName,instituteId\nJoão,i2\n', 'latin1');
  expect(await linesOf(bytes)).toEqual([null, { studentName: 'João', instituteId: 'i2' }]);
});

test('a line with more values than columns is no shorter degree, and its refusal says why', async () => {
  const csv = 'nome,cpf,curso,,\nAna,52998224725,Direito, noturno\nBia,52998224725,Direito,,\n';
  const [, overfull, right] = await linesOf(csv);
  expect(right).toEqual({ instituteId, studentName: 'Bia', studentCpf: '52998224725', course: 'Direito' });
  expect(() => readLine(Buffer.from(JSON.stringify(overfull)))).toThrowError(
    expect.objectContaining({
      code: 'InvalidFields',
      details: { field: 'line', reason: 'has 4 values, and there are 3 columns' },
    }),
  );
});

test.each([
  ['two columns for one field', 'nome;aluno;cpf\nAna;Bruno;1\n', '"nome" and "aluno"'],
  ['a column without a name between others', 'nome;;cpf\nAna;;1\n', 'column ""'],
  ['a column that is none of a degree', 'nome;salário\nAna;1\n', 'salário'],
  ['a quote that is never closed', 'nome\n"Ana\n', 'no closing quote'],
  ['a line of 1,001 values', `nome;cpf\n${';'.repeat(1_000)}\n`, '1000 values in line 2'],
])('%s is refused, and the refusal names it', async (_, csv, named) => {
  await expect(linesOf(csv)).rejects.toThrowError(
    expect.objectContaining({
      code: 'InvalidFields',
      details: { field: 'file', reason: expect.stringContaining(named) },
    }),
  );
});

test('a table of more lines than a batch has is read no further', async () => {
  vi.stubEnv('MaxDegreesInBatch', '3');
  expect(await linesOf('nome\nAna\n\n\n\nBia\n')).toHaveLength(6);
  const tooMany = expect.objectContaining({ code: 'TooManyLines' });
  await expect(linesOf('nome\nAna\n\n\n\n\nBia\n"never read')).rejects.toThrow(tooMany);
  vi.unstubAllEnvs();
});

test('whatever the bytes, there are lines of JSON or a refusal', async () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.string({ maxLength: 200 }).map((text) => Buffer.from(`nome;cpf\n${text}`)),
  );
  await fc.assert(
    fc.asyncProperty(bytes, async (content) => {
      try {
        await linesOf(Buffer.from(content));
      } catch (error) {
        expect(error).toBeInstanceOf(Refusal);
      }
    }),
    { numRuns: runs(500) },
  );
});
