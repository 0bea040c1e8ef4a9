import { randomBytes } from 'node:crypto';
import { putProfile, setKey } from '../../../functions/batch/profiles/domain/change-profile.ts';
import type { ProfileFields } from '../../../functions/batch/profiles/domain/fields.ts';
import {
  defaultProfiles,
  type Profile,
  profiles,
  readProfile,
} from '../../../functions/batch/profiles/domain/profile.ts';
import { openPassword, openPrivateKey } from '../../../functions/batch/profiles/domain/secrets.ts';
import type { SandboxAuthority } from '../../../functions/sandbox/authority/domain/authority.ts';
import { holderEntry } from '../../../functions/sandbox/authority/domain/holder-file.ts';
import { HOLDERS } from '../../../functions/sandbox/authority/domain/holders.ts';
import { SIGNER_FOLDER_ID, sandboxSigner } from '../../../functions/sandbox/sandbox-data.ts';
import { seal } from '../../../shared/keyring/seal.ts';
import { parseCertificate } from '../../../shared/pki/certificate/certificate.ts';
import type { Pkcs12Entry } from '../../../shared/pki/pkcs12/entries.ts';

const BY = 'sandbox';
const DEFAULT = 'default';
const DEGRADED = 'degraded';
const ACTIVE = '52998224725';
const EXPIRED = '12345678909';

/** A profile of the sandbox, and the holder whose certificate it signs with, where it has one. */
type Sample = { readonly fields: ProfileFields; readonly holder?: string };

const encryption = {
  password: 'sinete-local-password',
  salt: Buffer.from('sinete-local-salt').toString('base64'),
};

const approval = {
  quorum: 2,
  approvers: [
    { name: 'Ana Souza', email: 'ana@sandbox.example', cpf: ACTIVE },
    { name: 'Bruno Lima', email: 'bruno@sandbox.example', cpf: '47363361886' },
    { name: 'Carla Dias', email: 'carla@sandbox.example', cpf: '11144477735' },
  ],
  expiresAfter: 2 * 86_400,
};

const SAMPLES: readonly Sample[] = [
  { fields: { name: DEFAULT, inputFolder: 'inbox' }, holder: ACTIVE },
  {
    fields: { name: 'remessas', checkCnab240: true, preserveFileExtension: true, inputFolder: 'remessas' },
    holder: ACTIVE,
  },
  {
    fields: { name: 'aprovacao', checkCnab240: true, preserveFileExtension: true, approval },
    holder: ACTIVE,
  },
  {
    fields: {
      name: 'aprovacao-assinada',
      format: 'Cades',
      checkCnab240: true,
      preserveFileExtension: true,
      approval: { ...approval, signerSet: 'ProfileAndApprovers' },
    },
    holder: ACTIVE,
  },
  { fields: { name: 'encrypted', encryption }, holder: ACTIVE },
  { fields: { name: 'expired' }, holder: EXPIRED },
  { fields: { name: DEGRADED }, holder: ACTIVE },
  { fields: { name: 'disabled', enabled: false }, holder: ACTIVE },
  {
    fields: {
      name: 'signer',
      method: 'ExternalSigner',
      externalSigner: { signers: [sandboxSigner(ACTIVE, 1), sandboxSigner('47363361886', 2)] },
    },
  },
  {
    fields: {
      name: 'signer-folder',
      method: 'SignerFolder',
      signerFolder: { folderId: SIGNER_FOLDER_ID },
    },
    holder: ACTIVE,
  },
];

/** Seeds the sandbox's profiles. Changes of an operator stay. */
export async function seedProfiles(authority: SandboxAuthority): Promise<void> {
  const named = await defaultProfiles.get('default');
  await Promise.all(SAMPLES.map((sample) => seedProfile(authority, sample)));
  if (!named) await putProfile(BY, { name: DEFAULT, default: true }, Date.now());
}

async function seedProfile(authority: SandboxAuthority, { fields, holder }: Sample): Promise<void> {
  const { name } = fields;
  const known = await readProfile(name);
  if (holder === undefined) {
    if (!known) await putProfile(BY, fields, Date.now());
    return;
  }
  const entry = entryOf(authority, holder);
  if (known && !(await isOfAnotherStart(known, entry))) return;
  if (!known || known.encryption) await putProfile(BY, known ? { name, encryption } : fields, Date.now());
  if (name === DEGRADED) await breakKey(name, entry);
  else await setKey(BY, name, entry, Date.now());
}

/** Another sealing key than that of the store, other certificates than the authority's, or a start that was killed. */
async function isOfAnotherStart(known: Profile, { certificate }: Pkcs12Entry): Promise<boolean> {
  if (!known.certificate) return true;
  const held = parseCertificate(known.certificate);
  const isOurs = held.subject.text === certificate.subject.text;
  const opens = known.name === DEGRADED || ((await opensKey(known)) && (await opensEncryption(known)));
  return isOurs && (!opens || held.sha256 !== certificate.sha256);
}

const opensKey = async ({ name, sealedKey }: Profile): Promise<boolean> =>
  sealedKey !== undefined && 'plain' in (await openPrivateKey(name, sealedKey));

const opensEncryption = async ({ name, encryption: kept }: Profile): Promise<boolean> =>
  !kept || 'certificate' in kept || 'plain' in (await openPassword(name, kept.sealed));

/** Gives a profile the certificate with a key that is sealed with a key that nobody has. */
async function breakKey(name: string, { certificate, chain }: Pkcs12Entry): Promise<void> {
  const profile = await profiles.get(name);
  if (!profile) return;
  const sealedKey = seal({ secret: randomBytes(32), about: name }, name);
  const ders = { certificate: certificate.der, chain: chain.map(({ der }) => der) };
  await profiles.put({ ...profile, ...ders, sealedKey });
}

function entryOf(authority: SandboxAuthority, cpf: string): Pkcs12Entry {
  const holder = HOLDERS.find(({ name }) => name === cpf);
  if (!holder) throw new Error(`The sandbox has no holder ${cpf}.`);
  return holderEntry(authority, holder);
}
