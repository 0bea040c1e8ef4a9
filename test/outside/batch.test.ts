import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Json, openService, type Service } from './support/contract.ts';
import { SANDBOX_KEY } from './support/engine.ts';
import { file, form, pdf } from './support/files.ts';
import { REPOSITORY } from './support/programs.ts';
import { sharedEngine } from './support/shared-engine.ts';

// They need settings that a default start does not have: host.test.ts plays them.
const WITH_SETTINGS = ['startBackup', 'cancelBackup', 'getCustomerLogo'];

const { url } = sharedEngine();

let batch: Service;
beforeAll(async () => {
  batch = await openService(url, 'batch', SANDBOX_KEY);
});

const upload = async (content: File, query: Record<string, string> = {}): Promise<string> =>
  (await batch.call('uploadFile', { query, body: form({ file: content }), expect: 202 })).json.jobId;

const jobOf = async (id: string): Promise<Json> => (await batch.call('getJob', { path: { id } })).json;

const becomes = (id: string, status: string) =>
  expect.poll(async () => (await jobOf(id)).status).toBe(status);

// A remittance whose payments are in the future, as the example has it, under a name of each test's own.
const remittance = (name: string) =>
  file(readFileSync(join(REPOSITORY, 'examples/sign-folder/payments/suppliers.rem')), name, 'text/plain');

