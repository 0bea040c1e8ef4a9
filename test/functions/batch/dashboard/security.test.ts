import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { handler as logOut } from '../../../../functions/batch/auth/endpoints/log-out.ts';
import { NEVER_PAUSED, pipelines } from '../../../../functions/batch/pipeline/domain/pipeline.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { call } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { enterPortal, LINK_SECRET } from '../approvals/portal/visit.ts';
import { withCookie } from '../auth/operator.ts';
import { batchStage } from '../stage.ts';
import { operatorVisitor, visitorWith } from './operator-visitor.ts';

const ANA = { name: 'Ana Souza', email: 'ana@security.example', cpf: '52998224725' };

const stage = await forFile(batchStage());
vi.stubEnv('Auth__ApiKey', SANDBOX_KEY);
vi.stubEnv('ApproverPortal__LinkSecret', LINK_SECRET);
await stage.profile({ name: 'guarded', checkCnab240: true, approval: { quorum: 1, approvers: [ANA] } });
beforeEach(async () => {
  expect(await stateOfPipeline()).toBe('Running');
});

const stateOfPipeline = async (): Promise<string> =>
  ((await pipelines.get('pipeline')) ?? NEVER_PAUSED).state;

describe('a form of the dashboard', () => {
  test.each([
    ['Sec-Fetch-Site: cross-site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['Sec-Fetch-Site: same-site, which is another port', { 'Sec-Fetch-Site': 'same-site' }],
    [
      'another Origin, from a browser without Sec-Fetch-Site',
      { 'Sec-Fetch-Site': '', Origin: 'https://evil.example' },
    ],
  ])('that another site forged is refused and changes nothing: %s', async (_, headers) => {
    const { send } = await operatorVisitor();
    const { status, text } = await send('pipeline/pause', { reason: 'forged' }, headers);
    expect(status).toBe(403);
    expect(text).toContain('auth.cross-origin');
    expect(await stateOfPipeline()).toBe('Running');
  });

  test("with an approver's cookie leads to the login and changes nothing", async () => {
    const { cookie } = await enterPortal(ANA);
    for (const value of [`lbs-approver=${cookie}`, `lbs-auth=${cookie}`]) {
      const { status, headers } = await visitorWith(value).send('pipeline/pause', { reason: 'approver' });
      expect(status).toBe(303);
      expect(headers.location).toContain('/batch/login?');
    }
    expect(await stateOfPipeline()).toBe('Running');
  });

  test('with the cookie of a session that has ended leads to the login and changes nothing', async () => {
    const { session, send, show } = await operatorVisitor();
    expect((await show('pipeline')).status).toBe(200);
    await call(logOut, { method: 'POST', ...withCookie(session) });
    const { status, headers } = await send('pipeline/pause', { reason: 'old' });
    expect(status).toBe(303);
    const to = new URL(String(headers.location), 'http://localhost');
    expect([to.pathname, to.searchParams.get('problem')]).toEqual(['/batch/login', 'session-ended']);
    expect(to.searchParams.get('ReturnUrl')).toBe('/batch/dashboard/pipeline');
    expect(await stateOfPipeline()).toBe('Running');
  });

  test.each([
    ['profiles/{name}/enable', `profiles/${'a'.repeat(5_000)}/enable`, {}, 404],
    ['approvers/reset', 'approvers/reset', { address: `${'a'.repeat(5_000)}@x.example` }, 409],
    ['approvers/link', 'approvers/link', { address: 'a'.repeat(5_000) }, 404],
    ['jobs/{id}/delete', `jobs/${'a'.repeat(5_000)}/delete`, {}, 404],
    ['folders/rescan', 'folders/rescan', { folder: 'a'.repeat(5_000) }, 404],
  ])('with a name longer than a key of the store finds nothing: %s', async (_, path, fields, expected) => {
    const { send } = await operatorVisitor();
    expect((await send(path, fields)).status).toBe(expected);
  });

  test('of the operator does what it says, so that the refusals above are no accident', async () => {
    const { send } = await operatorVisitor();
    const { status, headers } = await send('pipeline/pause', { reason: 'Renewal' });
    expect([status, headers.location]).toEqual([303, '/batch/dashboard/pipeline?done=paused']);
    expect(await stateOfPipeline()).toBe('Paused');
    await send('pipeline/resume');
  });
});

describe('a link to a page of the dashboard', () => {
  test('with an unknown word in done shows nothing', async () => {
    const { show } = await operatorVisitor();
    for (const done of [randomUUID(), 'constructor', '__proto__', 'Call+555-0100'])
      expect((await show('pipeline', { done })).text).not.toContain('role="status"');
    expect((await show('pipeline', { done: 'paused' })).text).toContain('role="status"');
  });

  test('cannot put words on it', async () => {
    const { show } = await operatorVisitor();
    const words = 'Call 555-0100 <b>now</b>';
    const texts = await Promise.all([
      show('folders', { done: 'rescanned', scanned: words, enqueued: words, errors: '7' }),
      show('pipeline', { done: 'cleaned', jobsDeleted: words, message: words, reason: words }),
      show('pipeline', { done: 'cleared', deleted: words, skipped: words }),
      show('approvers', { done: 'reset', address: words, link: words }),
      show('profiles/guarded', { done: 'saved', problem: words, name: words }),
      show('metrics', { text: words }),
    ]);
    for (const { status, text } of texts) {
      expect(status).toBe(200);
      // The choice of a language leads back to the same address, in which the words are encoded.
      expect(text).not.toContain('555-0100 ');
      expect(text).not.toContain('<b>now');
    }
    expect(texts[0]?.text).toContain('Files found: 0');
    expect(texts[0]?.text).toContain('Errors: 7');
  });

  test('shows the words of a filter in its field alone', async () => {
    const { show } = await operatorVisitor();
    const { text } = await show('events', { text: '"><b>now</b>', type: '<b>now</b>' });
    expect(text).not.toContain('<b>now');
    expect(text).toContain('value="&quot;&gt;&lt;b&gt;now&lt;/b&gt;"');
  });
});
