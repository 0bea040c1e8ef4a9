import { beforeAll, describe, expect, test, vi } from 'vitest';
import { degreeIdOf } from '../../../../../functions/credentials/degrees/batches/domain/batch.ts';
import { settings } from '../../../../../functions/credentials/settings.ts';
import { degreeOf, errorsOf, linesOf, ownStage, progressOf, run, type Stage, sendBatch } from './stage.ts';

const stage = await ownStage();

const INVALID = {
  code: 'InvalidFields',
  message: 'A field or parameter is missing or invalid. The details name it.',
};
const ONE_SIZED = { name: 'diploma', content: Buffer.from('<Other/>').toString('base64') };

describe('a batch with hostile lines', () => {
  // Each of these stops no other line, and never the process.
  const BAD: readonly (readonly [string, (stage: Stage) => object | string | Buffer, object])[] = [
    [
      'no JSON',
      () => 'Maria;52998224725',
      { ...INVALID, details: { field: 'line', reason: 'is not valid JSON' } },
    ],
    [
      'two values',
      ({ degree }) => `${JSON.stringify(degree(1))} {}`,
      { ...INVALID, details: { field: 'line', reason: 'is not valid JSON' } },
    ],
    [
      'a number',
      () => '7',
      { ...INVALID, details: { field: 'line', reason: expect.stringContaining('expected object') } },
    ],
    [
      'null',
      () => 'null',
      { ...INVALID, details: { field: 'line', reason: expect.stringContaining('expected object') } },
    ],
    [
      'a list',
      ({ degree }) => [degree(1)],
      { ...INVALID, details: { field: 'line', reason: expect.stringContaining('expected object') } },
    ],
    [
      'a field that is missing',
      ({ degree }) => degree(1, { course: undefined }),
      { ...INVALID, details: { field: 'course', reason: 'is required' } },
    ],
    [
      'a field that is not known',
      ({ degree }) => degree(1, { notKnown: true }),
      { ...INVALID, details: { option: 'notKnown' } },
    ],
    [
      'a CPF with dots',
      ({ degree }) => degree(1, { studentCpf: '529.982.247-25' }),
      { ...INVALID, details: { field: 'studentCpf', reason: 'must be a CPF of 11 digits' } },
    ],
    [
      'a NUL',
      ({ degree }) => Buffer.from(JSON.stringify(degree(1)).replace('Aluno', 'Alu\0no')),
      { ...INVALID, details: { field: 'line', reason: 'is not valid JSON' } },
    ],
    [
      'bytes that are not UTF-8',
      ({ degree }) => Buffer.from(JSON.stringify(degree(1)).replace('Aluno', 'João'), 'latin1'),
      { ...INVALID, details: { field: 'line', reason: 'is not UTF-8 text' } },
    ],
    [
      'half of a surrogate pair',
      ({ degree }) => JSON.stringify(degree(1)).replace('Aluno', '\\ud83d'),
      { ...INVALID, details: { field: 'line', reason: 'holds text that is not Unicode' } },
    ],
    [
      'a deep nest',
      () => `${'['.repeat(30_000)}${']'.repeat(30_000)}`,
      { ...INVALID, details: { field: 'line', reason: 'is nested deeper than 64 levels' } },
    ],
    [
      'ten megabytes',
      () => Buffer.alloc(10_485_760, 'a'),
      { ...INVALID, details: { field: 'line', reason: 'is longer than 1048576 bytes' } },
    ],
    [
      'ten megabytes of spaces',
      () => Buffer.alloc(10_485_760, ' '),
      { ...INVALID, details: { field: 'line', reason: 'is longer than 1048576 bytes' } },
    ],
    [
      'nothing but a prototype',
      ({ degree }) => `{"__proto__":${JSON.stringify(degree(1))}}`,
      { ...INVALID, details: { option: '__proto__' } },
    ],
    [
      'an institute that does not exist',
      ({ degree }) => degree(1, { instituteId: 'none' }),
      {
        code: 'InstituteNotFound',
        message: 'No institute by this id is open to this key.',
        details: { resourceName: 'Institute', resourceId: 'none' },
      },
    ],
    [
      'a file with another root',
      ({ degree }) => degree(1, { files: [ONE_SIZED, { ...ONE_SIZED, name: 'academic-documentation' }] }),
      {
        code: 'InvalidXml',
        message: expect.any(String),
        details: { file: 'diploma', reason: 'has the root Other; expected Diploma' },
      },
    ],
    [
      'a file that is missing',
      ({ degree }) => degree(1, { files: [ONE_SIZED] }),
      {
        code: 'InvalidXml',
        message: expect.any(String),
        details: { file: 'academic-documentation', reason: expect.any(String) },
      },
    ],
  ];

  // Every second line is one of these; the others are degrees.
  let hostile: { readonly id: string };
  beforeAll(async () => {
    hostile = await sendBatch(
      stage,
      BAD.flatMap(([, badOf], n) => [stage.degree(n), badOf(stage)]),
    );
    expect(await run(hostile)).toBe('finished');
  });

  test.each(BAD.map((bad, n) => [...bad, n] as const))(
    'reports a line that is or has %s, and creates the others',
    async (_, __, error, n) => {
      const line = 2 * (n + 1);
      const errors = await errorsOf(stage, hostile);
      expect(errors.find((each) => each.line === line)).toEqual({ line, ...error });
      const lines = (await linesOf(stage, hostile)).slice(line - 2, line);
      expect(lines).toEqual([
        { line: line - 1, degreeId: degreeIdOf(hostile.id, line - 1) },
        { line, degreeId: null },
      ]);
    },
  );

  test('is finished with each of its lines created or reported', async () => {
    const count = BAD.length;
    expect(await progressOf(stage, hostile)).toEqual({
      ...{ state: 'Finished', lines: 2 * count, line: 2 * count, created: count, failed: count },
    });
  });

  test('refuses keys that mean something to JavaScript as unknown fields', async () => {
    const line = JSON.stringify(stage.degree(1)).replace(
      /}$/,
      ',"__proto__":{"studentName":"x"},"constructor":1}',
    );
    const batch = await sendBatch(stage, [line]);
    await run(batch);
    expect(await degreeOf(batch, 1)).toBeUndefined();
    expect(await errorsOf(stage, batch)).toMatchObject([{ line: 1, details: { option: '__proto__' } }]);
    expect(({} as { studentName?: string }).studentName).toBeUndefined();
  });

  test('takes a byte order mark, CR LF and blank lines, which are numbered', async () => {
    const [one, two] = [stage.degree(1), stage.degree(2)].map((line) => JSON.stringify(line));
    const batch = await sendBatch(stage, [`\uFEFF${one}\r`, '', ' \t\r', `${two}\r`, '{\r', '']);
    await run(batch);
    expect(await progressOf(stage, batch)).toEqual({
      state: 'Finished',
      lines: 3,
      line: 6,
      created: 2,
      failed: 1,
    });
    expect((await errorsOf(stage, batch)).map(({ line }) => line)).toEqual([5]);
    expect((await linesOf(stage, batch)).map(({ degreeId }) => degreeId !== null)).toEqual([
      true,
      false,
      false,
      true,
      false,
      false,
    ]);
  });

  test('the longest line is a setting', async () => {
    vi.stubEnv('Batches__MaxLineBytes', '300');
    expect(settings['Batches:MaxLineBytes']).toBe(300);
    const batch = await sendBatch(stage, [
      stage.degree(1),
      stage.degree(2, { studentName: 'a'.repeat(300) }),
    ]);
    await run(batch);
    vi.unstubAllEnvs();
    expect((await errorsOf(stage, batch)).map(({ line, details }) => [line, details?.reason])).toEqual([
      [2, 'is longer than 300 bytes'],
    ]);
  });
});
