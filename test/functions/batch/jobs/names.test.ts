import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { listJobs } from '../../../../functions/batch/jobs/domain/list-jobs.ts';
import { files } from '../../../../shared/files/files.ts';
import { batchStage, type Stage } from '../stage.ts';
import { jobsInState } from './jobs-in-state.ts';

let stage: Stage;
let made: ReturnType<typeof jobsInState>;
beforeAll(async () => {
  stage = await batchStage();
  vi.stubEnv('Pipeline__MaxConcurrency', '32');
  made = jobsInState(stage);
});
afterEach(async () => {
  vi.stubEnv('Pipeline__RejectAlreadyProcessedFileNames', 'true');
  await stage.run();
});
afterAll(() => stage.stop());

const codeOf = (error: { code?: string }) => error.code ?? 'unknown';
const upload = (name: string) => made.queued(name).then(() => 'queued', codeOf);
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
