import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { listEvents } from '../../../../functions/batch/operations/domain/list-events.ts';
import { putProfile, setKey } from '../../../../functions/batch/profiles/domain/change-profile.ts';
import { degradedProfiles } from '../../../../functions/batch/profiles/domain/degraded.ts';
import { parseProfileFields } from '../../../../functions/batch/profiles/domain/fields.ts';
import { profiles } from '../../../../functions/batch/profiles/domain/profile.ts';
import { describeProfile } from '../../../../functions/batch/profiles/domain/render-profile.ts';
import { inEnglish } from '../../../../functions/batch/sentences/sentences.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { openPkcs12 } from '../../../../shared/pki/pkcs12/open.ts';
import { testPki } from '../../../certificates/pki.ts';
import { ring } from '../../../certificates/rings.ts';
import { forFile } from '../../../runner/for-file.ts';
import { HOLDER } from '../stage.ts';
import { stored } from './a-profile.ts';
import { cloudProfileStage } from './cloud-stage.ts';

const DAY_MS = 86_400_000;

const stage = await forFile(cloudProfileStage());
afterEach(() => {
  vi.useRealTimers();
  stage.hub.interfere = () => undefined;
  stage.hub.calls.length = 0;
});

const endOf = async (profile: string) => {
  const { state, errorCode, errorMessage } = await stage.sign(profile);
  return [state, errorCode, errorMessage];
};
const withProblem = (name: string, problem: string) =>
  `303 /batch/dashboard/profiles/${name}?cloud=${problem}`;

