import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { handler as submitForm } from '../../../../functions/batch/dashboard/endpoints/submit-form.ts';
import { endOfDate, isDate, startOfDate } from '../../../../functions/batch/dashboard/pages/day-range.ts';
import { jobList } from '../../../../functions/batch/jobs/domain/job/list.ts';
import { listEvents } from '../../../../functions/batch/operations/domain/list-events.ts';
import { readProfile } from '../../../../functions/batch/profiles/domain/profile.ts';
import { openPassword } from '../../../../functions/batch/profiles/domain/secrets.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { explicit, integer, octetString, oid, sequence } from '../../../../shared/der/write.ts';
import { call } from '../../../requests/http-event.ts';
import { FORM_TYPE, field, filePart, formData } from '../../../shared/http/body/form-data.ts';
import { batchStage, HOLDER, type Stage } from '../stage.ts';
import { BROWSER, operatorVisitor } from './operator-visitor.ts';

const ANA = { name: 'Ana Souza', email: 'ana@admin.example', cpf: '52998224725' };
const PASSWORD = ' kept as it is ';
const SALT = Buffer.alloc(16, 1).toString('base64');

let stage: Stage;
let operator: Awaited<ReturnType<typeof operatorVisitor>>;
beforeAll(async () => {
  stage = await batchStage();
  vi.stubEnv('Auth__ApiKey', SANDBOX_KEY);
  operator = await operatorVisitor();
}, 60_000);
afterAll(() => stage.stop());

/** The fields that the editor of a profile has, as a browser sends them back. */
async function fieldsOf(path: string): Promise<Record<string, string>> {
  const { text } = await operator.show(path);
  const form =
    /<form class="stack" method="post" action="[^"]*\/(?:save|new)"[\s\S]*?<\/form>/.exec(text)?.[0] ?? '';
  const decode = (value = '') => value.replaceAll('&quot;', '"').replaceAll('&amp;', '&');
  const inputs = [...form.matchAll(/<input [^>]*>/g)]
    .map(([tag]) => tag)
    .filter((tag) => !tag.includes('type="checkbox"') || / checked/.test(tag))
    .map((tag) => [/ name="([^"]*)"/.exec(tag)?.[1] ?? '', decode(/ value="([^"]*)"/.exec(tag)?.[1])]);
  const selects = [...form.matchAll(/<select [^>]*name="([^"]*)"[\s\S]*?<\/select>/g)].map(
    ([tag, name = '']) => [name, decode(/value="([^"]*)" selected/.exec(tag)?.[1])],
  );
  return Object.fromEntries([...inputs, ...selects]);
}

const changesOf = async (profileName: string) =>
  (await listEvents({ type: 'ProfileChanged', text: profileName, page: 1, pageSize: 50 })).items;

