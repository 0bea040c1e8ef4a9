import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { readActivity } from '../../../../functions/batch/dashboard/sections/home/activity.ts';
import { cancelJob } from '../../../../functions/batch/jobs/domain/cancel-job.ts';
import { handler as getJob } from '../../../../functions/batch/jobs/endpoints/get-job.ts';
import { pausePipeline, resumePipeline } from '../../../../functions/batch/pipeline/domain/pipeline.ts';
import { putProfile } from '../../../../functions/batch/profiles/domain/change-profile.ts';
import { parseProfileFields } from '../../../../functions/batch/profiles/domain/fields.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { forFile } from '../../../runner/for-file.ts';
import { ask } from '../jobs/operator.ts';
import { batchStage } from '../stage.ts';
import { operatorVisitor, visitorWith } from './operator-visitor.ts';

const OPERATOR = { application: 'ana', keyId: '', permissions: [], registered: {} };

const stage = await forFile(batchStage());
vi.stubEnv('Auth__ApiKey', SANDBOX_KEY);
const operator = await operatorVisitor();

const SECTIONS = ['', 'jobs', 'upload', 'folders', 'profiles', 'approvers', 'events', 'metrics', 'readiness'];

describe('a pipeline that is paused', () => {
  afterEach(() => resumePipeline(OPERATOR, {}, Date.now()));
  const banner = 'The pipeline is paused: no job is picked up until it is resumed.';

  test('is told on every page with who paused it and why, and a link to resume it', async () => {
    const job = await stage.upload('parado.bin', 'x');
    await pausePipeline(OPERATOR, { reason: 'The <b>bank</b> is closed.' }, Date.now());
    for (const path of [...SECTIONS, 'cluster', 'backups', 'new-profile', `jobs/${job.id}`, 'jobs/none']) {
      const { text } = await operator.show(path);
      expect([path, text.includes(banner)]).toEqual([path, true]);
      expect(text).toContain('Paused by <bdi>ana</bdi>');
      expect(text).toContain('The &lt;b&gt;bank&lt;/b&gt; is closed.');
      expect(text).toContain('href="/batch/dashboard/pipeline">Resume…</a>');
    }
    // Its own page has the state and the button.
    expect((await operator.show('pipeline')).text).not.toContain(banner);
    await resumePipeline(OPERATOR, {}, Date.now());
    for (const path of SECTIONS) expect((await operator.show(path)).text).not.toContain(banner);
  });
});

describe('an address of the dashboard where nothing is', () => {
  test.each([
    ['jobs/6f1b0000-0000-4000-8000-000000000000', 'Jobs', '/batch/dashboard/jobs'],
    ['profiles/nobody', 'Profiles', '/batch/dashboard/profiles'],
    ['nothing/here', 'Overview', '/batch'],
  ])('keeps the navigation, and leads back to its section: %s', async (path, section, href) => {
    const { status, text } = await operator.show(path);
    expect(status).toBe(404);
    expect(text).toContain('<h1>Nothing is at this address</h1>');
    expect(text).toContain('<nav class="navigation"');
    expect(text).toContain(`href="${href}">Back to: ${section}</a>`);
  });

  test('shows no navigation to somebody who is not logged in', async () => {
    const { text } = await visitorWith('').send('pipeline/pause', {}, { 'Sec-Fetch-Site': 'cross-site' });
    expect(text).toContain('auth.cross-origin');
    expect(text).not.toContain('<nav class="navigation"');
  });
});

describe('a ZIP of selected jobs', () => {
  const select = (ids: readonly string[], more: Record<string, string> = {}) =>
    operator.show('jobs/selected/files', { ...more, ...(ids.length > 0 && { id: ids }) } as unknown as Record<
      string,
      string
    >);

  test('is given at once where each has a file; else the list says which have none, and keeps selection and filters', async () => {
    const signed = await stage.upload('assinado.bin', 'x');
    await stage.run();
    const waiting = await stage.upload('na-fila.bin', 'y');
    const whole = await select([signed.id]);
    expect([whole.status, whole.headers.location]).toEqual([303, `/batch/api/jobs/archive?id=${signed.id}`]);

    const { status, text } = await select([signed.id, waiting.id], { status: 'Queued' });
    expect(status).toBe(200);
    expect(text).toContain('One of the selected jobs has no signed file to download:');
    expect(text).toContain('<li><bdi>na-fila.bin</bdi></li>');
    expect(text).toContain(`href="/batch/api/jobs/archive?id=${signed.id}" download>`);
    // The list of the filter, with the selected job of it checked, and the other one kept in the form.
    expect(text).toContain('<option value="Queued" selected>');
    expect(text).toMatch(new RegExp(`id="select-${waiting.id}"[^>]* checked>`));
    expect(text).toContain(`<input type="hidden" name="id" value="${signed.id}" data-kept>`);
    expect(text).toContain('<input type="hidden" name="status" value="Queued">');
    expect(text).toContain('<nav class="navigation"');

    const none = await select([waiting.id]);
    expect(none.text).toContain('There is nothing to download.');
    expect(none.text).not.toContain('/api/jobs/archive?');
  });

  test.each([
    ['none', [], 400, 'No job is selected.'],
    ['51', Array.from({ length: 51 }, () => randomUUID()), 400, 'at most 50 jobs'],
    ['one that is gone', [randomUUID()], 404, 'There is no job with this id.'],
    ['no id', ['"><script>'], 404, 'There is no job with this id.'],
  ])('of %s is refused above the list', async (_, ids, expected, words) => {
    const { status, text } = await select(ids);
    expect(status).toBe(expected);
    expect(text).toContain(words);
    expect(text).toContain('<form class="card filters"');
    expect(text).not.toContain('<script>');
  });
});

