import { isDeepStrictEqual } from 'node:util';
import { AdminRefusal } from '../../../../shared/access/administration.ts';
import type { Pkcs12Entry } from '../../../../shared/pki/pkcs12/entries.ts';
import { localKey } from '../../../../shared/signing/key.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { recordingEvent } from '../../operations/domain/events.ts';
import { type Sentence, say } from '../../sentences/sentences.ts';
import { recordApprovers } from './approvers.ts';
import { forgetBoundFolders } from './bound-folders.ts';
import { forgetDegraded } from './degraded.ts';
import type { ProfileFields } from './fields.ts';
import { forgetDefault } from './find-profile.ts';
import { mergeFields } from './merge-fields.ts';
import {
  type CloudAuthorization,
  type CloudCertificate,
  defaultProfiles,
  profiles,
  readWithDefault,
  type StoredProfile,
} from './profile.ts';
import { sealPrivateKey } from './secrets.ts';

/** What an edit did; `changed` names fields and never holds a value. */
export type ProfileEdit = {
  readonly name: string;
  readonly created: boolean;
  readonly changed: readonly string[];
};

/** The profile as the editor saw it: without a version there was none. */
type Seen = { readonly version: string | undefined };

/** Another edit came first. Nothing was changed by this one. */
export class ProfileChanged extends Error {
  constructor(name: string) {
    super(`Profile ${name} was changed meanwhile. Read it again.`);
  }
}

/**
 * Creates a profile, or changes the fields that are given. Throws AdminRefusal, or ProfileChanged where the profile is
 * not the one that was seen.
 */
export const putProfile = (
  by: string,
  fields: ProfileFields,
  nowMs: number,
  seen?: Seen,
): Promise<ProfileEdit> =>
  edit(by, fields.name, { create: true, isDefault: fields.default, next: mergeFields(fields), seen }, nowMs);

/** A disabled profile takes no new work; jobs already queued finish. Throws AdminRefusal. */
export const setEnabled = (by: string, name: string, enabled: boolean, nowMs: number) =>
  edit(by, name, { next: (current) => ({ ...current, enabled }) }, nowMs);

/** Makes a profile the default one, in the place of the one before. Throws AdminRefusal. */
export const setDefault = (by: string, name: string, nowMs: number) =>
  edit(by, name, { isDefault: true, next: (current) => current }, nowMs);

/** Gives a profile its key and certificate. Throws AdminRefusal, or SigningRefused for a key that cannot sign. */
export async function setKey(
  by: string,
  name: string,
  entry: Pkcs12Entry,
  nowMs: number,
): Promise<ProfileEdit> {
  const { privateKey, certificate, chain } = entry;
  localKey(privateKey, certificate, chain);
  const key = {
    certificate: Uint8Array.from(certificate.der),
    chain: chain.map(({ der }) => Uint8Array.from(der)),
    sealedKey: await sealPrivateKey(name, privateKey),
  };
  const next = (current: StoredProfile): StoredProfile => {
    if (current.cloudCertificate)
      throw new AdminRefusal(`${name} signs with a cloud certificate: set cloudCertificate to null first.`);
    return { ...current, ...key };
  };
  return edit(by, name, { next }, nowMs);
}

/** Gives a profile the authorization of the cloud certificate that it had when it was begun. Throws AdminRefusal. */
export const setCloudAuthorization = (
  by: string,
  name: string,
  { cloudCertificate, authorization }: AuthorizedCertificate,
  nowMs: number,
): Promise<ProfileEdit> => {
  const next = (current: StoredProfile): StoredProfile => {
    if (!isDeepStrictEqual(current.cloudCertificate, cloudCertificate))
      throw new AdminRefusal(`The cloud certificate of ${name} was changed meanwhile. Authorize it again.`);
    return { ...current, cloudAuthorization: authorization };
  };
  return edit(by, name, { next }, nowMs);
};

type AuthorizedCertificate = {
  readonly cloudCertificate: CloudCertificate;
  readonly authorization: CloudAuthorization;
};

type Edit = { readonly seen?: Seen | undefined } & (
  | {
      readonly create: true;
      readonly isDefault: boolean | undefined;
      readonly next: (current: StoredProfile | undefined) => Promise<StoredProfile>;
    }
  | {
      readonly create?: false;
      readonly isDefault?: boolean;
      readonly next: (current: StoredProfile) => StoredProfile;
    }
);

