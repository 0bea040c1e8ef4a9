import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { type Job, jobs } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { movingJob } from '../../../../functions/batch/jobs/domain/job/move-job.ts';
import { putProfile } from '../../../../functions/batch/profiles/domain/change-profile.ts';
import { parseProfileFields } from '../../../../functions/batch/profiles/domain/fields.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { batchClient } from '../../../bench/measure/batch-client.ts';
import { joinEngine } from '../../../infra/local/engine/crowd.ts';
import { secondsUntil } from '../../../infra/local/engine/kills/killed-work.ts';
import { type SharedEngine, sharedEngine } from '../../../servers/shared-engine.ts';
import { barriersInBothSchemes } from '../../barriers.ts';
import { click, describeInChromium, openBrowser } from '../../chromium.ts';
import { expectFits, PHONE_IN_PORTUGUESE } from '../../look.ts';
import { operatorVisits, storeJobs } from './visits.ts';

// Names and texts as an attacker, or a careless script, writes them.
const MARKUP = '<img src=x onerror="document.title=1">&amp;<b>"\'';
const TURNED = '\u202Efdp.oiráler\u202C';
const LONG = 'x'.repeat(1_000);
const PROFILE = 'dashboard-jobs';

describeInChromium('the jobs of the dashboard, in Chromium', () => {
  let engine: SharedEngine;
  let browser: Browser;
  let at: ReturnType<typeof operatorVisits>;

  beforeAll(async () => {
    [browser, engine] = await Promise.all([openBrowser(), sharedEngine()]);
    joinEngine(engine.dataDir);
    at = operatorVisits(browser, engine.url);
    await putProfile('test', parseProfileFields({ name: PROFILE }), Date.now());
    const completed = { state: 'Completed', profileName: PROFILE } as const;
    const many = Array.from({ length: 54 }, (_, n) => ({ ...completed, fileName: `nota-${n}.pdf` }));
    await storeJobs([...many, hostile(), parked(), dispatched()]);
  }, 120_000);

  const hostile = (): Partial<Job> => ({
    fileName: `${MARKUP}${TURNED}${LONG}.pdf`,
    profileName: PROFILE,
    state: 'Failed',
    errorCode: 'cnab240.invalid',
    errorMessage: `Line 3: ${MARKUP}${TURNED}${LONG}`,
    externalReference: MARKUP,
    history: [
      { id: 1, timestamp: new Date().toISOString(), status: 'Failed', message: `${MARKUP}${TURNED}${LONG}` },
    ],
  });

  const PEOPLE = [
    { name: `Ana ${MARKUP}`, email: 'ana@dashboard.example', cpf: '52998224725' },
    { name: 'Bruno Lima', email: 'bruno@dashboard.example', cpf: '47363361886' },
  ];

  const parked = (): Partial<Job> => ({
    fileName: `folha-${randomUUID()}.rem`,
    profileName: PROFILE,
    state: 'AwaitingApproval',
    cnab240: {
      ...{ totalCentavos: 12_345_678, totalFormatted: 'R$ 123.456,78', paymentCount: 3 },
      ...{ cancellationCount: 1, earliestPaymentDate: '2026-12-01', latestPaymentDate: '2026-12-31' },
      contentSha256: 'a'.repeat(64),
    },
    approval: {
      ...{ quorum: 2, signerSet: 'Profile', approvers: PEOPLE, contentSha256: 'a'.repeat(64) },
      ...{ parkedAtMs: Date.now(), expiresAfterSeconds: 172_800 },
      decisions: [
        {
          ...{ approver: { ...PEOPLE[0] } as (typeof PEOPLE)[0] & {}, verdict: 'approved', reason: MARKUP },
          ...{ method: 'LinkDerivedEmail', isSigned: false, contentSha256: 'a'.repeat(64) },
          ...{ decidedAtMs: Date.now(), ipAddress: '192.0.2.1', userAgent: 'x' },
        },
      ],
    },
  });

  const dispatched = (): Partial<Job> => ({
    fileName: `contrato-${randomUUID()}.pdf`,
    profileName: PROFILE,
    state: 'Canceled',
    dispatch: {
      ...{ begunAtMs: Date.now(), documentId: 'd2a1f0c4-6b1e-4a55-8f0e-3c9b7e5d2a18', failedPolls: 2 },
      ...{ waitingSinceMs: Date.now(), cpfs: ['52998224725'], isCanceledThere: false },
    },
  });

  /** A job that has really failed, and whose input is there. */
  async function failedJob(): Promise<{ id: string; name: string }> {
    const name = `falha-${randomUUID()}.pdf`;
    const id = await batchClient(engine.url).upload(name, [Buffer.from('%PDF-')], '?profile=expired');
    const headers = { 'x-api-key': SANDBOX_KEY };
    await secondsUntil(async () => {
      const answer = await fetch(`${engine.url}/batch/api/jobs/${id}`, { headers });
      return ((await answer.json()) as { status: string }).status === 'Failed';
    }, 60);
    return { id, name };
  }

  const store = async (fields: Partial<Job>): Promise<Stored<Job>> => {
    const [job] = await storeJobs([fields]);
    if (!job) throw new Error('No job was stored.');
    return job;
  };

  test('show no barrier and fit every screen', async () => {
    const { page, seen, close } = await at.visit(`jobs?profile=${PROFILE}`, PHONE_IN_PORTUGUESE);
    const goTo = (path: string) => page.goto(`${engine.url}/batch/dashboard/${path}`);
    await click(page.getByRole('link', { name: 'Próxima' }));
    await page.waitForURL(/page=2/);
    expect(await page.locator('tbody tr').count()).toBeGreaterThanOrEqual(7);
    // Its status has the longest words.
    await goTo(`jobs?profile=${PROFILE}&text=folha`);
    await at.look(page, 'jobs', barriersInBothSchemes);
    await goTo(`jobs?profile=${PROFILE}&status=Failed`);
    await click(page.getByRole('link', { name: 'onerror' }));
    expect(await page.locator('h1 bdi').textContent()).toBe(`${MARKUP}${TURNED}${LONG}.pdf`);
    expect(await page.locator('img:not(.logo)').count()).toBe(0);
    await click(page.getByText('Excluir…'));
    await at.look(page, 'failed-job', barriersInBothSchemes);
    await goTo(`jobs?profile=${PROFILE}&status=AwaitingApproval&text=folha`);
    await click(page.getByRole('link', { name: 'folha' }).first());
    await page.getByText('***.982.247-**').waitFor();
    expect(await page.content()).not.toContain('52998224725');
    await click(page.getByText('Cancelar…'));
    await at.look(page, 'waiting-job');
    await goTo(`jobs?profile=${PROFILE}&status=Canceled`);
    await click(page.getByRole('link', { name: 'contrato' }).first());
    await page.getByText('d2a1f0c4-6b1e-4a55-8f0e-3c9b7e5d2a18').waitFor();
    await expectFits(page, 'dispatched-job');
    expect(seen).toEqual({ outside: [], errors: [] });
    await goTo('jobs?from=2026-13-01&status=Done&profile=nobody');
    await at.look(page, 'bad-filter');
    await goTo('jobs/selected/files');
    await page.getByRole('alert').getByText('job.archive-empty').waitFor();
    await expectFits(page, 'none-selected');
    await close();
  });

  test('need no script to be found, canceled, retried and deleted', async () => {
    const name = `espera-${randomUUID()}.pdf`;
    const [waiting, failed] = [await store({ fileName: name, state: 'AwaitingSigner' }), await failedJob()];
    const { page, seen, close } = await at.visit('jobs', { javaScriptEnabled: false });
    await page.getByLabel('File, id, reference').fill(name);
    await click(page.getByRole('button', { name: 'Search' }));
    expect(new URL(page.url()).searchParams.get('text')).toBe(name);
    await click(page.getByRole('link', { name }));
    await click(page.getByText('Cancel…'));
    await page.getByLabel('Reason (optional)').fill(MARKUP);
    await click(page.getByRole('button', { name: 'Cancel this job' }));
    await page.getByText('The job was canceled.').waitFor();
    expect((await jobs.get(waiting.id))?.history.at(-1)?.message).toBe(`Canceled by operator: ${MARKUP}`);
    // As the reason, and in the history.
    expect(await page.getByText(`Canceled by operator: ${MARKUP}`).count()).toBe(2);
    await click(page.getByText('Delete…'));
    await click(page.getByRole('button', { name: 'Delete this job for good' }));
    await page.getByText('The job was deleted').waitFor();
    expect(await jobs.get(waiting.id)).toBeUndefined();

    await page.goto(`${engine.url}/batch/dashboard/jobs/${failed.id}`);
    await click(page.getByRole('button', { name: 'Retry' }));
    await page.getByText('This job retries the failed one.').waitFor();
    const retriedAs = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    expect(retriedAs).not.toBe(failed.id);
    // Each of the two leads to the other.
    await click(page.getByRole('link', { name: failed.id }));
    await page.getByText('Retried as', { exact: true }).waitFor();
    await click(page.getByRole('link', { name: retriedAs }));
    await page.getByRole('link', { name: failed.id }).waitFor();
    expect(seen).toEqual({ outside: [], errors: [] });
    await close();
  });

  test('say at its place what is wrong with an action', async () => {
    const job = await store({ state: 'AwaitingSigner' });
    const { page, close } = await at.visit(`jobs/${job.id}`);
    await click(page.getByText('Cancel…'));
    await page.evaluate("document.getElementById('reason').maxLength = 9999");
    await page.getByLabel('Reason (optional)').fill(LONG);
    await click(page.getByRole('button', { name: 'Cancel this job' }));
    await page.locator('.field-problem').waitFor();
    expect(await page.getByLabel('Reason (optional)').inputValue()).toBe(LONG);
    // Another operator is faster.
    await page.getByLabel('Reason (optional)').fill('Late.');
    const { after, writes } = movingJob(job, { event: 'signerTimedOut', message: 'Late.' }, Date.now());
    await commit(writes);
    await click(page.getByRole('button', { name: 'Cancel this job' }));
    await page.getByText('The job can no longer be canceled').waitFor();
    expect((await jobs.get(after.id))?.state).toBe('Failed');
    await page.goto(`${engine.url}/batch/dashboard/jobs/${randomUUID()}`);
    await page.getByText('There is no job with this id.').waitFor();
    await close();
  });

  test('give the selected ones as a workbook, and say in the list which of them have no file for a ZIP', async () => {
    const { page, close } = await at.visit(`jobs?profile=${PROFILE}&status=Failed`);
    await page.getByLabel(/^Select <img/).check();
    expect(await page.locator('[data-selected-count]').textContent()).toBe('1');
    const download = page.waitForEvent('download');
    await click(page.getByRole('button', { name: 'Workbook (.xlsx)' }));
    expect((await download).suggestedFilename()).toBe('jobs.xlsx');
    await click(page.getByRole('button', { name: 'Signed files (.zip)' }));
    await page.getByRole('alert').getByText('One of the selected jobs has no signed file').waitFor();
    // The list, its filter and the selection are as they were.
    expect(await page.getByLabel('Status').inputValue()).toBe('Failed');
    expect(await page.getByLabel(/^Select <img/).isChecked()).toBe(true);
    expect(await page.locator('[data-selected-count]').textContent()).toBe('1');
    await page.getByRole('navigation', { name: 'Dashboard' }).waitFor();
    await at.look(page, 'zip-without-file');
    // The list is kept up to date as itself, and a box that is unchecked stays so.
    await page.getByLabel(/^Select <img/).uncheck();
    const asked = page.waitForRequest((request) =>
      new URL(request.url()).pathname.endsWith('/dashboard/jobs'),
    );
    await asked;
    expect(await page.getByLabel(/^Select <img/).isChecked()).toBe(false);
    await close();
  });

  test('begin on the first screen: the filters are low', async () => {
    const { page, close } = await at.visit(`jobs?profile=${PROFILE}`);
    const table = await page.getByRole('table').boundingBox();
    // Another test may have paused the pipeline, which every page tells above its heading.
    const heading = await page.getByRole('heading', { level: 1 }).boundingBox();
    expect((table?.y ?? Number.POSITIVE_INFINITY) - (heading?.y ?? 0)).toBeLessThan(300);
    const [field, button] = await Promise.all([
      page.getByLabel('Order').boundingBox(),
      page.getByRole('button', { name: 'Search' }).boundingBox(),
    ]);
    expect(Math.abs((field?.y ?? 0) - (button?.y ?? 99))).toBeLessThan(4);
    await close();
  });

  const topOf = (page: Page, id: string): Promise<number> =>
    page.locator(`#job-${id}`).evaluate((element) => element.getBoundingClientRect().top) as Promise<number>;

  test('hundreds of them change while the list is open: selection, focus and place stay', async () => {
    const name = `muitos-${randomUUID().slice(0, 8)}`;
    const made = await storeJobs(
      Array.from({ length: 140 }, (_, n) => ({
        fileName: `${name}-${n}.pdf`,
        state: 'AwaitingSigner' as const,
      })),
    );
    const { page, seen, close } = await at.visit(`jobs?text=${name}`);
    const rows = page.locator('tbody tr');
    expect(await rows.count()).toBe(50);
    const idAt = async (n: number) => (await rows.nth(n).getByRole('checkbox').getAttribute('value')) ?? '';
    const [first, focused, last] = [await idAt(2), await idAt(30), await idAt(48)];
    for (const id of [first, focused, last]) await page.locator(`#select-${id}`).check();
    await page.locator(`#job-${focused}`).focus();
    await page.locator(`#job-${focused}`).scrollIntoViewIfNeeded();
    const before = await topOf(page, focused);
    // Ten new ones push the last selected one to the next page.
    await storeJobs(
      Array.from({ length: 10 }, (_, n) => ({
        fileName: `${name}-neu-${n}.pdf`,
        state: 'AwaitingSigner' as const,
      })),
    );
    for (let from = 0; from < made.length; from += 10) {
      const some = made.slice(from, from + 10);
      const step = { event: 'signerTimedOut', message: 'Late.' } as const;
      await commit(some.flatMap((job) => [...movingJob(job, step, Date.now()).writes]));
    }
    await page.locator('tbody tr', { hasText: 'Failed' }).nth(39).waitFor();
    await page.getByText('150 jobs').waitFor();
    expect(await page.evaluate('document.activeElement?.id')).toBe(`job-${focused}`);
    expect(Math.abs((await topOf(page, focused)) - before)).toBeLessThan(2);
    expect(await page.locator(`#select-${focused}`).isChecked()).toBe(true);
    expect(await page.locator(`#select-${last}`).count()).toBe(0);
    expect(await page.locator('[data-selected-count]').textContent()).toBe('3');
    const sent = page.waitForRequest(/jobs\/selected\/files/);
    await click(page.getByRole('button', { name: 'Signed files (.zip)' }));
    const ids = new URL((await sent).url()).searchParams.getAll('id');
    expect(ids.toSorted()).toEqual([first, focused, last].toSorted());
    expect(seen.outside).toEqual([]);
    await close();
  });

  test('one is followed until it ends, and what is typed meanwhile stays', async () => {
    const job = await store({ state: 'AwaitingApproval' });
    const { page, close } = await at.visit(`jobs/${job.id}`);
    await click(page.getByText('Cancel…'));
    await page.getByLabel('Reason (optional)').fill('Half a rea');
    await click(page.getByRole('heading', { level: 1 }));
    const noted = { ...job, history: [...job.history, { ...job.history[0], id: 2, message: 'Seen.' }] };
    const change = jobs.changing(job, { history: noted.history as Job['history'] });
    await commit([change]);
    await page.getByText('Seen.').waitFor();
    expect(await page.getByLabel('Reason (optional)').inputValue()).toBe('Half a rea');
    const step = { event: 'approvalExpired', message: 'Expired.' } as const;
    await commit([...movingJob(change.after, step, Date.now()).writes]);
    await page.getByText('Expired.').first().waitFor();
    expect(await page.locator('[data-live]').count()).toBe(0);
    await close();
  });

  test('of a session that ends midway say so, and lead back after the login', async () => {
    const job = await store({ state: 'AwaitingSigner' });
    const { context, page, close } = await at.visit(`jobs/${job.id}`);
    await context.request.post(`${engine.url}/batch/api/auth/logout`, { maxRedirects: 0 });
    await page.locator('#session-ended').waitFor({ state: 'visible' });
    await click(page.getByText('Cancel…'));
    await click(page.getByRole('button', { name: 'Cancel this job' }));
    await page.getByLabel('Operator key').fill(SANDBOX_KEY);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/batch/dashboard/jobs/${job.id}`);
    expect((await jobs.get(job.id))?.state).toBe('AwaitingSigner');
    await close();
  });
});