describe('a profile with a cloud certificate', () => {
  test('is degraded until an operator authorizes it, and then signs each job with one call to the hub', async () => {
    const [cookie, name] = [await stage.operator(), await stage.cloudProfile()];
    expect(await endOf(name)).toEqual([
      'Failed',
      'profile.degraded',
      expect.stringContaining("not authorized yet: authorize it in the profile's page"),
    ]);
    const page = await stage.begin(cookie, name);
    expect([page.status, page.headers.refresh]).toEqual([200, expect.stringMatching(/^0; url=.*\/alpha\//)]);
    expect(await stage.comeHome(cookie, await stage.decide(page))).toBe(withProblem(name, 'authorized'));

    stage.hub.calls.length = 0;
    for (let jobs = 0; jobs < 2; jobs++) expect((await endOf(name))[0]).toBe('Completed');
    expect(stage.hub.calls).toEqual(['sign-hash', 'sign-hash']);
  });

  test('shows its expiry and certificate, and never the session: not in the store, the answer or the event', async () => {
    const beforeMs = Date.now();
    const { name, query } = await stage.authorized();
    const shown = await describeProfile(name);
    expect(shown).toMatchObject({
      cloudCertificate: { identifier: HOLDER, provider: null, certificateAlias: null },
      certificate: { subject: expect.stringContaining(HOLDER) },
      degraded: false,
    });
    const untilMs = Date.parse(shown.cloudCertificate?.authorizedUntil ?? '');
    expect(Math.abs(untilMs - beforeMs - 7 * DAY_MS)).toBeLessThan(60_000);
    const events = await listEvents({ type: 'ProfileChanged', text: name, page: 1, pageSize: 10 });
    expect(events.items[0]).toMatchObject({
      message: `Profile ${name} was changed: cloudCertificate.`,
      by: 'admin@sandbox.example',
    });
    expect(query.session).toHaveLength(43);
    for (const text of [shown, await profiles.get(name), events])
      expect(JSON.stringify(text)).not.toContain(query.session);
  });

  test('is degraded when the time of its authorization is over, and says what to do', async () => {
    const { name } = await stage.authorized();
    expect((await describeProfile(name)).degraded).toBe(false);
    const endMs = (await stored(name)).cloudAuthorization?.expiresAtMs ?? 0;
    vi.useFakeTimers({ toFake: ['Date'], now: endMs });
    const reason = `The cloud certificate's authorization ended at ${new Date(endMs).toISOString()}: authorize it again in the profile's page.`;
    expect((await describeProfile(name)).degradedReason).toBe(reason);
    const degraded = (await degradedProfiles()).find((each) => each.name === name);
    expect(inEnglish(degraded?.reason ?? '')).toBe(reason);
    vi.useRealTimers();
    expect((await endOf(name))[0]).toBe('Completed');
  });

  test.each(['SessionExpired', 'SessionInvalidOrAlreadyUsed'])(
    'is degraded when the hub refuses its session sooner (%s), until it is authorized again',
    async (code) => {
      const { name, cookie } = await stage.authorized();
      stage.hub.interfere = (call) =>
        call === 'sign-hash' ? { status: 422, body: JSON.stringify({ code, message: '' }) } : undefined;
      const ended = ['Failed', 'profile.degraded', expect.stringContaining('authorize it again')];
      expect(await endOf(name)).toEqual(ended);
      // The end is recorded: the next job does not ask the hub.
      stage.hub.calls.length = 0;
      expect(await endOf(name)).toEqual(ended);
      expect(stage.hub.calls).toEqual([]);
      stage.hub.interfere = () => undefined;
      await stage.comeHome(cookie, await stage.decide(await stage.begin(cookie, name)));
      expect((await endOf(name))[0]).toBe('Completed');
    },
  );

  test('stays as it is when the hub fails: the job fails, and says to retry', async () => {
    const { name } = await stage.authorized();
    stage.hub.interfere = (call) =>
      call === 'sign-hash' ? { status: 500, body: '"ProviderTimeout"' } : undefined;
    expect(await endOf(name)).toEqual([
      'Failed',
      'job.signing-failed',
      'The cloud certificate did not sign: The hub answered 500. (ProviderTimeout) Retry the job when the hub and its provider answer.',
    ]);
    stage.hub.interfere = () => undefined;
    expect((await endOf(name))[0]).toBe('Completed');
  });

  test('is degraded with another sealing key', async () => {
    const { name } = await stage.authorized();
    const { Sealing__Keys: right } = process.env;
    vi.stubEnv('Sealing__Keys', ring(8));
    expect((await describeProfile(name)).degradedReason).toMatch(/authorization does not open/);
    vi.stubEnv('Sealing__Keys', right);
  });

  test('loses its authorization with its certificate, and keeps it through any other edit', async () => {
    const { name } = await stage.authorized();
    const put = (fields: object) => putProfile('test', parseProfileFields({ name, ...fields }), Date.now());
    await put({ verify: false, cloudCertificate: { identifier: HOLDER } });
    expect((await stored(name)).cloudAuthorization).toBeDefined();
    await put({ cloudCertificate: { identifier: '11222333000181' } });
    expect((await stored(name)).cloudAuthorization).toBeUndefined();
    await put({ cloudCertificate: null });
    expect((await describeProfile(name)).degradedReason).toMatch(/^It has no key/);
  });

  test('takes no key beside it, and others cannot sign with it', async () => {
    const name = await stage.cloudProfile();
    await expect(setKey('test', name, testPki().holder(), Date.now())).rejects.toThrow(
      'signs with a cloud certificate: set cloudCertificate to null first',
    );
    const externalSigner = { signers: [{ name: 'A', cpf: HOLDER, email: 'a@sandbox.example', step: 1 }] };
    const fields = parseProfileFields({ name, method: 'ExternalSigner', externalSigner });
    await expect(putProfile('test', fields, Date.now())).rejects.toThrow('cloudCertificate: signs nothing');
  });
});

describe('an authorization', () => {
  test('that the holder denies changes nothing', async () => {
    const [cookie, name] = [await stage.operator(), await stage.cloudProfile()];
    const query = await stage.decide(await stage.begin(cookie, name), 'deny');
    expect(await stage.comeHome(cookie, query)).toBe('303 /batch/dashboard/profiles?cloud=provider-failed');
    expect((await stored(name)).cloudAuthorization).toBeUndefined();
  });

  test('is good once', async () => {
    const { cookie, query } = await stage.authorized();
    expect(await stage.comeHome(cookie, query)).toBe(
      '303 /batch/dashboard/profiles?cloud=authorization-unknown',
    );
  });

  // CSRF: an operator is sent to the return with a session that somebody else has authorized.
  test('is bound to the operator who began it, and is still good for that one', async () => {
    const [cookie, name] = [await stage.operator(), await stage.cloudProfile()];
    const query = await stage.decide(await stage.begin(cookie, name));
    expect(await stage.comeHome(await stage.operator(), query)).toBe(
      '303 /batch/dashboard/profiles?cloud=authorization-unknown',
    );
    expect(await stage.comeHome('', query)).toBe('303 /batch/login');
    expect(await stage.comeHome(cookie, { session: [query.session ?? '', query.session ?? ''] })).toBe(
      '303 /batch/dashboard/profiles?cloud=provider-failed',
    );
    expect(await stage.comeHome(cookie, query)).toBe(withProblem(name, 'authorized'));
  });

  test('is refused where the certificate is of another holder, or another one of the holder', async () => {
    const cookie = await stage.operator();
    const other = await stage.cloudProfile({ identifier: HOLDER, certificateAlias: 'none-of-these' });
    const query = await stage.decide(await stage.begin(cookie, other));
    expect(await stage.comeHome(cookie, query)).toBe(withProblem(other, 'other-certificate'));

    const name = await stage.cloudProfile();
    const answered = await stage.decide(await stage.begin(cookie, name));
    const file = readFileSync(stage.sandbox.pki('holders', '47363361886.p12'));
    const content = (await openPkcs12(file, '1234')).entries[0]?.certificate.der.toString('base64');
    stage.hub.interfere = (call) =>
      call === 'certificate'
        ? { instead: (given) => JSON.stringify({ ...JSON.parse(given), content }) }
        : undefined;
    expect(await stage.comeHome(cookie, answered)).toBe(withProblem(name, 'other-holder'));
  });

  test('is not begun by a key, by a form of another site, or without a provider that holds a certificate', async () => {
    const [cookie, name] = [await stage.operator(), await stage.cloudProfile()];
    expect((await stage.begin(cookie, name, { headers: { 'X-API-Key': SANDBOX_KEY } })).status).toBe(401);
    const forged = { Cookie: `lbs-auth=${cookie}`, 'Sec-Fetch-Site': 'cross-site' };
    expect((await stage.begin(cookie, name, { headers: forged })).status).toBe(403);
    expect((await stage.begin(cookie, 'nothing')).status).toBe(404);
    const locations = [
      await stage.cloudProfile({ identifier: '47363361886' }),
      await stage.cloudProfile({ identifier: HOLDER, provider: 'beta' }),
    ].map(async (each) => (await stage.begin(cookie, each)).headers.location?.replace(/^.*\?/, ''));
    expect(await Promise.all(locations)).toEqual(['cloud=no-provider', 'cloud=no-provider']);
    expect((await stage.begin(cookie, 'default')).headers.location).toBe(
      '/batch/dashboard/profiles/default?cloud=no-cloud-certificate',
    );
  });
});
