import { resolve } from 'node:path';
import { CONSOLE, type Output } from '../../shared/command-line/output.ts';
import { reasonOf } from '../../shared/command-line/reason.ts';
import { displayName } from '../../shared/pki/findings/display.ts';
import { OutputUnwritable } from '../../shared/signing/write-whole.ts';
import { fileError, headOf } from '../arguments/named-file.ts';
import { checkOutput, unwritable } from '../arguments/output-file.ts';
import { readSecret } from '../terminal/pin.ts';
import { openPkcs12File } from '../terminal/pkcs12-file.ts';
import {
  type EnvelopeKind,
  envelopeKindOf,
  openCertificateEnvelope,
  openPasswordEnvelope,
} from './envelope.ts';
import { OPTIONS_OF, type Options, readOptions, USAGE } from './options.ts';

/** `npm run open`: opens one envelope, and gives the exit code. @example await runOpen(['a.p7m.enc', '--key', 'h.p12']) */
export async function runOpen(argv: readonly string[], output: Output = CONSOLE): Promise<number> {
  try {
    const options = readOptions(argv);
    output.print(options ? await open(options) : USAGE);
    return 0;
  } catch (error) {
    output.printError(reasonOf(error));
    return 1;
  }
}

async function open(options: Options): Promise<string> {
  const { file, force } = options;
  const kind = envelopeKindOf(headOf(file));
  if (!kind)
    throw new Error(
      `${file} is no envelope: it begins neither as a password envelope (BSENC) nor as CMS. Is it encrypted?`,
    );
  checkOptions(options, kind);
  const out = resolve(options.out);
  checkOutput(out, { input: resolve(file), force });
  return kind === 'password' ? openByPassword(options, out) : openByKey(options, out);
}

const KINDS: Readonly<Record<EnvelopeKind, string>> = {
  password: 'a password envelope',
  certificate: 'an envelope for a certificate',
};

function checkOptions(options: Options, kind: EnvelopeKind): void {
  const other = kind === 'password' ? 'certificate' : 'password';
  const misplaced = OPTIONS_OF[other].find((name) => options[name] !== undefined && options[name] !== false);
  if (misplaced)
    throw new Error(`--${misplaced} is for ${KINDS[other]}, and ${options.file} is ${KINDS[kind]}.`);
}

async function openByPassword(options: Options, out: string): Promise<string> {
  const { file } = options;
  const salt = readSalt(options);
  const password = await readSecret(
    { file: options['password-file'], variable: options['password-env'] },
    { name: 'password', whose: file, option: 'password' },
  );
  await openPasswordEnvelope(file, out, { password, salt }).catch(refuse(file, out));
  return `${out}\nOpened with its password: no byte of the envelope was changed.`;
}

function readSalt({ file, salt }: Options): Buffer {
  if (salt === undefined)
    throw new Error(`${file} is a password envelope. Give the salt of its password: --salt BASE64`);
  const bytes = Buffer.from(salt, 'base64');
  if (bytes.toString('base64').replace(/=+$/, '') !== salt.replace(/=+$/, ''))
    throw new Error(`--salt takes Base64, not "${salt}".`);
  return bytes;
}

async function openByKey(options: Options, out: string): Promise<string> {
  const { file, key, unverified } = options;
  if (key === undefined)
    throw new Error(`${file} is encrypted for a certificate. Name its PKCS#12 file: --key FILE.p12`);
  const pin = { file: options['pin-file'], variable: options['pin-env'] };
  const entries = await openPkcs12File({ option: '--key', p12: key, pin });
  if (entries.length === 0) throw new Error(`${key} holds no key with its certificate, so it opens nothing.`);
  const { certificate } = await openCertificateEnvelope(file, out, {
    entries,
    unverified,
    nowMs: Date.now(),
  }).catch(refuse(file, out));
  const checked = unverified ? 'No signature inside was checked.' : 'The signature inside is intact.';
  return `${out}\nOpened with the key of ${displayName(certificate)}. ${checked}`;
}

/** The person who opens it reads what happened to which file, and what to do. */
const refuse =
  (file: string, out: string) =>
  (error: unknown): never => {
    throw error instanceof OutputUnwritable
      ? unwritable(out, error.cause)
      : fileError(file, 'was not opened', error);
  };
