import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { handler as decideHandler } from '../../../../functions/batch/approvals/endpoints/decide.ts';
import { handler as getApprovePage } from '../../../../functions/batch/approvals/endpoints/get-approve-page.ts';
import { call } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { FORM } from '../auth/operator.ts';
import { ANA, BRUNO } from './approval-stage.ts';
import { BROWSER, LINK_SECRET, portalStage } from './portal/visit.ts';

const stage = await forFile(portalStage());
afterEach(() => {
  vi.stubEnv('ApproverSecondFactor__Enabled', 'false');
  vi.stubEnv('ApproverPortal__LinkSecret', LINK_SECRET);
});

const show = (id: string) => call(getApprovePage, { params: { id }, headers: BROWSER });
const send = (id: string, form: Record<string, string>, headers: Record<string, string> = BROWSER) =>
  call(decideHandler, {
    params: { id },
    address: randomUUID(),
    headers: { 'Content-Type': FORM, ...headers },
    body: String(new URLSearchParams(form)),
  });

describe('the page for a decision without a session', () => {
  test('is the same for any id, and shows nothing of any job', async () => {
    const job = await stage.parked('segredo.rem');
    const pageOf = async (id: string) => {
      const { status, text } = await show(id);
      expect(status).toBe(200);
      return text.replaceAll(encodeURIComponent(id), 'ID');
    };
    const shown = await pageOf(job.id);
    expect(shown).not.toContain('segredo');
    for (const id of [randomUUID(), 'not-an-id', '"><script>']) expect(await pageOf(id)).toBe(shown);
  });

  test('asks for address, decision and reason, and leads to where the payments are shown', async () => {
    const job = await stage.parked();
    const { text } = await show(job.id);
    expect(text).toContain(`action="/batch/api/approvals/${job.id}"`);
    for (const name of ['email', 'decision', 'reason']) expect(text).toContain(`name="${name}"`);
    expect(text).not.toContain('checked');
    expect(text).toContain(`href="/batch/approvals/jobs/${job.id}"`);
    vi.stubEnv('ApproverPortal__LinkSecret', '');
    const without = await show(job.id);
    expect(without.text).toContain('<form');
    expect(without.text).not.toContain('/batch/approvals/jobs/');
  });

  test('asks for nothing where a second factor is enabled: decisions are made in the portal', async () => {
    vi.stubEnv('ApproverSecondFactor__Enabled', 'true');
    const job = await stage.parked();
    const { text } = await show(job.id);
    expect(text).not.toMatch(/<form|name="decision"/);
    expect(text).toContain(`href="/batch/approvals/jobs/${job.id}"`);
    vi.stubEnv('ApproverPortal__LinkSecret', '');
    const without = await show(job.id);
    expect(without.text).toContain('Nobody can sign in to the approver portal yet.');
    expect(without.text).not.toContain('<form');
  });
});

describe('a form in a browser that decides without a session', () => {
  test('is recorded, and answered with a page', async () => {
    const job = await stage.parked();
    const form = { email: ANA.email, decision: 'approved', reason: '' };
    const { status, headers, text } = await send(job.id, form);
    expect([status, headers['content-type']]).toEqual([201, 'text/html; charset=utf-8']);
    expect(text).toContain('The file has 1 of 2 approvals.');
    expect((await stage.job(job.id)).approval?.decisions).toMatchObject([
      { verdict: 'approved', reason: null, method: 'SelfDeclaredEmail' },
    ]);
    const rejection = await send(job.id, {
      email: BRUNO.email,
      decision: 'rejected',
      reason: 'Wrong payee.',
    });
    expect(rejection.text).toContain('The file will not be signed.');
  });

  test('is told in words why it was refused', async () => {
    const job = await stage.parked();
    const typed = { email: 'eve@evil.example', decision: 'rejected', reason: 'Because & so.' };
    const { status, text } = await send(job.id, typed);
    expect(status).toBe(403);
    expect(text).toContain('This address may not decide on this file.');
    expect((await send(randomUUID(), typed)).status).toBe(404);
    expect((await send(job.id, { ...typed, decision: 'maybe' })).status).toBe(400);
    expect((await send(job.id, { ...typed, reason: 'x'.repeat(513) })).text).toContain('too long');
  });

  test('is refused where a second factor is enabled', async () => {
    const job = await stage.parked();
    vi.stubEnv('ApproverSecondFactor__Enabled', 'true');
    const refused = await send(job.id, { email: ANA.email, decision: 'approved' });
    expect([refused.status, refused.text.includes(`href="/batch/approvals/jobs/${job.id}"`)]).toEqual([
      403,
      true,
    ]);
  });

  test('is sent by no other site', async () => {
    const job = await stage.parked();
    const form = { email: ANA.email, decision: 'approved' };
    const { status, text } = await send(job.id, form, { ...BROWSER, 'Sec-Fetch-Site': 'cross-site' });
    expect([status, text.includes('Another site sent this')]).toEqual([403, true]);
    const program = await send(job.id, form, { Origin: 'https://evil.example' });
    expect(program.json()).toMatchObject({ code: 'auth.cross-origin' });
    expect((await stage.job(job.id)).approval?.decisions).toEqual([]);
    // A form of the page itself, and one that no browser sends.
    expect((await send(job.id, form, { Origin: 'null', 'Sec-Fetch-Site': 'same-origin' })).status).toBe(200);
    expect((await send(job.id, { ...form, email: BRUNO.email }, {})).status).toBe(200);
  });
});
