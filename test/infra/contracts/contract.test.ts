import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contractOf } from '../../../infra/build/function-files.ts';
import { sampleRepository } from '../sample-repository.ts';

let root: string;
beforeAll(async () => {
  root = await sampleRepository({
    'functions/hub/contract.ts': `export const Session = 'session';\n`,
    'functions/hub/contract/people.ts': `export const Person = 'person';\nexport { Session } from '../contract.ts';\n`,
    'functions/hub/contract/events/signed.ts': `export const Signed = 'signed';\n`,
    'functions/pki/contract.ts': `export const Session = 'session';\n`,
    'functions/pki/contract/people.ts': `export const Session = 'another';\n`,
  });
});
afterAll(() => rm(root, { recursive: true, force: true }));

test('a contract is what contract.ts and the files below contract/ export', async () => {
  expect(await contractOf('hub', root)).toEqual({ Session: 'session', Person: 'person', Signed: 'signed' });
});

test('a name that two files give to two shapes is refused, with both files', async () => {
  await expect(contractOf('pki', root)).rejects.toThrow(
    'functions/pki/contract/people.ts and functions/pki/contract.ts export different shapes as Session.',
  );
});
