import { connect } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import {
  findAuthority,
  type SandboxAuthority,
} from '../../../../functions/sandbox/authority/domain/authority.ts';
import { HOLDERS } from '../../../../functions/sandbox/authority/domain/holders.ts';
import { makeAuthority } from '../../../../functions/sandbox/authority/domain/make-authority.ts';
import { PLANS } from '../../../../functions/sandbox/authority/domain/plan.ts';
import { type Certificate, parseCertificate } from '../../../../shared/pki/certificate/certificate.ts';
import { subjectAltNames } from '../../../../shared/pki/extensions/extensions.ts';
import { accessAddresses, crlAddresses } from '../../../../shared/pki/extensions/locations.ts';
import { writePem } from '../../../../shared/pki/pem.ts';
import { folder, hasOpenssl, openssl } from '../../../shared/signing/cms/openssl.ts';
import { ownStores } from '../../own-stores.ts';

const HERE = 'http://localhost:3100';
const THERE = 'http://localhost:3200';

// An authority there is only one of: it is changed here, and so the stores are this file's own.
const stop = await ownStores();
const first = await makeAuthority(HERE, Date.now());
const files = folder();
afterAll(async () => {
  files.remove();
  await stop();
});

const certificateOf = ({ members }: SandboxAuthority, name: string): Certificate =>
  parseCertificate(members[name]?.certificate ?? Buffer.alloc(0));

const pem = (authority: SandboxAuthority, ...names: string[]): string =>
  names.map((name) => writePem('CERTIFICATE', certificateOf(authority, name).der)).join('');

describe("the sandbox's authority", () => {
  test('holds every planned certificate, each with the key it was issued for', () => {
    expect(Object.keys(first.members).toSorted()).toEqual(PLANS.map(({ name }) => name).toSorted());
    const keys = new Set(PLANS.map(({ name }) => certificateOf(first, name).spki.toString('hex')));
    expect(keys.size).toBe(PLANS.length);
  });

  test('stays the same when it is made again', async () => {
    expect(await makeAuthority(HERE, Date.now())).toEqual(first);
  });

  test('names its holders after their CPF, and one of them by no e-mail address', () => {
    for (const { name, commonName } of HOLDERS.filter(({ pin }) => pin)) {
      expect(certificateOf(first, name).subject.text).toContain(`CN=SANDBOX HOLDER ${name}`);
      expect(commonName).toBe(`SANDBOX HOLDER ${name}`);
    }
    const emails = (name: string) =>
      subjectAltNames(certificateOf(first, name)).filter(({ kind }) => kind === 'rfc822Name').length;
    expect([emails('52998224725'), emails('47363361886')]).toEqual([1, 0]);
  });

  test('has an expired certificate, and every other one is valid for years', () => {
    const now = Date.now();
    const YEARS_MS = 5 * 365 * 86_400_000;
    const past = PLANS.filter(({ name }) => certificateOf(first, name).notAfterMs < now);
    expect(past.map(({ name }) => name)).toEqual(['12345678909', 'alpha-1']);
    const soon = PLANS.filter(({ name }) => certificateOf(first, name).notAfterMs < now + YEARS_MS);
    expect(soon).toEqual(past);
    for (const { name } of PLANS) expect(certificateOf(first, name).notBeforeMs).toBeLessThan(now);
  });

  test('says in its certificates where this engine publishes', () => {
    const holder = certificateOf(first, '52998224725');
    expect(crlAddresses(holder)).toEqual([`${HERE}/sandbox/pki/intermediate.crl`]);
    expect(accessAddresses(holder, 'ocsp')).toEqual([`${HERE}/sandbox/pki/ocsp`]);
    expect(accessAddresses(holder, 'caIssuers')).toEqual([`${HERE}/sandbox/pki/intermediate.crt`]);
    expect(crlAddresses(certificateOf(first, 'intermediate'))).toEqual([`${HERE}/sandbox/pki/root.crl`]);
  });

  test('sends whoever asks after the stale certificate to a place where nobody is', async () => {
    const stale = certificateOf(first, '15350946056');
    const places = [...crlAddresses(stale), ...accessAddresses(stale, 'ocsp')];
    expect(places).toHaveLength(2);
    for (const place of places) {
      const { hostname, port } = new URL(place);
      const refusal = await new Promise((resolve) => {
        connect(Number(port), hostname).once('error', resolve).once('connect', resolve);
      });
      expect(refusal).toBeInstanceOf(Error);
    }
  });

  test.runIf(hasOpenssl)(
    'gives chains that openssl follows to the root, and none from the untrusted one',
    () => {
      const root = files.file('root.pem', pem(first, 'root'));
      const between = files.file('between.pem', pem(first, 'intermediate', 'unreachable', 'untrusted'));
      const judge = (name: string, ...more: string[]) =>
        openssl(
          'verify',
          '-x509_strict',
          '-CAfile',
          root,
          '-untrusted',
          between,
          ...more,
          files.file('certificate.pem', pem(first, name)),
        );
      for (const name of ['52998224725', '56072386105', '15350946056', '11222333000181', 'ocsp', 'alpha-2'])
        expect(judge(name)).toMatchObject({ ok: true });
      expect(judge('tsa', '-purpose', 'timestampsign')).toMatchObject({ ok: true });
      expect(judge('12345678909').says).toContain('certificate has expired');
      const thenSeconds = Date.UTC(2021, 5, 1) / 1000;
      expect(judge('12345678909', '-attime', String(thenSeconds))).toMatchObject({ ok: true });
      expect(judge('87378011126').says).toMatch(/self-signed certificate in certificate chain/);
    },
  );

  // Two seedings of one empty store, and of one whose address has changed:
  //
  //   one    |--read-- make -- write --|
  //   other    |--read-- make --------- write refused, read again --|
  test('is one and the same for all that make it at once', async () => {
    const made = await Promise.all([
      makeAuthority(THERE, Date.now()),
      makeAuthority(THERE, Date.now()),
      makeAuthority(THERE, Date.now()),
    ]);
    const { version } = await findAuthority();
    expect(made.map((each) => each.version)).toEqual([version, version, version]);
  });

  test('keeps keys and roots when the address changes, and issues the rest anew', async () => {
    const moved = await makeAuthority(THERE, Date.now());
    for (const { name, issuer } of PLANS) {
      const [before, after] = [certificateOf(first, name), certificateOf(moved, name)];
      expect(after.spki).toEqual(before.spki);
      expect(after.der.equals(before.der)).toBe(name === issuer);
    }
    expect(crlAddresses(certificateOf(moved, '52998224725'))).toEqual([
      `${THERE}/sandbox/pki/intermediate.crl`,
    ]);
  });

  test('goes on telling the status of what it issued under an earlier address', async () => {
    const moved = await makeAuthority(THERE, Date.now());
    const revoked = moved.issued.filter(({ revokedAtMs }) => revokedAtMs !== undefined);
    const serials = [first, moved].map((each) => certificateOf(each, '56072386105').serialHex);
    expect(revoked.map(({ serial }) => serial)).toEqual(serials);
    const known = new Set(moved.issued.map(({ serial }) => serial));
    for (const { name } of PLANS) expect(known).toContain(certificateOf(first, name).serialHex);
  });
});
