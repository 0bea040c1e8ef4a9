import { afterEach, describe, expect, test, vi } from 'vitest';
import { listJobs } from '../../../../functions/batch/jobs/domain/list-jobs.ts';
import { files } from '../../../../shared/files/files.ts';
import { forFile } from '../../../runner/for-file.ts';
import { batchStage } from '../stage.ts';
import { jobsInState } from './jobs-in-state.ts';

const stage = await forFile(batchStage());
vi.stubEnv('Pipeline__MaxConcurrency', '32');
const made = jobsInState(stage);
afterEach(async () => {
  vi.stubEnv('Pipeline__RejectAlreadyProcessedFileNames', 'true');
  await stage.run();
});

const codeOf = (error: { code?: string }) => error.code ?? 'unknown';
const upload = (name: string) => made.queued(name).then(() => 'queued', codeOf);
const textOf = async (key: string) => (await files('batch').read(key, 100_000))?.toString('latin1');
const inputs = async () => (await files('batch').list('uploads/')).files.length;

describe('a name is signed once', () => {
  test.each([
    ['composed and decomposed', 'ação.txt', 'ação.txt'.normalize('NFD')],
    ['upper and lower case', 'Relatório.TXT', 'relatório.txt'],
    ['letters that have two lower cases', 'ΟΔΟΣ.txt', 'οδος.txt'],
    ['a sharp s and two', 'straße.txt', 'STRASSE.txt'],
    ['invisible characters', 'plain.txt', 'pl\u200Bain.txt'],
  ])('in two spellings at once it is one job: %s', async (_, one, other) => {
    const before = await listJobs({}, { page: 1, pageSize: 1 });
    const answers = await Promise.all([one, other, one, other].map(upload));
    expect(answers.toSorted()).toEqual([
      ...Array.from({ length: 3 }, () => 'job.already-processing'),
      'queued',
    ]);
    const after = await listJobs({}, { page: 1, pageSize: 1 });
    expect(after.totalCount - before.totalCount).toBe(1);
    // The files of the others are gone.
    expect(await inputs()).toBe(1);
    await stage.run();
    expect(await Promise.all([upload(one), upload(other)])).toEqual([
      'file.already-processed',
      'file.already-processed',
    ]);
    expect(await inputs()).toBe(0);
  });

  test('a name of a failed or a canceled job is free', async () => {
    await made.failed('free.txt');
    await made.canceled('free.txt');
    expect(await upload('FREE.txt')).toBe('queued');
  });
});

describe('names that differ are different files, though the store would write them alike', () => {
  test.each([
    ['.hidden', 'hidden', 'hidden.p7m'],
    ['CON.txt', '_CON.txt', '_CON.txt.p7m'],
    ['a?b', 'a_b', 'a_b.p7m'],
    ['end.', 'end', 'end.p7m'],
  ])('%s and %s', async (one, other, outputName) => {
    const [first, second] = [await made.queued(one), await made.queued(other)];
    expect([first.fileName, second.fileName]).toEqual([one, other]);
    expect(await upload(one.toUpperCase())).toBe('job.already-processing');
    await stage.run();
    expect(await upload(other)).toBe('file.already-processed');
    const outputs = await Promise.all([first, second].map(({ id }) => stage.job(id)));
    expect(outputs.map((job) => job.state)).toEqual(['Completed', 'Completed']);
    expect(new Set(outputs.map((job) => job.outputName)).size).toBe(2);
    expect(outputs.map((job) => job.outputName)).toContain(outputName);
    expect(await Promise.all(outputs.map((job) => textOf(`output/${job.outputName}`)))).toEqual([
      expect.stringContaining(`The content of ${one}.`),
      expect.stringContaining(`The content of ${other}.`),
    ]);
  });
});

describe('with Pipeline:RejectAlreadyProcessedFileNames off', () => {
  test('only an active job holds a name, and no output replaces another', async () => {
    vi.stubEnv('Pipeline__RejectAlreadyProcessedFileNames', 'false');
    const first = await made.completed('twice.bin');
    const second = await made.completed('TWICE.bin');
    expect([first.outputName, second.outputName]).toEqual([
      'twice.bin.p7m',
      `TWICE.bin.${second.id.slice(0, 8)}.p7m`,
    ]);
    expect([await upload('twice.bin'), await upload('Twice.bin')]).toEqual([
      'queued',
      'job.already-processing',
    ]);
  });

  test('switched on again, the names that were signed meanwhile are known', async () => {
    vi.stubEnv('Pipeline__RejectAlreadyProcessedFileNames', 'false');
    await made.completed('known.bin');
    await made.completed('known.bin');
    vi.stubEnv('Pipeline__RejectAlreadyProcessedFileNames', 'true');
    expect(await upload('known.bin')).toBe('file.already-processed');
  });
});
