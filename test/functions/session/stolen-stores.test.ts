import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { importPkcs12 } from '../../../functions/session/domain/vault/import.ts';
import { agents } from '../../../functions/session/domain/workstations/agent.ts';
import { openUnder } from '../../../shared/keyring/envelope.ts';
import { BrokenPkcs12, WrongPassword } from '../../../shared/pki/pkcs12/errors.ts';
import { openPkcs12 } from '../../../shared/pki/pkcs12/open.ts';
import { writePkcs12 } from '../../../shared/pki/pkcs12/write.ts';
import { commonSettings } from '../../../shared/settings/common.ts';
import type { Ring } from '../../../shared/settings/keyring.ts';
import { privateKeyIn } from '../../../shared/workstation/keys.ts';
import { anyCpf } from '../../agent/holders.ts';
import { forFile } from '../../runner/for-file.ts';
import { everyItem } from '../../stores/whole-table.ts';
import { issueCertificate } from './issue-certificate.ts';
import { sessionStage } from './stage.ts';
import { enrolTestAgent } from './test-agent.ts';

// A thief has a copy of every table, reads our code, and tries every PIN of four digits. One round each: a real file only
// makes the same search longer.

const [PIN, ROUNDS] = ['0420', 1];
const cpf = anyCpf();
const stage = await forFile(sessionStage());
const issued = await issueCertificate(stage.sandbox, { cpf, pin: PIN });
await importPkcs12(await writePkcs12(issued, PIN, ROUNDS), PIN, Date.now());
const agent = await enrolTestAgent({ cpf });

/** Every text and every byte string of an attribute. */
function* leavesOf(value: AttributeValue): Generator<string | Uint8Array> {
  if (value.S !== undefined) yield value.S;
  if (value.B) yield value.B;
  for (const each of value.L ?? Object.values(value.M ?? {})) yield* leavesOf(each);
}

/** What a thief makes of a leaf: the bytes that it is or encodes, its parts, and what keys that he has open of it. */
function* readingsOf(leaf: string | Uint8Array, ring: Ring, abouts: readonly string[]): Generator<Buffer> {
  if (typeof leaf !== 'string') return yield Buffer.from(leaf);
  for (const part of [leaf, ...leaf.split('.')])
    for (const encoding of ['latin1', 'base64', 'base64url', 'hex'] as const)
      yield Buffer.from(part, encoding);
  for (const key of ring)
    for (const about of abouts) {
      const plain = openUnder(key, { about }, leaf);
      if (plain) yield plain;
    }
}

async function readStolen(ring: Ring): Promise<Buffer[]> {
  const readings: Buffer[] = [];
  for (const item of await everyItem('session')) {
    // The sandbox's own files have a thousand rounds each: ours stands for them.
    const keys = item.cpf?.S === cpf ? ring : [];
    const sha256 = item.sk?.S?.replace('VAULT#', '') ?? '';
    const id = item.id?.S ?? '';
    const abouts = [
      ['vault certificate', item.cpf?.S, sha256],
      ['agent server key', id],
    ].map((about) => JSON.stringify(about));
    for (const value of Object.values(item))
      for (const leaf of leavesOf(value)) readings.push(...readingsOf(leaf, keys, abouts));
  }
  return readings;
}

/** Whether these bytes are a certificate file: one that is none is refused before any password counts. */
const isFile = (bytes: Buffer): Promise<boolean> =>
  openPkcs12(bytes, 'no PIN').then(
    () => true,
    (error: unknown) => {
      if (error instanceof WrongPassword) return true;
      expect(error).toBeInstanceOf(BrokenPkcs12);
      return false;
    },
  );

/** Tries every PIN of four digits. */
async function crack(file: Buffer): Promise<string | undefined> {
  for (let n = 0; n < 10_000; n++) {
    const pin = String(n).padStart(4, '0');
    if (await openPkcs12(file, pin).then(Boolean, () => false)) return pin;
  }
  return undefined;
}

async function steal(ring: Ring) {
  const readings = await readStolen(ring);
  const pins: (string | undefined)[] = [];
  for (const bytes of readings) if (await isFile(bytes)) pins.push(await crack(bytes));
  const keys = readings.filter((bytes) => privateKeyIn(bytes.toString('latin1'), 'ed25519') !== undefined);
  return { pins, keys: keys.length };
}

test('a copy of the table opens nothing, whatever the PIN: there is no file in it to try one on, and no key', async () => {
  expect(await agents.get(agent.agentId)).toBeDefined();
  expect(await steal([])).toEqual({ pins: [], keys: 0 });
});

test('the same search finds the PIN and the key of the agent with the ring: so it is the ring that keeps them', async () => {
  expect(await steal(commonSettings['Sealing:Keys'])).toEqual({ pins: [PIN], keys: 1 });
});
