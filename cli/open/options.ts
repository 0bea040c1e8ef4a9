import { HELP, parseCommandLine } from '../../shared/command-line/parse.ts';
import { requireOneFile } from '../arguments/named-file.ts';
import { refuseSecretArguments } from '../arguments/secret-arguments.ts';

export const USAGE = `Opens an encrypted file, FILE.enc: a password envelope (BSENC), or one for a certificate (CMS EnvelopedData or
AuthEnvelopedData).

  npm run open -- FILE.enc --salt BASE64 [--password-file FILE | --password-env NAME]
  npm run open -- FILE.enc --key FILE.p12 [--pin-file FILE | --pin-env NAME]

A password envelope
  --salt BASE64         the salt of the password, which is not in the file
  --password-file FILE  the password is the first line of this file
  --password-env NAME   the password is this environment variable
                        With neither, the password is asked for, unseen, or is the first line of a pipe.

An envelope for a certificate
  --key FILE            the certificate and its key, as .p12 or .pfx
  --pin-file FILE       the PIN is the first line of this file
  --pin-env NAME        the PIN is this environment variable
  --unverified          keep what comes out even if it carries no intact signature. Anyone can make such an
                        envelope, and an EnvelopedData does not even tell that it was changed

Where it goes
  --out FILE            by default the name without .enc
  --force               write over what is there

The exit code is 0, or 1 with one line that says what stands in the way; then nothing was written. Whether the signer
is to be trusted is another question: npm run verify -- FILE
`;

const PARSED = {
  salt: { type: 'string' },
  'password-file': { type: 'string' },
  'password-env': { type: 'string' },
  key: { type: 'string' },
  'pin-file': { type: 'string' },
  'pin-env': { type: 'string' },
  unverified: { type: 'boolean', default: false },
  out: { type: 'string' },
  force: { type: 'boolean', default: false },
  ...HELP,
} as const;

export type Options = NonNullable<ReturnType<typeof readOptions>>;

/** Undefined for --help and for an empty command line. @example readOptions(['a.p7m.enc', '--key', 'holder.p12']) */
export function readOptions(argv: readonly string[]) {
  refuseSecretArguments(argv, { name: 'password', option: 'password' });
  const { values, positionals } = parseCommandLine(
    { args: [...argv], options: PARSED, strict: true, allowPositionals: true },
    'npm run open -- --help',
  );
  if (values.help || argv.length === 0) return undefined;
  const file = requireOneFile(positionals, ['open', 'opened']);
  return { ...values, file, out: values.out ?? nameWithoutEnc(file) };
}

function nameWithoutEnc(file: string): string {
  const [, name] = /^(.*[^/])\.enc$/i.exec(file) ?? [];
  if (name === undefined)
    throw new Error(`The name ${file} does not end in .enc. Name the file to write: --out FILE`);
  return name;
}

/** Options of one kind of envelope only: used with the other they are refused, not ignored. */
export const OPTIONS_OF = {
  password: ['salt', 'password-file', 'password-env'],
  certificate: ['key', 'pin-file', 'pin-env', 'unverified'],
} as const satisfies Readonly<Record<string, readonly (keyof Options)[]>>;