describe('the editor of profiles', () => {
  test('creates a profile with approvers, and records who did it', async () => {
    const fields = {
      ...(await fieldsOf('new-profile')),
      name: 'made-here',
      checkCnab240: 'true',
      approval: 'true',
      'approval.quorum': '1',
      'approval.expiresAfter': '2.00:00:00',
      'approval.approvers.2.name': ANA.name,
      'approval.approvers.2.email': ANA.email,
      'approval.approvers.2.cpf': '529.982.247-25',
    };
    const { status, headers } = await operator.send('profiles/new', fields);
    expect([status, headers.location]).toEqual([303, '/batch/dashboard/profiles/made-here?done=created']);
    const profile = await readProfile('made-here');
    expect(profile).toMatchObject({ method: 'Local', verify: true, timestamp: false, checkCnab240: true });
    expect(profile?.approval).toEqual({
      quorum: 1,
      approvers: [ANA],
      expiresAfterSeconds: 172_800,
      signerSet: 'Profile',
    });
    expect(await changesOf('made-here')).toMatchObject([{ by: 'operator', profileName: 'made-here' }]);
  });

  test('saves nothing where nothing was changed', async () => {
    await stage.profile({ name: 'untouched', encryption: { password: PASSWORD, salt: SALT } });
    const before = await readProfile('untouched');
    const { status } = await operator.send('profiles/untouched/save', await fieldsOf('profiles/untouched'));
    expect(status).toBe(303);
    expect(await readProfile('untouched')).toEqual(before);
  });

  test('keeps the stored secret where its field is left empty, and never shows it', async () => {
    await stage.profile({ name: 'sealed', encryption: { password: PASSWORD, salt: SALT } });
    const { text } = await operator.show('profiles/sealed');
    expect(text).not.toContain(PASSWORD);
    expect(text).not.toContain(SALT);
    const fields = { ...(await fieldsOf('profiles/sealed')), 'encryption.password': 'another one' };
    expect((await operator.send('profiles/sealed/save', fields)).status).toBe(303);
    const profile = await readProfile('sealed');
    const sealed = profile?.encryption && 'sealed' in profile.encryption ? profile.encryption.sealed : '';
    expect(await openPassword('sealed', sealed)).toEqual({ plain: { password: 'another one', salt: SALT } });
  });

  test('shows each error at its field, keeps what was typed but secrets, and saves nothing', async () => {
    const { status, text } = await operator.send('profiles/new', {
      name: 'Wrong Name',
      method: 'Local',
      'encryption.mode': 'password',
      'encryption.password': 'typed-secret',
      approval: 'true',
      'approval.quorum': 'two',
      'approval.expiresAfter': 'soon',
      'approval.signerSet': 'Profile',
      'approval.approvers.0.name': '<b>Ana</b>',
      'approval.approvers.0.email': 'ana',
      'approval.approvers.0.cpf': '1',
    });
    expect(status).toBe(400);
    for (const path of [
      'name',
      'encryption.salt',
      'approval.quorum',
      'approval.expiresAfter',
      'approval.approvers.0.email',
      'approval.approvers.0.cpf',
    ]) {
      expect(text).toContain(`id="${path}-problem"`);
      expect(text).toContain(`href="#${path}"`);
    }
    expect(text).toContain('value="&lt;b&gt;Ana&lt;/b&gt;"');
    expect(text).not.toContain('typed-secret');
    expect(await changesOf('Wrong Name')).toEqual([]);
  });

  test('refuses a name that another profile has, which would be changed', async () => {
    const fields = { ...(await fieldsOf('new-profile')), name: 'default', method: 'Local' };
    const { status, text } = await operator.send('profiles/new', fields);
    expect([status, text.includes('There is a profile of this name already.')]).toEqual([400, true]);
    expect((await readProfile('default'))?.default).toBe(true);
  });

  test('creates one profile for two forms with one name at once', async () => {
    const fields = { ...(await fieldsOf('new-profile')), name: 'made-twice' };
    const answers = await Promise.all([1, 2].map(() => operator.send('profiles/new', fields)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 400]);
  });

  test('refuses a form that would undo a change made since it was shown', async () => {
    await stage.profile({ name: 'raced' });
    const fields = await fieldsOf('profiles/raced');
    await stage.profile({ name: 'raced', timestamp: true });
    const { status } = await operator.send('profiles/raced/save', fields);
    expect(status).toBe(409);
    expect((await readProfile('raced'))?.timestamp).toBe(true);
  });

  test('saves one of two forms at once, and shows the other one what was saved', async () => {
    await stage.profile({ name: 'saved-twice' });
    const fields = { ...(await fieldsOf('profiles/saved-twice')), timestamp: 'true' };
    const answers = await Promise.all([1, 2].map(() => operator.send('profiles/saved-twice/save', fields)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409]);
  });

  test('imports a key, and says at its field what is wrong with the file or the password', async () => {
    await operator.send('profiles/new', { ...(await fieldsOf('new-profile')), name: 'keyed' });
    const file = readFileSync(stage.sandbox.pki('holders', `${HOLDER}.p12`));
    const send = (content: Buffer, password: string, language = 'en') =>
      call(submitForm, {
        method: 'POST',
        path: '/batch/dashboard/profiles/keyed/key',
        params: { path: 'profiles/keyed/key' },
        headers: {
          ...{ ...BROWSER, ...FORM_TYPE, Cookie: `lbs-auth=${operator.session}` },
          'Accept-Language': language,
        },
        body: formData(field('password', password), filePart(content, { name: 'file' })),
      });
    const wrong = await send(file, '4321');
    expect([wrong.status, wrong.text.includes('id="key-password-problem"')]).toEqual([400, true]);
    const broken = await send(Buffer.from('no certificate'), '1234');
    expect([broken.status, broken.text.includes('id="key-file-problem"')]).toEqual([400, true]);
    const signed = sequence(
      integer(3),
      sequence(oid('1.2.840.113549.1.7.2'), explicit(0, octetString(Buffer.alloc(3)))),
    );
    expect((await send(signed, '1234')).text).toContain('not protected by a password alone');
    expect((await send(signed, '1234', 'pt-BR')).text).toContain('não está protegido só por senha');
    const imported = await send(file, '1234');
    expect(imported.headers.location).toBe('/batch/dashboard/profiles/keyed?done=key');
    expect((await operator.show('profiles/keyed')).text).toContain(`SANDBOX HOLDER ${HOLDER}`);
    expect(imported.text).not.toContain('1234');
  });

  test('disables, enables, makes default and removes, but never the default one', async () => {
    await stage.profile({ name: 'handled' });
    const act = async (action: string) => (await operator.send(`profiles/handled/${action}`)).status;
    expect(await act('disable')).toBe(303);
    expect((await readProfile('handled'))?.enabled).toBe(false);
    expect(await act('enable')).toBe(303);
    expect(await act('default')).toBe(303);
    expect(await readProfile('handled')).toMatchObject({ enabled: true, default: true });
    expect(await act('remove')).toBe(409);
    expect((await operator.send('profiles/default/default')).status).toBe(303);
    expect(await act('remove')).toBe(303);
    expect(await readProfile('handled')).toBeUndefined();
    expect((await operator.show('profiles/handled')).status).toBe(404);
    const names = (await changesOf('handled')).filter(({ by }) => by === 'operator');
    expect(names).toHaveLength(4);
  });
});

