import { readFileSync } from 'node:fs';
import {
  certificateNoticeOf,
  describeNotice,
} from '../../functions/batch/profiles/domain/certificate-notice.ts';
import {
  type ProfileEdit,
  putProfile,
  removeProfile,
  requireFound,
  setDefault,
  setEnabled,
  setKey,
} from '../../functions/batch/profiles/domain/change-profile.ts';
import { parseProfileFields } from '../../functions/batch/profiles/domain/fields.ts';
import { findDegradedReason } from '../../functions/batch/profiles/domain/missing-folders.ts';
import {
  certificateOf,
  listProfiles,
  type Profile,
  readProfile,
} from '../../functions/batch/profiles/domain/profile.ts';
import { readKeyFile } from '../../functions/batch/profiles/domain/read-key-file.ts';
import { readCertificate, renderProfile } from '../../functions/batch/profiles/domain/render-profile.ts';
import { inEnglish } from '../../functions/batch/sentences/sentences.ts';
import { LOCAL_SETTINGS } from '../../infra/local/seed/local-settings.ts';
import { AdminRefusal } from '../../shared/access/administration.ts';
import { reasonOf } from '../../shared/command-line/reason.ts';
import { BrokenPkcs12, UnsupportedPkcs12, WrongPassword } from '../../shared/pki/pkcs12/errors.ts';
import { isLocal } from '../../shared/settings/names.ts';
import { SigningRefused } from '../../shared/signing/errors.ts';
import { type PinSource, readPin } from '../terminal/pin.ts';
import { who } from './who.ts';

/** The external service of the local stage, as the engine has it: without one its profiles would seem degraded. */
function useLocalSigner(): void {
  if (isLocal()) process.env.Signer__ApiKey ??= LOCAL_SETTINGS.Signer__ApiKey;
}

export async function list(): Promise<string> {
  useLocalSigner();
  const all = await listProfiles();
  return all.length > 0 ? (await Promise.all(all.map(line))).join('\n') : 'There are no profiles.';
}

async function line(profile: Profile): Promise<string> {
  const reason = await findDegradedReason(profile);
  const der = certificateOf(profile);
  const notice = certificateNoticeOf(profile, der && readCertificate(der), Date.now());
  const facts = [
    profile.method,
    profile.format ?? 'format by extension',
    ...(profile.default ? ['default'] : []),
    ...(profile.enabled ? [] : ['disabled']),
    ...(reason === undefined ? [] : [`degraded: ${inEnglish(reason)}`]),
    ...(notice && reason === undefined ? [inEnglish(describeNotice(notice))] : []),
  ];
  return `${profile.name}  ${facts.join('; ')}`;
}

/** Shows everything but the secrets, as GET /api/profiles/{name} does. */
export async function show(name: string): Promise<string> {
  useLocalSigner();
  const profile = requireFound(name, await readProfile(name.toLowerCase()));
  return JSON.stringify(await renderProfile(profile), null, 2);
}

/** Creates a profile from a file of JSON, or changes the fields that the file has. */
export async function put(file: string): Promise<string> {
  const text = readBytes(file).toString('utf8');
  const edit = await naming(file, async () => putProfile(who(), parseProfileFields(parse(text)), Date.now()));
  const { name, created } = edit;
  const profile = await readProfile(name);
  const needsKey = profile?.method !== 'ExternalSigner' && !profile?.cloudCertificate;
  const done = created
    ? `Created ${name}.${needsKey ? ` Give it its key: npm run admin -- profiles key ${name} FILE.p12` : ''}`
    : told(edit);
  return profile?.approval && !profile.checkCnab240 ? `${done}\n${UNMEASURED}` : done;
}

// The specification ties what people approve to the figures of the check.
const UNMEASURED =
  'Warning: it has an approval rule and checkCnab240 is off, so its jobs fail with approval.content-unmeasured. Set checkCnab240 to true.';

// The parser's own message quotes the text, which may hold a password.
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AdminRefusal('It is not JSON.');
  }
}

const told = ({ name, changed }: ProfileEdit): string =>
  changed.length > 0 ? `Changed ${name}: ${changed.join(', ')}.` : `${name} is so already.`;

export const enable = async (name: string): Promise<string> =>
  told(await setEnabled(who(), name.toLowerCase(), true, Date.now()));

export const disable = async (name: string): Promise<string> =>
  told(await setEnabled(who(), name.toLowerCase(), false, Date.now()));

export const makeDefault = async (name: string): Promise<string> =>
  told(await setDefault(who(), name.toLowerCase(), Date.now()));

export async function remove(name: string): Promise<string> {
  await removeProfile(who(), name.toLowerCase(), Date.now());
  return `Removed ${name.toLowerCase()} with its key: jobs of it that are still queued fail.`;
}

const REFUSALS = [WrongPassword, BrokenPkcs12, UnsupportedPkcs12, SigningRefused, AdminRefusal];

/** Gives a profile the key of a certificate file. The key is kept sealed; the file's password is not kept. */
export async function key(name: string, file: string, pin: PinSource): Promise<string> {
  const bytes = readBytes(file);
  const profile = requireFound(name, await readProfile(name.toLowerCase()));
  const password = await readPin(pin, file);
  const entry = await naming(file, () => readKeyFile(bytes, password));
  await naming(file, () => setKey(who(), profile.name, entry, Date.now()));
  const { subject, notAfterMs } = entry.certificate;
  const until = new Date(notAfterMs).toISOString().slice(0, 10);
  const done = `${profile.name} signs with the certificate of ${subject.text}, until ${until}. The password is not kept.`;
  const notice = certificateNoticeOf(profile, entry.certificate, Date.now());
  return notice ? `${done}\nWarning: ${inEnglish(describeNotice(notice))}` : done;
}

// A certificate file has about 4 KB, and a profile a few hundred bytes. An item of the table may have 400 KB.
const MAX_BYTES = 200_000;

function readBytes(file: string): Buffer {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new AdminRefusal(`${file} cannot be read: ${reasonOf(error)}`);
  }
  if (bytes.length > MAX_BYTES)
    throw new AdminRefusal(`${file} has ${bytes.length} bytes. At most ${MAX_BYTES} are read.`);
  return bytes;
}

/** Names the file in a refusal. */
const naming = <T>(file: string, work: () => Promise<T>): Promise<T> =>
  work().catch((error: unknown) => {
    throw REFUSALS.some((kind) => error instanceof kind)
      ? new AdminRefusal(`${file}: ${(error as Error).message}`)
      : error;
  });
