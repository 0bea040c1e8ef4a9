import { globSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { PKI_BRAZIL, securityContext } from '../../../functions/pki/domain/security-contexts.ts';
import { settings } from '../../../functions/pki/settings.ts';
import { SANDBOX_CONTEXT } from '../../../functions/sandbox/sandbox-data.ts';
import { MANUAL } from '../../../shared/settings/settings.ts';
import { testPki } from '../../certificates/pki.ts';

const ESTABLISHED = {
  PkiBrazil: PKI_BRAZIL,
  PkiItaly: 'c438b17e-4862-446b-86ad-6f85734f0bfe',
  WindowsServer: '3881384c-a54d-45c5-bbe9-976b674f5ec7',
};
const pem = (): string =>
  `-----BEGIN CERTIFICATE-----\n${testPki().root.certificate.der.toString('base64')}\n-----END CERTIFICATE-----\n`;

afterEach(() => vi.unstubAllEnvs());

describe('a security context', () => {
  test.each(Object.entries(ESTABLISHED))('%s is known once its roots are named', (name, id) => {
    expect(() => securityContext(id)).toThrow(expect.objectContaining({ code: 'SecurityContextNotFound' }));
    vi.stubEnv(`SecurityContexts__${name}`, pem());
    const { anchors } = securityContext(id.toUpperCase());
    expect(anchors.map(({ sha256 }) => sha256)).toEqual([testPki().root.certificate.sha256]);
  });

  test('whose file cannot be read stops whoever asks for it, and the message names the file', () => {
    vi.stubEnv('SecurityContexts__Others', `${SANDBOX_CONTEXT}=/nowhere/root.crt`);
    expect(() => securityContext(SANDBOX_CONTEXT)).toThrow('/nowhere/root.crt');
  });

  test.each(['root.crt', 'x=root.crt', `${SANDBOX_CONTEXT}`, `${SANDBOX_CONTEXT}=`])(
    'is not what %s names: the start stops with one line',
    (wrong) => {
      vi.stubEnv('SecurityContexts__Others', wrong);
      expect(() => settings[MANUAL].check()).toThrow(
        /^Setting SecurityContexts:Others \(SecurityContexts__Others\) must be id=file, several separated by commas/,
      );
    },
  );

  test('of the sandbox is named by nothing that is deployed', () => {
    const sources = globSync([
      'functions/*/**/*.{ts,yml,json}',
      'shared/**/*.ts',
      'infra/*.yml',
      'serverless.yml',
    ]);
    const deployed = sources.filter((path) => !path.startsWith('functions/sandbox/'));
    expect(deployed.length).toBeGreaterThan(100);
    expect(deployed.filter((path) => readFileSync(path, 'utf8').includes(SANDBOX_CONTEXT))).toEqual([]);
  });
});
