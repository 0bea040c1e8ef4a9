import { expect, test, vi } from 'vitest';
import { bulks } from '../../../../functions/batch/jobs/domain/bulk/bulk.ts';
import { runBulk } from '../../../../functions/batch/jobs/domain/bulk/run-bulk.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { logger } from '../../../../shared/log/logger.ts';
import { forFile } from '../../../runner/for-file.ts';
import { jobsInState } from '../jobs/jobs-in-state.ts';
import { batchStage } from '../stage.ts';
import { operatorVisitor } from './operator-visitor.ts';

const stage = await forFile(batchStage());
vi.stubEnv('Auth__ApiKey', SANDBOX_KEY);
vi.stubEnv('Pipeline__MaxConcurrency', '32');
const made = jobsInState(stage);
const operator = await operatorVisitor();

const run = (bulkId: string) =>
  runBulk({ task: 'bulkJobs', bulkId }, { logger: logger('batch'), now: Date.now, hasTime: () => true });
const beforeOn = (text: string): string => /name="before" value="(\d+)"/.exec(text)?.[1] ?? '';

test('jobs that failed today are counted, opened and retried all at once, whenever they came', async () => {
  const jobs = [await made.failed('um.txt'), await made.failed('dois.txt')];
  const home = await operator.show('');
  const [, path = ''] = /href="\/batch\/dashboard\/(jobs\?status=Failed[^"]*)"/.exec(home.text) ?? [];
  const [, count] = /Failed today<\/span><strong>(\d+)/.exec(home.text) ?? [];
  const query = Object.fromEntries(new URLSearchParams(path.replaceAll('&amp;', '&').split('?')[1]));
  expect([count, Object.keys(query)]).toEqual(['2', ['status', 'failedFrom']]);

  const list = await operator.show('jobs', query);
  expect(list.text).toContain('2 jobs');
  expect(list.text).toContain('jobs/bulk/new?action=retry&amp;status=Failed&amp;failedFrom=');
  expect(list.text).not.toContain('action=cancel');

  const preview = await operator.show('jobs/bulk/new', { action: 'retry', ...query });
  expect(preview.text).toContain('<h1>Retry 2 jobs?</h1>');
  const later = await made.failed('depois.txt');
  const started = await operator.send('jobs/bulk/start', {
    action: 'retry',
    before: beforeOn(preview.text),
    ...query,
  });
  const { location = '' } = started.headers;
  const id = String(location).split('/').at(-1) ?? '';
  expect(started.status).toBe(303);
  await run(id);
  const done = await operator.show(`jobs/bulk/${id}`, {}, { 'Accept-Language': 'pt-BR' });
  expect(done.text).toContain('<h1>Repetir: 2 trabalhos</h1>');
  expect(done.text).toContain('Concluída');
  for (const { id: jobId } of jobs) expect((await stage.job(jobId)).retriedAs).toBeDefined();
  // It was not in the number that was confirmed.
  expect((await stage.job(later.id)).retriedAs).toBeUndefined();
  expect((await operator.show('jobs/bulk')).text).toContain(`/batch/dashboard/jobs/bulk/${id}`);
});

test('a preview changes nothing, shows hostile filters as text, and offers nothing where nothing matches', async () => {
  const text = '<img src=x onerror=1>\u202E';
  const { status, text: page } = await operator.show('jobs/bulk/new', { action: 'delete', text });
  expect([status, page.includes('<img src=x')]).toEqual([200, false]);
  expect(page).toContain('No job of this list can be taken.');
  expect(page).not.toContain('jobs/bulk/start');
  expect((await operator.show('jobs/bulk/new', { action: 'explode' })).status).toBe(404);
  // A filter that does not hold is told on the list, and is never a wider action.
  const bad = await operator.send('jobs/bulk/start', { action: 'delete', status: 'Done' });
  expect([bad.status, bad.headers.location]).toEqual([303, '/batch/dashboard/jobs?status=Done']);
  const none = await operator.send('jobs/bulk/start', { action: 'cancel', text });
  expect([none.status, none.text.includes('bulk.nothing-matches')]).toEqual([409, true]);
});

test('an action is stopped on its page, and a form of another site starts none', async () => {
  await made.queued('parar.txt');
  const forged = await operator.send(
    'jobs/bulk/start',
    { action: 'cancel', text: 'parar' },
    { 'Sec-Fetch-Site': 'cross-site' },
  );
  expect(forged.status).toBe(403);
  // A time to come is now.
  const before = String(Date.now() + 86_400_000);
  const started = await operator.send('jobs/bulk/start', { action: 'cancel', text: 'parar', before });
  const id = String(started.headers.location).split('/').at(-1) ?? '';
  expect((await bulks.get(id))?.beforeMs).toBeLessThanOrEqual(Date.now());
  expect((await operator.show(`jobs/bulk/${id}`)).text).toContain('data-live="2"');
  await operator.send(`jobs/bulk/${id}/stop`);
  expect((await bulks.get(id))?.state).toBe('Stopped');
  expect((await operator.show(`jobs/bulk/${id}`)).text).not.toContain('data-live="2"');
});
