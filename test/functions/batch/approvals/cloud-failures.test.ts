import { afterEach, describe, expect, test, vi } from 'vitest';
import { attempts } from '../../../../functions/batch/approvals/domain/signatures/attempt.ts';
import { handler as returnFromCloud } from '../../../../functions/batch/approvals/endpoints/return-from-cloud.ts';
import { call } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { captureLog } from '../../session/captured-log.ts';
import { ANA, BRUNO } from './approval-stage.ts';
import { cloudStage, cloudSteps } from './cloud-stage.ts';

const stage = await forFile(cloudStage());
afterEach(() => {
  vi.useRealTimers();
  stage.hub.interfere = () => undefined;
  stage.hub.calls.length = 0;
});

const { counted, onTheWayBack, decisionsOf } = cloudSteps(() => stage);

describe('a hub', () => {
  const SILENT = 'silence' as const;
  const FAILED = { status: 500, body: '"ProviderUnavailable"' };
  const REFUSED = { status: 422, body: '{"code":"UnauthorizedRedirectUri","message":"x"}' };
  const GARBAGE = { status: 200, body: '<html>' };

  test.each([
    ['hangs', SILENT],
    ['fails', FAILED],
    ['refuses', REFUSED],
    ['answers something else', GARBAGE],
  ])('that %s when a signature begins leads back to the job', async (_, interference) => {
    const id = await stage.toSign();
    const browser = await stage.browserOf(ANA);
    stage.hub.interfere = () => interference;
    expect(
      await counted(async () => {
        const { headers } = await stage.begin(browser, id, {}, 5_500);
        expect(headers.location).toBe(`/batch/approvals/jobs/${id}?problem=provider-failed`);
      }),
    ).toEqual({ 'provider-failed': 1 });
  });

  test.each([
    ['custom-state', SILENT],
    ['certificate', SILENT],
    ['sign-hash', SILENT],
    ['custom-state', FAILED],
    ['certificate', { status: 500, body: '"NoValidCertificate"' }],
    ['certificate', { status: 200, body: '{"content":"AAAA","alias":"a","serviceName":"s"}' }],
    ['sign-hash', FAILED],
    ['sign-hash', GARBAGE],
    ['sign-hash', { status: 422, body: '{"code":"SessionExpired"}' }],
  ] as const)('that fails at %s (%j) ends the attempt', async (operation, interference) => {
    const { id, browser, query } = await onTheWayBack();
    stage.hub.interfere = (name) => (name === operation ? interference : undefined);
    expect(
      await counted(async () => {
        expect(await stage.comeHome(browser, query, {}, 6_000)).toBe(`jobs/${id}?problem=provider-failed`);
      }),
    ).toEqual({ 'provider-failed': 1 });
    expect(await decisionsOf(id)).toEqual([]);
  });

  test('that refuses is in the log with its code, and the session is not', async () => {
    const { browser, query } = await onTheWayBack();
    vi.stubEnv('Log__Level', 'WARN');
    const log = captureLog();
    stage.hub.interfere = (name) => (name === 'sign-hash' ? REFUSED : undefined);
    await stage.comeHome(browser, query);
    const logged = log.text();
    log.restore();
    vi.stubEnv('Log__Level', 'ERROR');
    expect(logged).toContain('UnauthorizedRedirectUri');
    expect(logged).not.toContain(query.session);
  });

  test('that is down leads back to the job', async () => {
    const { id, browser, query } = await onTheWayBack();
    vi.stubEnv('Hub__BaseAddress', 'http://127.0.0.1:9/hub');
    expect(await stage.comeHome(browser, query)).toBe(`jobs/${id}?problem=provider-failed`);
    expect((await stage.begin(browser, id)).headers.location).toBe(
      `/batch/approvals/jobs/${id}?problem=provider-failed`,
    );
    vi.stubEnv('Hub__BaseAddress', stage.hub.address);
  });

  test('whose key is not set means no cloud certificates, and no attempt', async () => {
    const key = process.env.Hub__ApiKey;
    vi.stubEnv('Hub__ApiKey', '');
    const id = await stage.toSign();
    expect((await stage.begin(await stage.browserOf(ANA), id)).status).toBe(404);
    vi.stubEnv('Hub__ApiKey', key);
    expect(stage.hub.calls).toEqual([]);
  });
});

describe('the return', () => {
  test('of a browser without a session, or with an API key in its place, leads to the portal and does nothing', async () => {
    const { id, browser, query } = await onTheWayBack();
    stage.hub.calls.length = 0;
    expect(await stage.comeHome(undefined, query)).toBe('');
    vi.stubEnv('Auth__ApiKey', 'operator-key');
    expect(await stage.comeHome(undefined, query, { headers: { 'x-api-key': 'operator-key' } })).toBe('');
    const hubKey = process.env.Hub__ApiKey ?? '';
    expect(await stage.comeHome(undefined, query, { headers: { 'x-api-key': hubKey } })).toBe('');
    expect(stage.hub.calls).toEqual([]);
    expect((await stage.attempt(browser))?.outcome).toBeNull();
    expect(await stage.comeHome(browser, query)).toBe(`jobs/${id}?recorded=approved`);
  });

  test("of another approver's session signs nothing, and leaves the attempt to its own", async () => {
    const { id, browser, query } = await onTheWayBack();
    const other = await stage.browserOf(BRUNO);
    const stolen = browser.cookies.get('lbs-cloud-attempt') ?? '';
    other.cookies.set('lbs-cloud-attempt', stolen);
    expect(await stage.comeHome(other, query)).toBe('?problem=attempt-unknown');
    expect(await stage.comeHome(other, { error: 'access_denied' })).toBe('?problem=attempt-unknown');
    expect(stage.hub.calls).not.toContain('certificate');
    expect(await stage.comeHome(browser, query)).toBe(`jobs/${id}?recorded=approved`);
  });

  test.each<[string, Record<string, string | string[]>]>([
    ['nothing', {}],
    ['an empty session', { session: '' }],
    ['two sessions', { session: ['a', 'b'] }],
    ['a long session', { session: 'x'.repeat(5_000) }],
    ['an unknown session', { session: 'A'.repeat(43) }],
    ['a denial', { error: 'access_denied' }],
    ['an error of somebody', { error: '<script>', lang: 'xx' }],
  ])('with %s in a browser that began nothing leads to the portal', async (_, query) => {
    const browser = await stage.browserOf(ANA);
    expect(await stage.comeHome(browser, query)).toBe('?problem=attempt-unknown');
  });

  test('is a redirect even when something breaks, and gives the session to no other site', async () => {
    const { browser, query } = await onTheWayBack();
    vi.spyOn(attempts, 'get').mockRejectedValueOnce(new Error('The store is away.'));
    const log = captureLog();
    expect(await stage.comeHome(browser, query)).toBe('?problem=unexpected');
    expect(log.text()).toContain('The store is away.');
    log.restore();
    vi.restoreAllMocks();
    const { status, headers } = await call(returnFromCloud, { query });
    expect([status, headers['referrer-policy'], headers['cache-control']]).toEqual([
      303,
      'no-referrer',
      'no-store',
    ]);
  });

  test('has the rate of decisions: 429 is the one answer that is not a redirect', async () => {
    const statuses: number[] = [];
    for (let turn = 0; turn < 11; turn++)
      statuses.push((await call(returnFromCloud, { address: '198.51.100.77' })).status);
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(303));
    expect(statuses[10]).toBe(429);
  });
});