describe('other actions of the dashboard', () => {
  test('clears the finished jobs, and shows how many', async () => {
    await stage.upload('done.txt', 'content', { format: 'Cades' });
    await stage.run();
    const { headers } = await operator.send('pipeline/clear');
    expect(headers.location).toBe('/batch/dashboard/pipeline?done=cleared&deleted=1&skipped=0');
    expect((await jobList().slice({ offset: 0, limit: 0 })).total).toBe(0);
    const { text } = await operator.show('pipeline', { done: 'cleared', deleted: '1', skipped: '0' });
    expect(text).toContain('Deleted: 1');
  });

  test('shows a reason that is too long at its field, and changes nothing', async () => {
    const { status, text } = await operator.send('pipeline/pause', { reason: 'x'.repeat(513) });
    expect([status, text.includes('id="reason-problem"')]).toEqual([400, true]);
    expect((await operator.show('pipeline')).text).toContain('Running');
  });

  test.each([
    ['type', { type: 'NoSuchType' }, 'type-problem'],
    ['from', { from: '2026-02-30' }, 'from-problem'],
    ['to', { from: '2026-03-02', to: '2026-03-01' }, 'to-problem'],
    ['text', { text: 'x'.repeat(201) }, 'text-problem'],
    ['page', { page: '0' }, 'There is no such page.'],
  ])('says at the field that a filter of events does not hold: %s', async (_, query, expected) => {
    const { status, text } = await operator.show('events', query);
    expect([status, text.includes(expected)]).toEqual([400, true]);
  });

  test('finds events by the days of the time zone that the page shows', () => {
    const zone = 'America/Sao_Paulo';
    expect(new Date(startOfDate(zone, '2026-03-02')).toISOString()).toBe('2026-03-02T03:00:00.000Z');
    expect(new Date(endOfDate(zone, '2026-03-02')).toISOString()).toBe('2026-03-03T03:00:00.000Z');
    // A day of 23 hours, and zones east of UTC and with parts of hours.
    expect(new Date(startOfDate('Europe/Lisbon', '2026-03-29')).toISOString()).toBe(
      '2026-03-29T00:00:00.000Z',
    );
    expect(new Date(endOfDate('Europe/Lisbon', '2026-03-29')).toISOString()).toBe('2026-03-29T23:00:00.000Z');
    expect(new Date(startOfDate('Asia/Kathmandu', '2026-03-02')).toISOString()).toBe(
      '2026-03-01T18:15:00.000Z',
    );
    expect(isDate('2026-02-30')).toBe(false);
  });
});
