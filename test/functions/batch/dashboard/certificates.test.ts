import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { handler as submitForm } from '../../../../functions/batch/dashboard/endpoints/submit-form.ts';
import { handler as getReady } from '../../../../functions/batch/endpoints/get-ready.ts';
import { handler as getDetails } from '../../../../functions/batch/endpoints/get-ready-details.ts';
import {
  putProfile,
  setEnabled,
  setKey,
} from '../../../../functions/batch/profiles/domain/change-profile.ts';
import { parseProfileFields } from '../../../../functions/batch/profiles/domain/fields.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { testPki } from '../../../certificates/pki.ts';
import { call } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { FORM_TYPE, field, filePart, formData } from '../../../shared/http/body/form-data.ts';
import { batchStage } from '../stage.ts';
import { BROWSER, operatorVisitor } from './operator-visitor.ts';

// Of the sandbox: it ended in 2022.
const EXPIRED_HOLDER = '12345678909';
const DAY_MS = 86_400_000;

const stage = await forFile(batchStage());
vi.stubEnv('Auth__ApiKey', SANDBOX_KEY);
const operator = await operatorVisitor();
await stage.profile({ name: 'ended' }, EXPIRED_HOLDER);
await withPeriod('soon', { notAfterMs: Date.now() + 12.5 * DAY_MS });
await withPeriod('early', { notBeforeMs: Date.now() + 2 * DAY_MS });

async function withPeriod(
  name: string,
  change: { notBeforeMs?: number; notAfterMs?: number },
): Promise<void> {
  await putProfile('test', parseProfileFields({ name }), Date.now());
  await setKey('test', name, testPki().holder({ change }), Date.now());
}

const rowOf = (text: string, name: string): string =>
  text.split('<tr').find((row) => row.includes(`dashboard/profiles/${name}"`)) ?? '';

const taskOf = (text: string, name: string): string =>
  text.split('<li').find((item) => item.includes(`dashboard/profiles/${name}"`)) ?? '';

describe('a profile whose certificate is not valid now, or not for long', () => {
  test('is red or amber in the list of profiles, and one that has expired is not called enabled in green', async () => {
    const { text } = await operator.show('profiles');
    expect(rowOf(text, 'ended')).toContain('<span class="badge bad">Certificate expired</span>');
    expect(rowOf(text, 'ended')).not.toContain('badge good');
    expect(rowOf(text, 'early')).toContain('<span class="badge bad">Certificate not valid yet</span>');
    expect(rowOf(text, 'early')).not.toContain('badge good');
    expect(rowOf(text, 'soon')).toContain('<span class="badge warn">Expires in 12 days</span>');
    expect(rowOf(text, 'soon')).toContain('<span class="badge good">Enabled</span>');
    expect(rowOf(text, 'default')).toContain('<span class="badge good">Enabled</span>');
    expect(rowOf(text, 'default')).not.toMatch(/badge (warn|bad)/);
  });

  test('needs the attention of an operator on the overview, in both languages', async () => {
    const { text } = await operator.show('');
    expect(taskOf(text, 'ended')).toContain('what it signs is not valid');
    expect(taskOf(text, 'soon')).toContain('import its key before that day');
    expect(taskOf(text, 'early')).toContain('is not valid before');
    expect(taskOf(text, 'default')).toBe('');
    const portuguese = await operator.show('', {}, { 'Accept-Language': 'pt-BR' });
    expect(taskOf(portuguese.text, 'ended')).toContain('Certificado vencido');
  });

  test('is told in a detail of readiness that fails nothing, and to nobody without the key', async () => {
    const { status, json } = await call(getDetails, { headers: { 'X-API-Key': SANDBOX_KEY } });
    expect(status).toBe(200);
    expect(json()).toMatchObject({
      ready: true,
      checks: expect.arrayContaining([
        { name: 'signing-profile:ended', ok: true, detail: expect.stringContaining('expired on 202') },
        { name: 'signing-profile:soon', ok: true, detail: expect.stringContaining('in 12 days') },
      ]),
    });
    const { checks } = (await call(getReady)).json() as { checks: { name: string }[] };
    expect(checks.map(({ name }) => name)).not.toContain('signing-profile:ended');
    const { text } = await operator.show('readiness');
    expect(text).toMatch(/signing-profile:ended[\s\S]{0,200}<span class="badge warn">Attention<\/span>/);
  });

  test('is told no more where it is disabled: it takes no new work', async () => {
    await setEnabled('test', 'early', false, Date.now());
    expect(taskOf((await operator.show('')).text, 'early')).toBe('');
    await setEnabled('test', 'early', true, Date.now());
  });

  test('gets a warning with the key of an expired certificate, and not a green word alone', async () => {
    await putProfile('test', parseProfileFields({ name: 'given' }), Date.now());
    const file = readFileSync(stage.sandbox.pki('holders', `${EXPIRED_HOLDER}.p12`));
    const path = 'profiles/given/key';
    const { headers } = await call(submitForm, {
      method: 'POST',
      path: `/batch/dashboard/${path}`,
      params: { path },
      headers: { ...BROWSER, ...FORM_TYPE, Cookie: `lbs-auth=${operator.session}` },
      body: formData(field('password', '1234'), filePart(file, { name: 'file' })),
    });
    expect(headers.location).toBe('/batch/dashboard/profiles/given?done=key');
    const { text } = await operator.show('profiles/given', { done: 'key' });
    expect(text).toMatch(
      /<p class="problem" role="status">The key was imported\. Its certificate expired on/,
    );
    expect(text).not.toContain('class="done"');
  });
});
