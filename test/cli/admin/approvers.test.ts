import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { findAddress } from '../../../functions/batch/approvals/domain/portal-link.ts';
import {
  enrolments,
  newEnrolment,
} from '../../../functions/batch/approvals/domain/second-factor/enrolment.ts';
import { listEvents } from '../../../functions/batch/operations/domain/list-events.ts';
import { putProfile, removeProfile } from '../../../functions/batch/profiles/domain/change-profile.ts';
import { parseProfileFields } from '../../../functions/batch/profiles/domain/fields.ts';
import { ANA, BRUNO, CARLA } from '../../functions/batch/approvals/approval-stage.ts';
import { ownStores } from '../../functions/own-stores.ts';
import { forFile } from '../../runner/for-file.ts';
import { commandsOf } from './in-process.ts';

const SECRET = 'a-link-secret-of-32-characters-01';

await forFile(ownStores());
beforeEach(() => {
  vi.stubEnv('ApproverPortal__LinkSecret', SECRET);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const batch = commandsOf('batch');
const done = (...words: string[]) => batch.done(['approvers', ...words]);
const refused = (...words: string[]) => batch.refused(['approvers', ...words]);

const put = (name: string, approvers: readonly object[]) =>
  putProfile(
    'test',
    parseProfileFields({ name, approval: { quorum: 1, approvers } } as Parameters<
      typeof parseProfileFields
    >[0]),
    Date.now(),
  );

describe('npm run admin -- approvers', () => {
  test('lists everybody with their second factor and the profiles that name them today', async () => {
    expect(await done('list')).toBe('There are no approvers. A profile with an approval rule names them.');
    await put('folha', [{ ...ANA, email: 'Ana@Sandbox.example' }, BRUNO]);
    await put('impostos', [ANA]);
    await put('velho', [CARLA]);
    await removeProfile('test', 'velho', Date.now());
    const confirmedAtMs = Date.parse('2026-03-02T12:00:00Z');
    await enrolments.create({ ...newEnrolment(ANA.email, 'sealed'), pendingSecret: null, confirmedAtMs });
    await enrolments.create(newEnrolment(BRUNO.email, 'sealed'));
    expect((await done('list')).split('\n')).toEqual([
      'ana@sandbox.example  Ana Souza  ***.982.247-**  second factor since 2026-03-02T12:00:00.000Z; profiles: folha, impostos',
      'bruno@sandbox.example  Bruno Lima  ***.633.618-**  second factor pending; profiles: folha',
      'carla@sandbox.example  Carla Dias  ***.444.777-**  no second factor; profiles: none',
    ]);
  });

  test('prints the link of an approver, which the portal takes', async () => {
    const url = await done('link', 'ANA@sandbox.example');
    expect(url).toMatch(/\/batch\/approvals\/link\/[\w-]{43}$/);
    expect(await findAddress(url.split('/').at(-1) ?? '')).toBe(ANA.email);
  });

  test('prints no link for an address that nobody knows, nor without the secret', async () => {
    expect(await refused('link', 'anna@sandbox.example')).toBe(
      'No profile names an approver anna@sandbox.example. Did you mean ana@sandbox.example? See: approvers list',
    );
    vi.stubEnv('ApproverPortal__LinkSecret', '');
    expect(await refused('link', ANA.email)).toContain('ApproverPortal__LinkSecret');
  });

  test('resets a second factor once, and records who did', async () => {
    expect(await done('reset-second-factor', ANA.email)).toContain('Removed the second factor of ana@');
    expect(await refused('reset-second-factor', ANA.email)).toBe(
      'ana@sandbox.example has no second factor. See: approvers list',
    );
    expect(await refused('reset-second-factor', 'nobody@elsewhere.example')).toContain('No profile names');
    const { items } = await listEvents({ type: 'SecondFactorReset', page: 1, pageSize: 5 });
    expect(items).toMatchObject([{ by: expect.stringMatching(/^admin ./) }]);
  });
});
