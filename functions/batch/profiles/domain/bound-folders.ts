import { unlessThrown } from '../../../../shared/errors/expected.ts';
import { CertificateMalformed, parseCertificate } from '../../../../shared/pki/certificate/certificate.ts';
import { icpBrasilIdentity } from '../../../../shared/pki/icp-brasil/icp-brasil.ts';
import { commonSettings } from '../../../../shared/settings/common.ts';
import { cached } from '../../../../shared/store/cached.ts';
import { readTogether } from '../../../../shared/store/group/read.ts';
import { degradedReasonOf } from './open-profile.ts';
import { certificateOf, listProfiles, type Profile, profiles } from './profile.ts';

/** A profile that signs the documents of a folder of the external service. */
export type BoundProfile = {
  readonly name: string;
  readonly version: string;
  /** Of the certificate holder. Undefined where the certificate names none, or there is none. */
  readonly cpf: string | undefined;
  /** A degraded profile takes no new documents: they wait until it can sign. */
  readonly isDegraded: boolean;
};

/** The enabled profiles of each bound folder, sorted by name. */
export type BoundFolders = ReadonlyMap<string, readonly BoundProfile[]>;

const recent = cached<BoundFolders>({
  name: 'batch.bound-folders',
  read: readBoundFolders,
  ttlMs: () => commonSettings['Access:CacheSeconds'] * 1000,
});

/** Ids of folders are compared without regard to case. */
export const folderKeyOf = (folderId: string): string => folderId.toLowerCase();

/** Whether a profile signs the documents of a folder. */
export const isBoundTo = (
  { method, signerFolder }: Profile,
  { folderId }: { readonly folderId: string },
): boolean =>
  method === 'SignerFolder' &&
  signerFolder !== undefined &&
  folderKeyOf(signerFolder.folderId) === folderKeyOf(folderId);

/** The folders of the external service that enabled profiles sign, by key. As old as Access:CacheSeconds at most. */
export const boundFolders = async (): Promise<BoundFolders> => (await recent.get('all')) ?? new Map();

/**
 * The enabled profiles that sign the documents of a folder, as they are now: one that was disabled takes no document, and
 * no document is judged by the holder of a key that was replaced.
 */
export async function profilesBoundTo(folderId: string): Promise<readonly BoundProfile[]> {
  const known = (await boundFolders()).get(folderKeyOf(folderId)) ?? [];
  const current = await Promise.all(known.map(({ name }) => readTogether(profiles, name)));
  if (known.every(({ version }, at) => version === current[at]?.version)) return known;
  forgetBoundFolders();
  return (await boundFolders()).get(folderKeyOf(folderId)) ?? [];
}

/** Reads them again at the next call, after a change by this process. */
export const forgetBoundFolders = (): void => recent.drop('all');

async function readBoundFolders(): Promise<BoundFolders> {
  const bound = new Map<string, BoundProfile[]>();
  for (const profile of await listProfiles()) {
    if (profile.method !== 'SignerFolder' || !profile.signerFolder || !profile.enabled) continue;
    const key = folderKeyOf(profile.signerFolder.folderId);
    bound.set(key, [...(bound.get(key) ?? []), await boundProfileOf(profile)]);
  }
  return bound;
}

const boundProfileOf = async (profile: Profile): Promise<BoundProfile> => ({
  name: profile.name,
  version: profile.version,
  cpf: holderOf(profile),
  isDegraded: (await degradedReasonOf(profile)) !== undefined,
});

/** The CPF that the certificate of a profile names. */
export function holderOf(profile: Profile): string | undefined {
  const certificate = certificateOf(profile);
  return unlessThrown(
    CertificateMalformed,
    () => certificate && icpBrasilIdentity(parseCertificate(certificate)).cpf,
  );
}
