import { createHash } from 'node:crypto';
import { deadLetters } from '../killed-work.ts';
import { studentOf } from './lines.ts';
import type { BatchRun } from './run.ts';

type Degree = {
  readonly id: string;
  readonly studentName: string;
  readonly verificationCode: string;
  readonly files: readonly { readonly name: string; readonly sha256: string }[];
};
type LineError = { readonly line: number; readonly code: string };
type LineResult = { readonly line: number; readonly degreeId: string | null };

// Reading each file of fifty thousand degrees would take longer than their creation.
const FILES_OF_ONE_IN = 97;

/** Every way in which the lines of a run are not each created once or reported. */
export async function checkBatch(run: BatchRun): Promise<string[]> {
  const problems: string[] = [];
  const expect = (holds: boolean, problem: string): void => void (holds || problems.push(problem));
  const { api, id, lines, engine } = run;
  const good = lines.flatMap(({ becomes }, n) => (becomes === 'degree' ? [n + 1] : []));
  const bad = lines.flatMap(({ becomes }, n) =>
    typeof becomes === 'object' ? [{ line: n + 1, code: becomes.code }] : [],
  );

  const { status, created, failed, processed, lines: counted } = await api.batch(id);
  const counts = JSON.stringify({ status, created, failed, processed, counted });
  expect(
    status === 'Finished' &&
      created === good.length &&
      failed === bad.length &&
      processed === counted &&
      counted === created + failed,
    `the batch is ${counts}; ${good.length} lines are good and ${bad.length} bad`,
  );

  const errors = await api.all<LineError>(`/batches/${id}/errors`);
  const told = errors.items.map(({ line, code }) => `${line} ${code}`);
  expect(
    told.join() === bad.map(({ line, code }) => `${line} ${code}`).join(),
    `the errors are ${told.join()}`,
  );
  expect(errors.totalCount === bad.length, `${errors.totalCount} errors are counted`);

  const results = await api.all<LineResult>(`/batches/${id}/lines`);
  const degreeIds = new Map(
    results.items.flatMap(({ line, degreeId }) => (degreeId ? [[degreeId, line]] : [])),
  );
  expect(
    [...degreeIds.values()].join() === good.join(),
    `${degreeIds.size} lines have degrees of their own, not ${good.length}`,
  );

  const degrees = await api.all<Degree>('');
  expect(degrees.totalCount === good.length, `${degrees.totalCount} degrees are counted`);
  expect(
    new Set(degrees.items.map((degree) => degree.id)).size === good.length,
    `${degrees.items.length} degrees are listed`,
  );
  const codes = new Set(degrees.items.map(({ verificationCode }) => verificationCode));
  expect(codes.size === good.length, `${codes.size} verification codes`);
  for (const degree of degrees.items) {
    const line = degreeIds.get(degree.id) ?? 0;
    expect(
      degree.studentName === studentOf(line),
      `${degree.id} of line ${line} is of ${degree.studentName}`,
    );
  }
  for (const [n, degree] of degrees.items.entries())
    if (n % FILES_OF_ONE_IN === 0) problems.push(...(await checkFiles(run, degree)));
  expect((await deadLetters(engine, 'credentials', 'batches')) === 0, 'a message of a batch was given up');
  return problems;
}

/** The files that a degree names are there, and are of this degree. */
async function checkFiles(
  { api }: BatchRun,
  { id, files, studentName, verificationCode }: Degree,
): Promise<string[]> {
  const problems: string[] = [];
  for (const { name, sha256 } of files) {
    const text = await api.text(`/${id}/xml/${name}?type=Original`);
    if (createHash('sha256').update(text).digest('hex') !== sha256)
      problems.push(`${name} of ${id} is another file`);
    if (!text.includes(studentName)) problems.push(`${name} of ${id} is of another student`);
    if (name === 'diploma' && !text.includes(verificationCode))
      problems.push(`${name} of ${id} has another code`);
  }
  return problems;
}
