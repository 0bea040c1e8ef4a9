import { collection, getBoth, type Stored } from '../../../../shared/store/collection.ts';
import { eachItem } from '../../../../shared/store/cursor.ts';
import { readTogether } from '../../../../shared/store/group/read.ts';

export const METHODS = ['Local', 'ExternalSigner', 'SignerFolder'] as const;
export const FORMATS = ['Pades', 'Cades', 'Xades'] as const;
export const SIGNER_SETS = ['Profile', 'Approvers', 'ProfileAndApprovers'] as const;

/** Names of profiles and of input folders. They are safe in paths, labels and logs. */
export const PROFILE_NAME = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;

export type Approval = {
  /** Approvals that release a job. */
  readonly quorum: number;
  readonly approvers: readonly { readonly name: string; readonly email: string; readonly cpf: string }[];
  readonly expiresAfterSeconds?: number;
  readonly signerSet: (typeof SIGNER_SETS)[number];
};

/** Whom the external service asks to sign, and where it keeps the document. */
export type ExternalSigner = {
  /** Those of one step sign side by side; steps follow one another. */
  readonly signers: readonly {
    readonly name: string;
    readonly cpf: string;
    readonly email: string;
    readonly step: number;
  }[];
  /** Without one, the root. */
  readonly folderId?: string;
  /** Without it, the document does not expire there. */
  readonly expiresAfterDays?: number;
};

/** How outputs are encrypted. Password and salt are sealed together; a certificate is public. */
export type Encryption = { readonly sealed: string } | { readonly certificate: Uint8Array };

/** A certificate at a cloud provider, which signs in place of the key. */
export type CloudCertificate = {
  /** The CPF or CNPJ of its holder. */
  readonly identifier: string;
  /** As the hub names it. Without one, any provider that holds such a certificate. */
  readonly provider?: string;
  /** Its name at the provider. Without one, the valid one that was issued last. */
  readonly certificateAlias?: string;
};

/** What the holder has allowed at the provider. */
export type CloudAuthorization = {
  /** The hub's session, which signs. It opens for this name alone. */
  readonly sealedSession: string;
  readonly certificate: Uint8Array;
  readonly chain: readonly Uint8Array[];
  readonly alias: string;
  /** When it ends at the latest: the provider may have granted less. The hub's refusal sets it. */
  readonly expiresAtMs: number;
};

/** A profile as the store keeps it: how its jobs are signed. */
export type StoredProfile = {
  readonly name: string;
  /** A disabled profile takes no new work; jobs already queued finish. */
  readonly enabled: boolean;
  readonly method: (typeof METHODS)[number];
  /** Without one, the extension of the file decides. */
  readonly format?: (typeof FORMATS)[number];
  readonly verify: boolean;
  readonly validateCertificate: boolean;
  readonly preserveFileExtension: boolean;
  readonly saveAsPem: boolean;
  readonly checkCnab240: boolean;
  readonly checkCnab240PaymentDates: boolean;
  /** Left out in profiles that are older than it: false. */
  readonly checkCnab240LotSums?: boolean;
  readonly timestamp: boolean;
  readonly encryption?: Encryption;
  readonly inputFolder?: string;
  readonly approval?: Approval;
  readonly externalSigner?: ExternalSigner;
  readonly signerFolder?: { readonly folderId: string };
  /** The certificate and the ones above it, issuer first, in DER. */
  readonly certificate?: Uint8Array;
  readonly chain?: readonly Uint8Array[];
  /** The private key. It opens for this name alone. */
  readonly sealedKey?: string;
  readonly cloudCertificate?: CloudCertificate;
  /** Of the cloud certificate. A change of the certificate removes it. */
  readonly cloudAuthorization?: CloudAuthorization;
};

/** The certificate that a profile signs with, in DER. */
export const certificateOf = ({
  certificate,
  cloudCertificate,
  cloudAuthorization,
}: StoredProfile): Uint8Array | undefined =>
  cloudCertificate ? cloudAuthorization?.certificate : certificate;

/** A profile as it was read. `default` is not its own: one item names the default profile. */
export type Profile = Stored<StoredProfile> & { readonly default: boolean };

const ALL = 'PROFILES';
const PREFIX = 'PROFILE#';

// One partition: there are hundreds at most, and a list reads them all.
export const profiles = collection<StoredProfile, string>({
  service: 'batch',
  name: 'profile',
  id: ({ name }) => name,
  key: (name) => ({ pk: ALL, sk: `${PREFIX}${name}` }),
});

/** Names the default profile. There is one such item, so there is at most one default, whoever writes at once. */
export const defaultProfiles = collection<{ readonly profileName?: string }, 'default'>({
  service: 'batch',
  name: 'default profile',
  id: () => 'default',
  key: () => ({ pk: ALL, sk: 'DEFAULT' }),
});

/** A profile and the item that names the default one, in one request. */
export const readWithDefault = (name: string) =>
  getBoth([profiles, name] as const, [defaultProfiles, 'default'] as const);

/** The profile of this exact name, in one request with other reads of the process. A text that can be no name, such as one longer than a key of the store, has none. */
export async function readProfile(name: string): Promise<Profile | undefined> {
  if (!PROFILE_NAME.test(name)) return undefined;
  const [profile, byDefault] = await Promise.all([
    readTogether(profiles, name),
    readTogether(defaultProfiles, 'default'),
  ]);
  return profile && { ...profile, default: byDefault?.profileName === name };
}

/** All profiles, sorted by name. */
export async function listProfiles(): Promise<readonly Profile[]> {
  const [found, byDefault] = await Promise.all([
    Array.fromAsync(eachItem(profiles, { pk: ALL, skPrefix: PREFIX })),
    defaultProfiles.get('default'),
  ]);
  return found.map((profile) => ({ ...profile, default: byDefault?.profileName === profile.name }));
}
