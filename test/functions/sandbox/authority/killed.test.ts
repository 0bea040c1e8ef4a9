import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { crlAddresses } from '../../../../shared/pki/extensions/locations.ts';
import { openPkcs12 } from '../../../../shared/pki/pkcs12/open.ts';
import { cleanUp, startEngineProcess } from '../../../infra/local/engine/engine-process.ts';

afterAll(cleanUp);

// The first engine is killed while it writes its files, and another one goes on with its folder, on another port:
//
//   first   |--authority stored-- files begun  X kill -9
//   second                                        |--authority issued for its address-- files written whole --|
test('an engine after one that was killed while it made the authority has all its files, and none of the draft', async () => {
  const killed = await startEngineProcess();
  const begun = () => ['pki', 'pki.draft'].some((name) => existsSync(join(killed.dataDir, name)));
  while (!begun() && killed.process.exitCode === null) await pause(2);
  killed.process.kill('SIGKILL');
  await killed.exited;
  const engine = await startEngineProcess({ dataDir: killed.dataDir });
  await engine.ready();

  const pki = (...path: string[]) => join(engine.dataDir, 'pki', ...path);
  expect(existsSync(`${pki()}.draft`)).toBe(false);
  expect(existsSync(pki('root.crt'))).toBe(true);
  expect(readdirSync(pki('holders'))).toHaveLength(8);
  const { entries } = await openPkcs12(readFileSync(pki('holders', '52998224725.p12')), '1234');
  const addresses = entries.map(({ certificate }) => crlAddresses(certificate));
  expect(addresses).toEqual([[`${engine.url}/sandbox/pki/intermediate.crl`]]);
});