test('formats are written as their standards write them, on every page', async () => {
  const job = await stage.upload('formato.pdf', 'x', { format: 'Pades' });
  for (const path of [`jobs/${job.id}`, 'upload', 'profiles', 'profiles/default', 'pipeline']) {
    const { text } = await operator.show(path);
    expect([path, />\s*[PCX]ades\b/.test(text)]).toEqual([path, false]);
  }
  expect((await operator.show(`jobs/${job.id}`)).text).toContain('<dd>PAdES</dd>');
  expect((await operator.show('upload')).text).toContain('<option value="Cades">CAdES</option>');
});

test('figures of today lead to the jobs of today', async () => {
  const { text } = await operator.show('');
  expect(text).toMatch(/jobs\?status=Failed&amp;failedFrom=\d{4}-\d\d-\d\d"/);
  expect(text).toContain('jobs?status=Queued"');
});

test('what was recorded is in the language of the reader, and in English at the API', async () => {
  const job = await stage.upload('frase.bin', 'x');
  await cancelJob(OPERATOR, { id: job.id, reason: 'Arquivo errado' }, Date.now());
  const inPortuguese = { 'Accept-Language': 'pt-BR' };
  const page = await operator.show(`jobs/${job.id}`, {}, inPortuguese);
  for (const text of ['<bdi>Enviado.</bdi>', '<bdi>Cancelado por ana: Arquivo errado</bdi>'])
    expect(page.text).toContain(text);
  expect(page.text).not.toContain('Canceled by');
  const events = await operator.show('events', { text: job.id }, inPortuguese);
  expect(events.text).toContain('<bdi>frase.bin: Cancelado por ana: Arquivo errado</bdi>');
  expect((await operator.show('readiness', {}, inPortuguese)).text).toContain('O armazenamento responde.');
  await putProfile('test', parseProfileFields({ name: 'sem-chave' }), Date.now());
  for (const path of ['profiles', 'profiles/sem-chave', 'readiness', ''])
    expect((await operator.show(path, {}, inPortuguese)).text).toContain('Não tem chave');

  const answer = await ask(getJob, { params: { id: job.id } });
  const { history, errorMessage } = answer.json() as { history: object[]; errorMessage: string };
  expect(errorMessage).toBe('Canceled by ana: Arquivo errado');
  expect(history.map((entry) => Object.keys(entry))).toEqual(
    Array.from({ length: 2 }, () => ['id', 'timestamp', 'status', 'message']),
  );
});

test('what ended lately is drawn, and told as a table', async () => {
  const nowMs = Date.now();
  const before = await readActivity(nowMs);
  const sumOf = (parts: typeof before.hours) => parts.reduce((sum, { completed }) => sum + completed, 0);
  expect([before.hours.length, before.days.length]).toEqual([24, 7]);
  await stage.upload('desenho.bin', 'x');
  await stage.run();
  const after = await readActivity(Date.now());
  expect(sumOf(after.hours) - sumOf(before.hours)).toBeGreaterThan(0);
  expect(sumOf(after.days)).toBeGreaterThanOrEqual(sumOf(after.hours) - sumOf(before.hours));
  const { text } = await operator.show('', {}, { 'Accept-Language': 'pt-BR' });
  expect(text).toContain('Últimas 24 horas');
  expect(text.match(/<rect class="good"/g)?.length).toBeGreaterThan(1);
  expect(text).toContain('<th scope="col">Com falha</th>');
});

test('problems of the editor name the fields by their labels', async () => {
  const { text } = await operator.send('profiles/new', {
    name: 'Wrong Name',
    method: 'Local',
    approval: 'true',
    'approval.approvers.0.name': 'Ana',
    'approval.approvers.0.email': 'ana',
  });
  expect(text).toContain('<a href="#approval.quorum">Approvals needed</a>');
  expect(text).toContain('<a href="#approval.approvers.0.email">Approver 1, E-mail</a>');
});