const edit = (by: string, name: string, asked: Edit, nowMs: number): Promise<ProfileEdit> =>
  retryOnConflict(
    async () => {
      const [current, named] = await readWithDefault(name);
      if (asked.seen && asked.seen.version !== current?.version) throw new ProfileChanged(name);
      const next = asked.create ? await asked.next(current) : asked.next(requireFound(name, current));
      const wasDefault = named?.profileName === name;
      const isDefault = asked.isDefault ?? wasDefault;
      if (isDefault && next.method === 'SignerFolder')
        throw new AdminRefusal(
          `${name} takes no files, so it cannot be the default profile: uploads that name none would be refused.`,
        );
      const patch = differences(current, next);
      const changed = [...fieldsOf(patch), ...(isDefault === wasDefault ? [] : ['default'])];
      const result = { name, created: current === undefined, changed };
      if (current && changed.length === 0) return result;
      if (patch.approval) await recordApprovers(patch.approval);
      const what = say(current ? 'profile.changed' : 'profile.created', { name, fields: changed.join(', ') });
      await commit([
        current ? profiles.changing(current, patch) : profiles.creating(next),
        ...(isDefault === wasDefault ? [] : [namingDefault(named, isDefault ? name : undefined)]),
        ...recordingEdit(by, name, what, nowMs),
      ]);
      forget();
      return result;
    },
    { mayCreate: true },
  );

/** Removes a profile. The default one is refused: uploads that name none would be refused too. Throws AdminRefusal. */
export const removeProfile = (by: string, name: string, nowMs: number): Promise<void> =>
  retryOnConflict(
    async () => {
      const [found, named] = await readWithDefault(name);
      const current = requireFound(name, found);
      if (named?.profileName === name)
        throw new AdminRefusal(`${name} is the default profile. Make another one the default first.`);
      // The default must not come to name a profile that is gone:
      //
      //   remove a     |--reads: the default is b------------------- writes: refused, reads again
      //   default a        |--reads a-- writes: the default is a --|
      await commit([
        profiles.deleting(current),
        named ? defaultProfiles.unchanged(named) : defaultProfiles.creating({}),
        ...recordingEdit(by, name, say('profile.removed', { name }), nowMs),
      ]);
      forget();
    },
    { mayCreate: true },
  );

function forget(): void {
  forgetDefault();
  forgetDegraded();
  forgetBoundFolders();
}

type Named = Parameters<typeof defaultProfiles.changing>[0];

const namingDefault = (current: Named | undefined, profileName: string | undefined): Write =>
  current
    ? defaultProfiles.changing(current, { profileName } as { profileName?: string })
    : defaultProfiles.creating(profileName === undefined ? {} : { profileName });

const recordingEdit = (by: string, profileName: string, message: Sentence, nowMs: number): Write[] =>
  recordingEvent({ type: 'ProfileChanged', message, profileName, by }, nowMs);

export function requireFound<T>(name: string, profile: T | undefined): T {
  if (profile) return profile;
  throw new AdminRefusal(`There is no profile "${name}". See: npm run admin -- profiles list`);
}

/** The fields of `next` that differ, and those that it no longer has, as undefined. */
function differences(
  current: Stored<StoredProfile> | undefined,
  next: StoredProfile,
): Partial<StoredProfile> {
  const before: Readonly<Record<string, unknown>> = { ...current };
  const after: Readonly<Record<string, unknown>> = { ...next };
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const differing = names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
  return Object.fromEntries(differing.map((name) => [name, after[name]]));
}

// An operator knows of one key, and not of the fields that hold it.
const SHOWN_AS: Readonly<Record<string, string>> = {
  certificate: 'key',
  chain: 'key',
  sealedKey: 'key',
  cloudAuthorization: 'cloudCertificate',
};

const fieldsOf = (patch: Partial<StoredProfile>): string[] => {
  const names = Object.keys(patch).filter((name) => name !== 'name');
  const [own, others] = [names.filter((name) => !SHOWN_AS[name]), names.filter((name) => SHOWN_AS[name])];
  return [...new Set([...own, ...others.map((name) => SHOWN_AS[name] ?? name)])];
};
