import { spawnSync } from 'node:child_process';
import type { KeyObject } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { explicit, integer, octetString, oid, sequence } from '../../../../shared/der/write.ts';
import type { Certificate } from '../../../../shared/pki/certificate/certificate.ts';
import { writePem } from '../../../../shared/pki/pem.ts';
import type { Holder } from '../../../certificates/pki.ts';

const has = (tool: string, ...args: string[]): boolean => {
  const missing = spawnSync(tool, args).error !== undefined;
  if (missing && process.env.CI) throw new Error(`CI judges with ${tool}, which is not installed.`);
  if (missing) console.warn(`${tool} is not installed: its tests are skipped.`);
  return !missing;
};

export const hasOpenssl = has('openssl', 'version');
export const hasNss = has('pk12util', '-H') && has('certutil', '-H');

/** The programs that people make PKCS#12 files with, in a folder of their own. */
export function tools() {
  const folder = mkdtempSync(join(tmpdir(), 'sinete-pkcs12-'));
  const at = (name: string): string => join(folder, name);
  const file = (name: string, content: string | Uint8Array): string => {
    writeFileSync(at(name), content);
    return at(name);
  };
  const run = (tool: string, args: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync(tool, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${tool} ${args.join(' ')}: ${stderr}`);
    return `${stdout}${stderr}`;
  };
  const keyFile = (key: KeyObject) => file('key.pem', key.export({ format: 'pem', type: 'pkcs8' }));
  const pem = (certificates: readonly Certificate[]) =>
    certificates.map(({ der }) => writePem('CERTIFICATE', der)).join('');

  return {
    run,
    file,
    remove: () => rmSync(folder, { recursive: true, force: true }),

    /** `openssl pkcs12 -export`. @example openssl(holder, '1234', '-legacy') */
    openssl(holder: Holder, password: string, ...options: string[]): Buffer {
      const inputs = [
        '-inkey',
        keyFile(holder.privateKey),
        '-in',
        file('own.pem', pem([holder.certificate])),
      ];
      const chain = ['-certfile', file('chain.pem', pem(holder.chain))];
      const outputs = ['-passout', `pass:${password}`, '-out', at('out.p12')];
      run('openssl', ['pkcs12', '-export', ...inputs, ...chain, ...outputs, ...options]);
      return readFileSync(at('out.p12'));
    },

    /** The key alone, encrypted by `openssl pkcs8`. */
    pkcs8(key: KeyObject, password: string, ...options: string[]): Buffer {
      const args = [
        '-in',
        keyFile(key),
        '-passout',
        `pass:${password}`,
        '-outform',
        'DER',
        '-out',
        at('key.p8'),
      ];
      run('openssl', ['pkcs8', '-topk8', ...args, ...options]);
      return readFileSync(at('key.p8'));
    },

    /** The same file through a Firefox key store and out again. */
    nss(pkcs12: Buffer, password: string, newPassword: string, ...options: string[]): Buffer {
      const store = `sql:${mkdtempSync(join(folder, 'nss-'))}`;
      run('certutil', ['-N', '-d', store, '--empty-password']);
      run('pk12util', ['-i', file('in.p12', pkcs12), '-d', store, '-W', password, '-K', '']);
      const own = / *u,u,u *$/;
      const listed = run('certutil', ['-L', '-d', store]).split('\n');
      const name = listed.find((line) => own.test(line))?.replace(own, '') ?? '';
      run('pk12util', [
        '-o',
        at('nss.p12'),
        '-n',
        name,
        '-d',
        store,
        '-W',
        newPassword,
        '-K',
        '',
        ...options,
      ]);
      return readFileSync(at('nss.p12'));
    },
  };
}

const DATA = '1.2.840.113549.1.7.1';
const contentInfo = (content: Buffer): Buffer => sequence(oid(DATA), explicit(0, octetString(content)));

export const certificateBag = ({ der }: Certificate): Buffer =>
  sequence(
    oid('1.2.840.113549.1.12.10.1.3'),
    explicit(0, sequence(oid('1.2.840.113549.1.9.22.1'), explicit(0, octetString(der)))),
  );
export const keyBag = (pkcs8: Buffer): Buffer =>
  sequence(oid('1.2.840.113549.1.12.10.1.1'), explicit(0, pkcs8));
export const shroudedKeyBag = (encrypted: Buffer): Buffer =>
  sequence(oid('1.2.840.113549.1.12.10.1.2'), explicit(0, encrypted));

/** A file with these bags in the clear, and this MAC or none. */
export const fileOf = (bags: readonly Buffer[], mac?: Buffer): Buffer =>
  sequence(integer(3), contentInfo(partsOf(bags)), ...(mac ? [mac] : []));

/** The bytes that a MAC of such a file covers. */
export const partsOf = (bags: readonly Buffer[]): Buffer => sequence(contentInfo(sequence(...bags)));
