import { globSync } from 'node:fs';

/** Where the roots that a deployment trusts are kept: every artifact carries them. */
export const TRUST_FILES = 'trust/*';

const SETTING = 'Certificates__TrustAnchors';

/** Why a stage's trust anchors would not be found by its functions, in one line; nothing if they would. */
export function whyNotTrusted(given: Readonly<Record<string, unknown>>, root: string): string | undefined {
  const shipped = globSync(TRUST_FILES, { cwd: root });
  const values = Object.entries(given)
    .filter(([name]) => name === SETTING || name.endsWith(`__${SETTING}`))
    .flatMap(([, value]) => (typeof value === 'string' && !value.includes('-----BEGIN') ? [value] : []));
  const missing = values
    .flatMap((value) => value.split(','))
    .map((file) => file.trim())
    .find((file) => file !== '' && !shipped.includes(file));
  if (missing === undefined) return undefined;
  return `Setting Certificates:TrustAnchors names the file ${missing}, which no function would have. Put it in trust/ and name it as trust/roots.pem.`;
}
