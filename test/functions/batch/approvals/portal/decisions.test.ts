import { describe, expect, test } from 'vitest';
import { handler as getJob } from '../../../../../functions/batch/approvals/endpoints/get-approval-job.ts';
import { jobs, requireJob } from '../../../../../functions/batch/jobs/domain/job/job.ts';
import { call } from '../../../../requests/http-event.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { ANA, BRUNO, CARLA } from '../approval-stage.ts';
import { BROWSER, enterPortal, portalStage, titleOf } from './visit.ts';

const stage = await forFile(portalStage());

describe('a decision in the portal', () => {
  test('is recorded by the method of the session, and confirmed on the page of the job', async () => {
    const job = await stage.parked();
    const ana = await enterPortal(ANA);
    const { status, headers } = await ana.decide(job.id, { decision: 'approved' });
    expect([status, headers.location]).toEqual([303, `/batch/approvals/jobs/${job.id}?recorded=approved`]);
    expect((await stage.job(job.id)).approval?.decisions).toMatchObject([
      { approver: ANA, verdict: 'approved', method: 'LinkDerivedEmail', reason: null },
    ]);
    const { text } = await ana.job(job.id, { recorded: 'approved' });
    expect(text).toContain('Your approval was recorded.');
    expect(text).not.toContain('name="decision"');
  });

  test('is not confirmed by an address that lies', async () => {
    const job = await stage.parked();
    const ana = await enterPortal(ANA);
    expect((await ana.job(job.id, { recorded: 'approved' })).text).not.toContain('was recorded');
    await ana.decide(job.id, { decision: 'approved' });
    expect((await ana.job(job.id, { recorded: 'rejected' })).text).not.toContain('was recorded');
    const bruno = await enterPortal(BRUNO);
    expect((await bruno.job(job.id, { recorded: 'approved' })).text).not.toContain('was recorded');
  });

  test('to reject needs a reason, and says so at the field', async () => {
    const job = await stage.parked();
    const ana = await enterPortal(ANA);
    for (const reason of ['', ' \r\n ']) {
      const { status, text } = await ana.decide(job.id, { decision: 'rejected', reason });
      expect(status).toBe(400);
      expect(text).toContain('aria-describedby="reason-problem reason-hint" aria-invalid="true"');
      expect(text).toContain('Write why you reject the file.');
    }
    const long = await ana.decide(job.id, { decision: 'rejected', reason: `<i>${'x'.repeat(512)}` });
    expect(long.status).toBe(400);
    expect(long.text).toContain('The reason is too long.');
    expect(long.text).toContain(`&lt;i&gt;${'x'.repeat(512)}</textarea>`);
    expect((await stage.job(job.id)).approval?.decisions).toEqual([]);
    // A browser counts a line break as one character and sends two.
    const lines = `${'\r\n'.repeat(10)}`;
    const reason = `a${lines}${'b'.repeat(512 - 11)}`;
    expect((await ana.decide(job.id, { decision: 'rejected', reason })).status).toBe(303);
    expect(await stage.job(job.id)).toMatchObject({ state: 'Canceled', isRejected: true });
  });

  test.each(['maybe', ''])('of "%s" is none', async (decision) => {
    const job = await stage.parked();
    const { status, text } = await (await enterPortal(ANA)).decide(job.id, { decision });
    expect([status, text.includes('Choose whether you approve or reject.')]).toEqual([400, true]);
  });

  test('that comes too late or twice is refused on the page of the job', async () => {
    const job = await stage.parked();
    const ana = await enterPortal(ANA);
    await ana.decide(job.id, { decision: 'approved' });
    const twice = await ana.decide(job.id, { decision: 'rejected', reason: 'No.' });
    expect([twice.status, titleOf(twice.text)]).toEqual([409, job.fileName]);
    expect(twice.text).toContain('A decision is final.');
    await stage.decide(job.id, { email: BRUNO.email });
    const late = await (await enterPortal(CARLA)).decide(job.id, { decision: 'approved' });
    expect([late.status, late.text.includes('no longer waits for a decision')]).toEqual([409, true]);
  });

  test('posted from another site is refused, with the cookie and all', async () => {
    const job = await stage.parked();
    const ana = await enterPortal(ANA);
    for (const site of ['cross-site', 'same-site']) {
      const { status, text } = await ana.decide(job.id, { decision: 'approved' }, { 'Sec-Fetch-Site': site });
      expect([status, text.includes('auth.cross-origin')]).toEqual([403, true]);
    }
    expect((await stage.job(job.id)).approval?.decisions).toEqual([]);
    const program = { Accept: 'application/json', 'Sec-Fetch-Site': 'cross-site' };
    expect((await ana.decide(job.id, { decision: 'approved' }, program)).json()).toMatchObject({
      code: 'auth.cross-origin',
    });
  });

  test('that is no form is refused by a page', async () => {
    const job = await stage.parked();
    const { status, text } = await (await enterPortal(ANA)).decide(
      job.id,
      {},
      { 'Content-Type': 'text/plain' },
    );
    expect([status, text.includes('request.media-type')]).toEqual([415, true]);
  });

  test('to approve takes a signature where the signer set has approvers; to reject takes none', async () => {
    const { id } = await stage.parked();
    const stored = await requireJob(id);
    if (!stored.approval) throw new Error('The job waits for approval.');
    await jobs.change(stored, { approval: { ...stored.approval, signerSet: 'ProfileAndApprovers' } });
    const ana = await enterPortal(ANA);
    const { text } = await ana.job(id);
    expect([text.includes('value="approved"'), text.includes('value="rejected"')]).toEqual([false, true]);
    const refused = await ana.decide(id, { decision: 'approved' });
    expect([refused.status, refused.text.includes('you sign it with your certificate')]).toEqual([403, true]);
    expect((await ana.decide(id, { decision: 'rejected', reason: 'No.' })).status).toBe(303);
  });

  test('needs a session', async () => {
    const job = await stage.parked();
    const { status } = await call(getJob, { params: { id: job.id }, headers: BROWSER });
    expect(status).toBe(401);
  });
});
