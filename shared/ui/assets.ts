// The build defines the names: `documents-action.js` is served as `documents-action-3KX5J2QA.js`, which browsers may
// cache forever. Code that runs from sources has no built assets and uses the plain names.
declare const SINETE_ASSETS: Readonly<Record<string, string>> | undefined;

/**
 * The address of a script or stylesheet. `root` is the relative path to the service's base path.
 * @example assetUrl('../../..', 'common.css') // '../../../assets/common-7GQ2M4ZD.css'
 */
export function assetUrl(root: string, name: string): string {
  if (typeof SINETE_ASSETS === 'undefined') return `${root}/assets/${name}`;
  const built = SINETE_ASSETS[name];
  if (!built) throw new Error(`The build made no asset ${name}.`);
  return `${root}/assets/${built}`;
}
