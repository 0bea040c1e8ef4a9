import { AdminRefusal } from '../../../../../shared/access/administration.ts';
import { BrokenPkcs12, UnsupportedPkcs12, WrongPassword } from '../../../../../shared/pki/pkcs12/errors.ts';
import { SigningRefused } from '../../../../../shared/signing/errors.ts';
import { errors } from '../../../errors.ts';
import {
  ProfileChanged,
  putProfile,
  removeProfile,
  setDefault,
  setEnabled,
  setKey,
} from '../../../profiles/domain/change-profile.ts';
import { parseProfileFields } from '../../../profiles/domain/fields.ts';
import { listProfiles, type Profile, readProfile } from '../../../profiles/domain/profile.ts';
import { readKeyFile } from '../../../profiles/domain/read-key-file.ts';
import { showProfile } from '../../../profiles/domain/render-profile.ts';
import { leadTo } from '../../pages/done.ts';
import type { Params, Section, SubmitForm, Visit } from '../../visit.ts';
import { toFields } from './editor/to-fields.ts';
import { readValues } from './editor/values.ts';
import { NAME_TAKEN, newProfilePage, profilePage, type Refused } from './profile-page.ts';
import { profileWords } from './profile-words.ts';
import { profilesPage } from './profiles-page.ts';

async function requireProfile({ name = '' }: Params): Promise<Profile> {
  const profile = await readProfile(name.toLowerCase());
  if (!profile) throw errors.refuse('profile.not-found', { name }, { status: 404 });
  return profile;
}

const pathOf = (name: string): string => `profiles/${name}`;

const create: SubmitForm = async (visit, _params, form) => {
  const values = readValues(form);
  const name = values.texts.name ?? '';
  try {
    const fields = parseProfileFields(await toFields(name, values, undefined));
    await putProfile(visit.operator.application, fields, visit.nowMs, { version: undefined });
  } catch (error) {
    if (error instanceof ProfileChanged) {
      const taken = [{ field: 'name', message: NAME_TAKEN }];
      return newProfilePage(visit, { values, fields: taken, problem: NAME_TAKEN });
    }
    if (!(error instanceof AdminRefusal)) throw error;
    return newProfilePage(visit, { values, fields: error.fields, problem: error.message });
  }
  return leadTo(pathOf(name), 'created');
};

const save: SubmitForm = async (visit, params, form) => {
  const profile = await requireProfile(params);
  const { name, version } = profile;
  // Lost update: the form has every field, so it would undo what somebody else has changed since it was shown.
  const problem = profileWords(visit.language).changedMeanwhile;
  if (form.text('version') !== version) return profilePage(visit, profile, { status: 409, problem });
  const values = readValues(form);
  try {
    const fields = parseProfileFields(await toFields(name, values, profile));
    await putProfile(visit.operator.application, fields, visit.nowMs, { version });
  } catch (error) {
    if (error instanceof ProfileChanged)
      return profilePage(visit, await requireProfile(params), { status: 409, problem });
    if (!(error instanceof AdminRefusal)) throw error;
    const { cannotDefault } = profileWords(visit.language);
    return profilePage(visit, profile, { values, fields: error.fields, problem: cannotDefault });
  }
  return leadTo(pathOf(name), 'saved');
};

const importKey: SubmitForm = async (visit, params, form) => {
  const profile = await requireProfile(params);
  const file = form.file('file');
  if (!file) return profilePage(visit, profile, { key: { file: profileWords(visit.language).noFile } });
  try {
    const entry = await readKeyFile(file, form.text('password'));
    await setKey(visit.operator.application, profile.name, entry, visit.nowMs);
  } catch (error) {
    const key = keyProblem(visit, error);
    if (!key) throw error;
    return profilePage(visit, profile, { key });
  }
  return leadTo(pathOf(profile.name), 'key');
};

const UNSUPPORTED = {
  algorithm: 'unsupportedAlgorithm',
  iterations: 'unsupportedIterations',
  size: 'unsupportedSize',
  protection: 'unsupportedProtection',
  key: 'unsupportedKey',
} as const satisfies Record<UnsupportedPkcs12['reason'], string>;

/** What is wrong with a key file, at its field. Undefined for a failure that is not the file's. */
function keyProblem({ language }: Visit, error: unknown): Refused['key'] | undefined {
  const words = profileWords(language);
  if (error instanceof WrongPassword) return { password: words.wrongPassword };
  if (error instanceof BrokenPkcs12) return { file: words.brokenFile };
  if (error instanceof UnsupportedPkcs12) return { file: words[UNSUPPORTED[error.reason]] };
  const isOfFile = [SigningRefused, AdminRefusal].some((kind) => error instanceof kind);
  return isOfFile ? { file: (error as Error).message } : undefined;
}

type Change = (by: string, name: string, nowMs: number) => Promise<unknown>;

/** A change by one button. It is refused where the profile is not one for it. */
const changing =
  (change: Change, done: string, refusal: 'cannotDefault' | 'cannotRemove', leadsTo = pathOf): SubmitForm =>
  async (visit, params) => {
    const profile = await requireProfile(params);
    try {
      await change(visit.operator.application, profile.name, visit.nowMs);
    } catch (error) {
      if (!(error instanceof AdminRefusal)) throw error;
      return profilePage(visit, profile, { status: 409, problem: profileWords(visit.language)[refusal] });
    }
    return leadTo(leadsTo(profile.name), done);
  };

const setting =
  (enabled: boolean): Change =>
  (by, name, nowMs) =>
    setEnabled(by, name, enabled, nowMs);

/** The profiles: their state, their editor and their keys. */
export const profiles: Section = {
  pages: {
    profiles: async (visit) => {
      const all = await listProfiles();
      return profilesPage(visit, await Promise.all(all.map(showProfile)));
    },
    'profiles/{name}': async (visit, params) => profilePage(visit, await requireProfile(params)),
    // Not below `profiles/`: a profile may have any name.
    'new-profile': (visit) => newProfilePage(visit),
  },
  forms: {
    'profiles/new': create,
    'profiles/{name}/save': save,
    'profiles/{name}/key': importKey,
    'profiles/{name}/enable': changing(setting(true), 'enabled', 'cannotDefault'),
    'profiles/{name}/disable': changing(setting(false), 'disabled', 'cannotDefault'),
    'profiles/{name}/default': changing(setDefault, 'default', 'cannotDefault'),
    'profiles/{name}/remove': changing(removeProfile, 'removed', 'cannotRemove', () => 'profiles'),
  },
};
