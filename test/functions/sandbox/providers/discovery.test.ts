import { X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { makeAuthority } from '../../../../functions/sandbox/authority/domain/make-authority.ts';
import { CLIENT, clientOf } from './a-client.ts';

const alpha = clientOf('alpha');
const beta = clientOf('beta');
const about = (type: string, value: string) => ({ user_cpf_cnpj: type, val_cpf_cnpj: value });

type Listed = { status: string; certificates: { alias: string; certificate: string }[] };

await makeAuthority('http://localhost:3000', Date.now());

describe('whether somebody keeps a certificate', () => {
  test('is told by alpha to a client with its secret', async () => {
    expect((await alpha.discover({ ...CLIENT, ...about('CPF', '52998224725') })).json()).toEqual({
      status: 'S',
      slots: ['alpha-1', 'alpha-3', 'alpha-2'].map((slot_alias) => ({
        slot_alias,
        label: 'SANDBOX HOLDER 52998224725',
      })),
    });
    const other = await alpha.discover({ ...CLIENT, ...about('CNPJ', '11222333000181') });
    expect(other.json()).toEqual({ status: 'N' });
  });

  test('is told by beta to an application with a token, and for no secret', async () => {
    const { access_token: token } = (await beta.clientToken()).json() as { access_token: string };
    expect((await beta.discover(about('CNPJ', '11222333000181'), token)).json()).toMatchObject({
      status: 'S',
    });
    expect((await beta.discover(about('CPF', '52998224725'), token)).json()).toEqual({ status: 'N' });
    const bySecret = await beta.discover({ ...CLIENT, ...about('CNPJ', '11222333000181') });
    expect([bySecret.status, bySecret.json()]).toMatchObject([401, { error: 'invalid_token' }]);
    const { access_token: holders } = await beta.token();
    expect((await beta.discover(about('CNPJ', '11222333000181'), holders)).status).toBe(403);
  });

  test.each([
    ['invalid_client', { client_id: 'sinete-hub', client_secret: 'x', ...about('CPF', '52998224725') }],
    ['invalid_client', about('CPF', '52998224725')],
    ['invalid_request', { ...CLIENT, ...about('RG', '52998224725') }],
    ['invalid_request', { ...CLIENT, ...about('CPF', '529.982.247-25') }],
    ['invalid_request', { ...CLIENT, ...about('CPF', '11222333000181') }],
    ['invalid_request', { ...CLIENT, ...about('CPF', '52998224700') }],
    ['invalid_request', { ...CLIENT, user_cpf_cnpj: 'CPF' }],
  ])('is not told: %s for %j', async (error, asked) => {
    expect((await alpha.discover(asked)).json()).toMatchObject({ error });
  });
});

describe('the certificates of a holder', () => {
  const listed = async (client: typeof alpha, alias?: string) => {
    const { access_token: token } = await client.token();
    const query: Record<string, string> = alias === undefined ? {} : { certificate_alias: alias };
    return (await client.certificates(token, query)).json() as Listed;
  };

  test('are at alpha one that has expired and two that are valid, in PEM, the newest neither first nor last', async () => {
    const { status, certificates } = await listed(alpha);
    expect(status).toBe('S');
    const read = certificates.map(({ alias, certificate }) => {
      expect(certificate).toMatch(/^-----BEGIN CERTIFICATE-----\n/);
      const { validFromDate, validToDate, subject } = new X509Certificate(certificate);
      expect(subject).toContain('SANDBOX HOLDER 52998224725');
      return { alias, isValid: validToDate.getTime() > Date.now(), from: validFromDate.getTime() };
    });
    expect(read.map(({ alias, isValid }) => [alias, isValid])).toEqual([
      ['alpha-1', false],
      ['alpha-3', true],
      ['alpha-2', true],
    ]);
    expect(read.toSorted((a, b) => b.from - a.from)[0]?.alias).toBe('alpha-3');
  });

  test('are at beta one, in bare Base64', async () => {
    const { certificates } = await listed(beta);
    expect(certificates).toHaveLength(1);
    const [{ certificate } = { certificate: '' }] = certificates;
    expect(certificate).toMatch(/^[\w+/]+=*$/);
    expect(new X509Certificate(Buffer.from(certificate, 'base64')).subject).toContain('11222333000181');
  });

  test('are narrowed to an alias, and are none where nobody has it', async () => {
    expect((await listed(alpha, 'alpha-2')).certificates.map(({ alias }) => alias)).toEqual(['alpha-2']);
    expect(await listed(alpha, 'beta-1')).toEqual({ status: 'N' });
  });

  test.each(['', 'unknown', 'a b'])('are for nobody with the token %j', async (token) => {
    const { status, json } = await alpha.certificates(token);
    expect([status, json()]).toMatchObject([401, { error: 'invalid_token' }]);
  });

  test('are not for a token of another provider', async () => {
    const { access_token: token } = await beta.token();
    expect((await alpha.certificates(token)).status).toBe(401);
  });

  test('are told to an authentication, which uses no key', async () => {
    const { access_token: token } = await alpha.token({ scope: 'authentication_session' });
    expect((await alpha.certificates(token)).status).toBe(200);
  });
});