describe('the batch service', () => {
  test('is healthy and ready', async () => {
    expect((await batch.call('getHealth', { key: null })).json.healthy).toBe(true);
    expect((await batch.call('getReady', { key: null })).json.ready).toBe(true);
    expect((await batch.call('getReadyDetails')).json.ready).toBe(true);
    await batch.call('getOpenapi', { key: null });
    expect((await batch.call('listInstances')).json.instances.length).toBeGreaterThan(0);
    await batch.call('getReadyDetails', { key: null, expect: 401 });
  });

  test('signs what is uploaded by the rules of the default profile', async () => {
    const jobs = {
      'outside.txt': await upload(file('Payments', 'outside.txt', 'text/plain')),
      'outside.pdf': await upload(file(pdf('Report'), 'outside.pdf', 'application/pdf')),
      'outside.xml': await upload(file('<a>b</a>', 'outside.xml', 'application/xml')),
    };
    const starts = { 'outside.txt': '\x30', 'outside.pdf': '%PDF-', 'outside.xml': '<' };
    for (const [name, id] of Object.entries(jobs)) {
      await becomes(id, 'Completed');
      const output = await batch.call('getJobOutput', { path: { id } });
      expect(output.text.startsWith(starts[name as keyof typeof starts]), name).toBe(true);
    }
    const archive = await batch.call('getJobsArchive', { query: { id: Object.values(jobs) } });
    expect(archive.text.startsWith('PK')).toBe(true);
  });

  test('takes a file past the form, at an address that it gives', async () => {
    const content = Buffer.from('from an address');
    const body = { name: 'outside-presigned.txt', contentType: 'text/plain', size: content.length };
    const { id, url: link, method, headers } = (await batch.call('presignFile', { body })).json;
    expect((await fetch(link, { method, headers, body: content })).status).toBe(200);
    await expect
      .poll(
        async () =>
          (await batch.call('listJobs', { query: { text: 'outside-presigned' } })).json.items.length,
      )
      .toBe(1);
    await becomes(id, 'Completed');
  });

  test('lists and exports jobs', async () => {
    const { items } = (await batch.call('listJobs', { query: { status: 'Completed', pageSize: 2 } })).json;
    expect(items).toHaveLength(2);
    const workbook = await batch.call('exportJobs', { query: { status: 'Completed' } });
    expect(workbook.text.startsWith('PK')).toBe(true);
    const { items: events } = (await batch.call('listEvents', { query: { type: 'JobCompleted' } })).json;
    expect(events.length).toBeGreaterThan(2);
  });

  test('shows profiles and folders', async () => {
    const names = (await batch.call('listProfiles')).json;
    expect(names).toContain('default');
    const profile = await batch.call('getProfile', { path: { name: 'encrypted' } });
    expect(profile.text).not.toContain('sinete-local-password');
    const folders = (await batch.call('listFolders')).json;
    expect(folders.map(({ name }: Json) => name)).toEqual(
      expect.arrayContaining(['inbox', 'remessas', 'spare']),
    );
    await batch.call('rescan', { query: { folder: 'inbox' } });
  });

  test('retries a failed job', async () => {
    const id = await upload(file('No key fits', 'outside-expired.txt', 'text/plain'), { profile: 'expired' });
    await becomes(id, 'Failed');
    expect((await jobOf(id)).errorCode).toBe('job.certificate-invalid');
    const again = (await batch.call('retryJob', { path: { id }, expect: 202 })).json;
    expect(again.parentJobId).toBe(id);
    await becomes(again.newJobId, 'Failed');
  });

  test('holds jobs while it is paused, and cancels one', async () => {
    expect((await batch.call('pausePipeline', { body: { reason: 'A new certificate' } })).json.paused).toBe(
      true,
    );
    try {
      const id = await upload(file('Wait', 'outside-paused.txt', 'text/plain'));
      const canceled = await batch.call('cancelJob', { path: { id }, body: { reason: 'The wrong file.' } });
      expect(canceled.json.status).toBe('Canceled');
    } finally {
      expect((await batch.call('resumePipeline')).json.paused).toBe(false);
    }
    expect((await batch.call('getPipelineState')).json.paused).toBe(false);
  });

  test('does one action on all jobs of a filter, and stops it', async () => {
    const body = { action: 'retry', filter: { error: 'job.certificate-invalid', text: 'outside-expired' } };
    const { count } = (await batch.call('startBulk', { body: { ...body, preview: true }, expect: 200 })).json;
    expect(count).toBeGreaterThan(0);
    let id = '';
    // One that was quicker than its stop has ended.
    const stopOne = async () => {
      id = (await batch.call('startBulk', { body, expect: 202 })).json.id;
      const stopped = await batch.call('stopBulk', { path: { id }, expect: 'any' });
      return stopped.json.code ?? 'stopped';
    };
    await expect.poll(stopOne).toBe('stopped');
    const ended = await batch.call('getBulk', { path: { id } });
    expect(['Done', 'Stopped']).toContain(ended.json.status);
    expect((await batch.call('listBulks')).json.items.map((bulk: Json) => bulk.id)).toContain(id);
  });

  test('signs a payment file once people have approved it', async () => {
    const id = await upload(remittance('outside-approved.rem'), { profile: 'aprovacao' });
    await becomes(id, 'AwaitingApproval');
    for (const email of ['ana@sandbox.example', 'bruno@sandbox.example'])
      await batch.call('decide', { path: { id }, key: null, body: { email, decision: 'approved' } });
    await becomes(id, 'Completed');
    const { decisions } = (await batch.call('getApprovals', { path: { id } })).json;
    expect(decisions.map(({ decision }: Json) => decision)).toEqual(['approved', 'approved']);
  });

  test('takes notifications of the platform by their own secret', async () => {
    const body = { type: 'WebhookTest', data: {} };
    await batch.call('receiveNotification', { body, expect: 401 });
    const headers = { authorization: 'Bearer sinete-local-signer-secret' };
    const taken = await batch.call('receiveNotification', { body, headers, key: null, expect: 202 });
    expect(taken.json.outcome).toBe('ignored');
  });

  test('logs an operator in and out by a cookie', async () => {
    const body = new URLSearchParams({ ApiKey: SANDBOX_KEY, ReturnUrl: '/scalar/v1' });
    const entered = await batch.call('logIn', { body, key: null, expect: 303 });
    const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const asOperator = { key: null, headers: { cookie } };
    await batch.call('getPipelineState', asOperator);
    await batch.call('logOut', { ...asOperator, expect: 303 });
    await batch.call('getPipelineState', { ...asOperator, expect: 401 });
    await batch.call('beginIdpLogin', { key: null, expect: 302 });
    await batch.call('setCulture', {
      key: null,
      query: { culture: 'pt-BR', redirectUri: '/login' },
      expect: 303,
    });
  });

  test('shows its backups, of which a default start makes none', async () => {
    expect((await batch.call('listBackups')).json.enabled).toBe(false);
    expect((await batch.call('startBackup', { expect: 409 })).json.code).toBe('backup.disabled');
  });

  test('clears finished jobs, and measures itself', async () => {
    await batch.call('cleanUp');
    expect((await batch.call('clearJobs')).json.deleted).toBeGreaterThan(0);
    expect((await batch.call('getMetrics')).text).toContain('# TYPE');
  });

  test('was asked for every operation of its contract that a default start has', () => {
    expect(batch.unplayed()).toEqual(WITH_SETTINGS);
  });
});
