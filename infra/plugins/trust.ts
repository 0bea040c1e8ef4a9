import { globSync } from 'node:fs';
import { basename } from 'node:path';

/** The roots that a deployment trusts, its signature policies and its logo: every artifact carries them. */
export const TRUST_FILES = 'trust/*';

const SETTINGS = [
  'Certificates__TrustAnchors',
  'SecurityContexts__PkiBrazil',
  'SecurityContexts__PkiItaly',
  'SecurityContexts__WindowsServer',
  'SecurityContexts__Others',
  'Signing__Policies__Pades',
  'Signing__Policies__Cades',
  'Signing__Policies__Xades',
  'Branding__CustomerLogo',
];

const settingOf = (name: string): string | undefined =>
  SETTINGS.find((setting) => name === setting || name.endsWith(`__${setting}`));

/** Whether a variable names files that must be there. @example isTrustSetting('pki__SecurityContexts__Others') */
export const isTrustSetting = (variable: string): boolean => settingOf(variable) !== undefined;

/** Why a stage's functions would not find its roots, policies or logo, in one line; undefined if they would. */
export function whyNotTrusted(given: Readonly<Record<string, unknown>>, root: string): string | undefined {
  const shipped = globSync(TRUST_FILES, { cwd: root });
  for (const [name, value] of Object.entries(given)) {
    const setting = settingOf(name);
    if (!setting || typeof value !== 'string' || value.includes('-----BEGIN')) continue;
    const missing = filesIn(value).find((file) => !shipped.includes(file));
    if (missing !== undefined)
      return `Setting ${setting.replaceAll('__', ':')} names the file ${missing}, which no function would have. Put it in trust/ and name it as trust/${basename(missing)}.`;
  }
  return undefined;
}

/** The files of a list, whose entries may have ids: `id=file`. */
export const filesIn = (value: string): string[] =>
  value
    .split(',')
    .map((part) => part.slice(part.indexOf('=') + 1).trim())
    .filter((file) => file !== '');
