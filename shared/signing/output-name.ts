import { basename, dirname, extname, join } from 'node:path';
import type { SignatureKind } from './format.ts';

export type OutputNameOptions = {
  readonly format: SignatureKind;
  /** CAdES: the name keeps its extension. A name without one gets the usual extension. */
  readonly preserveExtension?: boolean | undefined;
  /** CAdES: the signature is PEM text. */
  readonly pem?: boolean | undefined;
  /** CAdES: the signature is apart from its content. */
  readonly detached?: boolean | undefined;
  /** CAdES: the file is a signature that gets one more signer. */
  readonly cosign?: boolean | undefined;
  readonly encrypted?: boolean | undefined;
};

const EXTENSIONS: Readonly<Record<SignatureKind, string>> = { pades: '.pdf', xades: '.xml', cades: '.p7m' };

/**
 * The usual name of a signed file, beside the original. An extension is kept as it is written, capitals included. A dot
 * file (`.profile`) and a name that ends in a dot have no extension.
 * @example outputName('report.pdf', { format: 'pades' }) // 'report.signed.pdf'
 * @example outputName('remessa.rem', { format: 'cades', preserveExtension: true, encrypted: true }) // 'remessa.signed.rem.enc'
 */
export function outputName(file: string, options: OutputNameOptions): string {
  const signed = isAppended(file, options)
    ? `${file}${appendedExtension(options)}`
    : markSigned(file, options.format);
  return options.encrypted ? `${signed}.enc` : signed;
}

/** Whether the name gets a further extension: a CAdES signature is a file of another kind than its content. */
const isAppended = (file: string, { format, cosign, preserveExtension }: OutputNameOptions): boolean =>
  format === 'cades' && !cosign && !(preserveExtension && extensionOf(file) !== '');

const appendedExtension = ({ pem, detached }: OutputNameOptions): string =>
  pem ? '.pem' : detached ? '.p7s' : EXTENSIONS.cades;

function markSigned(file: string, format: SignatureKind): string {
  const stem = basename(file, extname(file));
  return join(dirname(file), `${stem}.signed${extensionOf(file) || EXTENSIONS[format]}`);
}

/** The extension with its dot; empty where there is none. */
const extensionOf = (file: string): string => (extname(file).length > 1 ? extname(file) : '');
