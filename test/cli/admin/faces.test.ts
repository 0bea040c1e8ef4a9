import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Options } from '../../../cli/admin/command.ts';
import { commandFor } from '../../../cli/admin/commands.ts';
import { AdminRefusal } from '../../../shared/access/administration.ts';
import { application, aSubject, visitor } from '../../functions/pki/biometrics/calls.ts';
import { type BioStage, bioStage } from '../../functions/pki/biometrics/stage.ts';

let stage: BioStage;
let name: string;
beforeAll(async () => {
  stage = await bioStage();
  name = stage.key.split('|')[0] ?? '';
});
afterAll(() => stage.stop());

const admin = async (...words: string[]): Promise<string> => {
  const { run, rest, only } = commandFor(words);
  expect(only).toBe('pki');
  return run({ service: 'pki', permissions: [] } as unknown as Options, ...rest);
};

test('lists the faces of an application with their subjects, and deletes one at the provider and here', async () => {
  expect(await admin('faces', 'list', name)).toBe(`No face is kept for ${name}.`);
  const subject = aSubject();
  const app = application(stage.key);
  const start = () => app.start('enrollment', { subjectIdentifier: subject });
  await visitor(await start()).attempt();
  const listed = await admin('faces', 'list', name);
  expect(listed).toMatch(
    new RegExp(`^[0-9a-f-]{36}  ${subject.replace('+', '\\+')}  subject [0-9a-f-]{36}  enrolled`),
  );
  expect((await start()).status).toBe(422);

  const face = listed.slice(0, 36);
  expect(await admin('faces', 'delete', name, face.slice(0, 12))).toBe(
    `Deleted the face ${face} of ${subject} in ${name}.`,
  );
  expect(stage.asked.at(-1)).toContain(`"operation":"forget","gallery":"${name}","face":"${face}"`);
  expect(await admin('faces', 'list', name)).toBe(`No face is kept for ${name}.`);
  expect((await start()).status).toBe(200);
});

test('says which application or face it does not know, and that the provider does not answer', async () => {
  await expect(admin('faces', 'list', 'nobody-at-all')).rejects.toThrow(/no application "nobody-at-all"/);
  await expect(admin('faces', 'delete', name, '')).rejects.toThrow(/Name one face/);
  stage.otherwise = () => ({ status: 503, body: '' });
  const failed = admin('faces', 'list', name);
  await expect(failed).rejects.toThrow(/answered 503/);
  await expect(failed).rejects.toBeInstanceOf(AdminRefusal);
  stage.otherwise = () => undefined;
});
