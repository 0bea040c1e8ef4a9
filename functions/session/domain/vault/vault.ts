import { createHash } from 'node:crypto';
import { unlessThrown } from '../../../../shared/errors/expected.ts';
import { type Opened, openStoredBytes, sealStored } from '../../../../shared/keyring/stored.ts';
import {
  type Certificate,
  CertificateMalformed,
  parseCertificate,
} from '../../../../shared/pki/certificate/certificate.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { readPartition } from '../../../../shared/store/partition.ts';

/**
 * The partition of all certificates of a CPF, in the vault and at workstations: a session is created by one read of it. A
 * holder has a few, expired ones included.
 */
export const certificatesKey = (cpf: string): string => `CERTIFICATES#${cpf}`;

/** The beginning of the sort keys of those in the vault. */
const VAULT_PREFIX = 'VAULT#';

/** A certificate file as it was imported. It opens with a key of the ring and the PIN, which the server does not keep. */
export type VaultCertificate = {
  readonly cpf: string;
  readonly sha256: string;
  /** The certificate alone, to judge and show it without the PIN. Absent where it is not held. */
  readonly der?: Uint8Array;
  /** The certificates above it in the file, issuer first. Absent where it was imported without them. */
  readonly chain?: readonly Uint8Array[];
  readonly sealedPkcs12: string;
  /** Identifies the file: the same certificate under another password is another one. */
  readonly fileHash: string;
  readonly importedAtMs: number;
};

type Id = Pick<VaultCertificate, 'cpf' | 'sha256'>;

export const vault = collection<VaultCertificate, Id>({
  service: 'session',
  name: 'vault certificate',
  id: ({ cpf, sha256 }) => ({ cpf, sha256 }),
  key: ({ cpf, sha256 }) => ({ pk: certificatesKey(cpf), sk: `${VAULT_PREFIX}${sha256}` }),
});

/** Every certificate of the vault for a CPF. */
export const vaultOf = async (cpf: string): Promise<readonly Stored<VaultCertificate>[]> =>
  (await readPartition('session', certificatesKey(cpf), VAULT_PREFIX)).map(vault.read);

/** The certificate alone, where its data is held and readable. */
export function certificateOf({ der }: Pick<VaultCertificate, 'der'>): Certificate | undefined {
  return unlessThrown(CertificateMalformed, () => der && parseCertificate(der));
}

/** The certificates of its authorities that came with it. */
export const chainOf = ({ chain = [] }: Pick<VaultCertificate, 'chain'>): Certificate[] =>
  chain.flatMap((der) => unlessThrown(CertificateMalformed, () => parseCertificate(der)) ?? []);

// The holder is sealed in: a file that is copied to another CPF does not open there.
const sealedOf = ({ cpf, sha256 }: Id) => ({ about: JSON.stringify(['vault certificate', cpf, sha256]) });

/** The fields that hold a file. */
export const sealFile = async (
  id: Id,
  pkcs12: Uint8Array,
): Promise<Pick<VaultCertificate, 'sealedPkcs12' | 'fileHash'>> => ({
  sealedPkcs12: await sealStored(sealedOf(id), pkcs12),
  fileHash: createHash('sha256').update(pkcs12).digest('base64url'),
});

/** The file, still closed by its PIN, or why its seal does not open. */
export const openFile = (held: VaultCertificate): Promise<Opened<Buffer>> =>
  openStoredBytes(sealedOf(held), held.sealedPkcs12);
