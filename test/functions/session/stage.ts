import { vi } from 'vitest';
import { signerOf } from '../../../functions/sandbox/authority/domain/authority.ts';
import { SANDBOX_KEY } from '../../../functions/sandbox/sandbox-data.ts';
import { importPkcs12 } from '../../../functions/session/domain/vault/import.ts';
import { vault, vaultOf } from '../../../functions/session/domain/vault/vault.ts';
import { seedSandbox } from '../../../infra/local/seed/seed.ts';
import { writePkcs12 } from '../../../shared/pki/pkcs12/write.ts';
import { type ServedSandbox, serveSandbox } from '../../cli/sandbox.ts';
import { ownStores } from '../own-stores.ts';
import { type PlatformOptions, servePlatform } from './platform.ts';

const VAULT = ['52998224725', '12345678909', '56072386105', '87378011126', '47363361886', '15350946056'];

// The sandbox's own authority answers nobody here: its certificates make way for those of one that does.
async function emptyVault(): Promise<void> {
  for (const cpf of VAULT) for (const held of await vaultOf(cpf)) await vault.delete(held);
}

const PKCS12_ROUNDS = 1_000; // tests open files often, and keep nothing in them

async function fillVault({ authority }: ServedSandbox): Promise<void> {
  for (const cpf of VAULT)
    await importPkcs12(
      await writePkcs12(signerOf(authority, cpf), '1234', PKCS12_ROUNDS),
      '1234',
      Date.now(),
    );
}

/** The session server with a vault of real certificates, an authority that answers, and a platform to sign at. */
export async function sessionStage(options: PlatformOptions = {}) {
  const stopStores = await ownStores();
  const sandbox = await serveSandbox();
  const platform = await servePlatform(options);
  vi.stubEnv('Certificates__TrustAnchors', sandbox.pki('root.crt'));
  vi.stubEnv('Network__AllowPrivateAddresses', 'true');
  vi.stubEnv('Sessions__Epoch', 'the first');
  vi.stubEnv('Signer__BaseAddress', platform.url);
  vi.stubEnv('Signer__ApiKey', SANDBOX_KEY);
  await seedSandbox();
  await emptyVault();
  await fillVault(sandbox);
  return {
    sandbox,
    platform,
    async stop() {
      vi.unstubAllEnvs();
      platform.stop();
      sandbox.stop();
      await stopStores();
    },
  };
}
